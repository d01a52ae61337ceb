"""One thread computes every pixel."""

TASK = "mandelbrot"
CHECK = "mandelbrot-check"
EXPECT = "Where one thread has all the work, 31 wait for it."
POINTS = 1.0
SOURCE = """\
@cuda.jit(device=True)
def escape_steps(cx, cy, most):
    x, y = 0.0, 0.0
    for step in range(most):
        if x * x + y * y > 4.0:
            return step
        x, y = x * x - y * y + cx, 2.0 * x * y + cy
    return most


@cuda.jit
def mandelbrot(left, top, pixel, most, out):
    x, y = cuda.grid(2)
    if x == 0 and y == 0:
        for row in range(out.shape[0]):
            for column in range(out.shape[1]):
                out[row, column] = escape_steps(left + column * pixel, top - row * pixel, most)
"""
