"""Strides by the block, not by the grid: many threads update one element."""

TASK = "saxpy"
CHECK = "saxpy-check"
EXPECT = "Blocks run in any order: give each block its own element"
POINTS = 0.9
SOURCE = """\
@cuda.jit
def saxpy(a, x, y):
    for i in range(cuda.grid(1), y.size, cuda.blockDim.x):
        y[i] = a * x[i] + y[i]
"""
