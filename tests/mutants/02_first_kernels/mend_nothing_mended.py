"""The broken kernel as it was."""

TASK = "mend"
CHECK = "mend-check"
EXPECT = "1 of 100 elements of change is wrong, at [0]"
POINTS = 0.0
SOURCE = """\
@cuda.jit
def changes(temperature, change, warmer):
    i = cuda.grid(1)
    change[i] = temperature[i] - temperature[i - 1]
    if change[i] > 0:
        warmer[0] += 1
"""
