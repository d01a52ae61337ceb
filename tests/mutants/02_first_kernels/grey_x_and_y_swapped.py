"""Takes the row from x and the column from y."""

TASK = "grey"
CHECK = "grey-check"
EXPECT = "x and y are swapped: cuda.grid(2) gives the column first"
POINTS = 0.25
SOURCE = """\
@cuda.jit
def grey(image, out):
    y, x = cuda.grid(2)
    if y < out.shape[0] and x < out.shape[1]:
        out[y, x] = (image[y, x, 0] + image[y, x, 1] + image[y, x, 2]) // 3
"""
