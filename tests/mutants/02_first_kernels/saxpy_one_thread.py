"""One thread does everything."""

TASK = "saxpy"
CHECK = "saxpy-check"
EXPECT = "Lanes far apart, or one lane alone, take a sector for each value."
POINTS = 1.5
SOURCE = """\
@cuda.jit
def saxpy(a, x, y):
    if cuda.grid(1) == 0:
        for i in range(y.size):
            y[i] = a * x[i] + y[i]
"""
