"""Stores a * x, without the y that was there."""

TASK = "saxpy"
CHECK = "saxpy-check"
EXPECT = "This is a * x: the y that was there is gone."
POINTS = 0.0
SOURCE = """\
@cuda.jit
def saxpy(a, x, y):
    for i in range(cuda.grid(1), y.size, cuda.gridsize(1)):
        y[i] = a * x[i]
"""
