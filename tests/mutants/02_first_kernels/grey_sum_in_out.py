"""Adds up in `out`, which holds 8 bits."""

TASK = "grey"
CHECK = "grey-check"
EXPECT = "The sum was cut off at 8 bits."
POINTS = 0.0
SOURCE = """\
@cuda.jit
def grey(image, out):
    x, y = cuda.grid(2)
    if y < out.shape[0] and x < out.shape[1]:
        out[y, x] = 0
        for c in range(3):
            out[y, x] += image[y, x, c]
        out[y, x] //= 3
"""
