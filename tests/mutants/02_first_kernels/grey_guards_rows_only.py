"""Guards the rows and forgets the columns."""

TASK = "grey"
CHECK = "grey-check"
EXPECT = "its dimension 1 ends at 149"
POINTS = 0.0
SOURCE = """\
@cuda.jit
def grey(image, out):
    x, y = cuda.grid(2)
    if y < out.shape[0]:
        out[y, x] = (image[y, x, 0] + image[y, x, 1] + image[y, x, 2]) // 3
"""
