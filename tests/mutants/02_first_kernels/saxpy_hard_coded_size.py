"""Runs to the size of the first case, whatever the size is."""

TASK = "saxpy"
CHECK = "saxpy-check"
EXPECT = "reads x[1], which ends at 0"
POINTS = 0.6
SOURCE = """\
@cuda.jit
def saxpy(a, x, y):
    for i in range(cuda.grid(1), 10007, cuda.gridsize(1)):
        y[i] = a * x[i] + y[i]
"""
