"""Computes in float32, which is too coarse for a closer look."""

TASK = "mandelbrot"
CHECK = "mandelbrot-check"
EXPECT = "float64 tells them apart, float32 does not."
POINTS = 1.5
SOURCE = """\
@cuda.jit(device=True)
def escape_steps(cx, cy, most):
    x, y = np.float32(0), np.float32(0)
    cx, cy = np.float32(cx), np.float32(cy)
    for step in range(most):
        if x * x + y * y > 4.0:
            return step
        x, y = x * x - y * y + cx, np.float32(2) * x * y + cy
    return most


@cuda.jit
def mandelbrot(left, top, pixel, most, out):
    x, y = cuda.grid(2)
    if y < out.shape[0] and x < out.shape[1]:
        out[y, x] = escape_steps(left + x * pixel, top - y * pixel, most)
"""
