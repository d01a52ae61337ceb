"""One thread for each row: right, and a sector for each pixel."""

TASK = "grey"
CHECK = "grey-check"
EXPECT = "32 of a column, or one alone, take a sector each."
POINTS = 1.0
SOURCE = """\
@cuda.jit
def grey(image, out):
    x, y = cuda.grid(2)
    if x == 0 and y < out.shape[0]:
        for x in range(out.shape[1]):
            out[y, x] = (image[y, x, 0] + image[y, x, 1] + image[y, x, 2]) // 3
"""
