"""Casts the sum to 8 bits before dividing."""

TASK = "grey"
CHECK = "grey-check"
EXPECT = "The sum was cut off at 8 bits."
POINTS = 0.0
SOURCE = """\
@cuda.jit
def grey(image, out):
    x, y = cuda.grid(2)
    if y < out.shape[0] and x < out.shape[1]:
        out[y, x] = np.uint8(image[y, x, 0] + image[y, x, 1] + image[y, x, 2]) // 3
"""
