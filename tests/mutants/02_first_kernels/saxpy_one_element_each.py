"""Each thread takes one element: right for small data only."""

TASK = "saxpy"
CHECK = "saxpy-check"
EXPECT = "Each thread took one element. Go on by cuda.gridsize(1) until the data end."
POINTS = 0.9
SOURCE = """\
@cuda.jit
def saxpy(a, x, y):
    i = cuda.grid(1)
    if i < y.size:
        y[i] = a * x[i] + y[i]
"""
