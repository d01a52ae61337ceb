"""Each thread takes a contiguous piece: right, and eight times the traffic."""

TASK = "saxpy"
CHECK = "saxpy-check"
EXPECT = "yours 32, ideal 4, gate 5 or less"
POINTS = 1.5
SOURCE = """\
@cuda.jit
def saxpy(a, x, y):
    n = -(-y.size // cuda.gridsize(1))
    first = cuda.grid(1) * n
    for i in range(first, min(first + n, y.size)):
        y[i] = a * x[i] + y[i]
"""
