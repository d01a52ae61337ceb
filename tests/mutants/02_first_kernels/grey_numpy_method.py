"""Asks NumPy for the mean inside the kernel."""

TASK = "grey"
CHECK = "grey-check"
EXPECT = "image[y, x].mean() cannot be called in a kernel"
POINTS = 0.0
SOURCE = """\
@cuda.jit
def grey(image, out):
    x, y = cuda.grid(2)
    if y < out.shape[0] and x < out.shape[1]:
        out[y, x] = image[y, x].mean()
"""
