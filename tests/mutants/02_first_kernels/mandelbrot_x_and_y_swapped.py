"""Takes the row from x and the column from y."""

TASK = "mandelbrot"
CHECK = "mandelbrot-check"
EXPECT = "x and y are swapped: cuda.grid(2) gives the column first"
POINTS = 0.0
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
    y, x = cuda.grid(2)
    if y < out.shape[0] and x < out.shape[1]:
        out[y, x] = escape_steps(left + x * pixel, top - y * pixel, most)
"""
