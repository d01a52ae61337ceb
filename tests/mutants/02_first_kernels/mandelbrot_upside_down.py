"""Lets the imaginary part grow downwards."""

TASK = "mandelbrot"
CHECK = "mandelbrot-check"
EXPECT = "This is upside down"
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
    x, y = cuda.grid(2)
    if y < out.shape[0] and x < out.shape[1]:
        out[y, x] = escape_steps(left + x * pixel, top + y * pixel, most)
"""
