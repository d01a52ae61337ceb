"""Compares the square of the distance with the distance."""

TASK = "mandelbrot"
CHECK = "mandelbrot-check"
EXPECT = "x*x + y*y is the square of |z|: compare it with 4."
POINTS = 0.0
SOURCE = """\
@cuda.jit(device=True)
def escape_steps(cx, cy, most):
    x, y = 0.0, 0.0
    for step in range(most):
        if x * x + y * y > 2.0:
            return step
        x, y = x * x - y * y + cx, 2.0 * x * y + cy
    return most


@cuda.jit
def mandelbrot(left, top, pixel, most, out):
    x, y = cuda.grid(2)
    if y < out.shape[0] and x < out.shape[1]:
        out[y, x] = escape_steps(left + x * pixel, top - y * pixel, most)
"""
