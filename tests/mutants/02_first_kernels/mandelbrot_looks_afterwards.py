"""Steps first and looks afterwards, one step short."""

TASK = "mandelbrot"
CHECK = "mandelbrot-check"
EXPECT = "One step too few: begin at z = 0, and look at |z| before each step."
POINTS = 0.0
SOURCE = """\
@cuda.jit(device=True)
def escape_steps(cx, cy, most):
    x, y = 0.0, 0.0
    for step in range(most):
        x, y = x * x - y * y + cx, 2.0 * x * y + cy
        if x * x + y * y > 4.0:
            return step
    return most


@cuda.jit
def mandelbrot(left, top, pixel, most, out):
    x, y = cuda.grid(2)
    if y < out.shape[0] and x < out.shape[1]:
        out[y, x] = escape_steps(left + x * pixel, top - y * pixel, most)
"""
