"""Mends the indices and leaves the race."""

TASK = "mend"
CHECK = "mend-check"
EXPECT = "The only element of warmer is wrong, at [0]: yours 1, expected"
POINTS = 0.25
SOURCE = """\
@cuda.jit
def changes(temperature, change, warmer):
    i = cuda.grid(1)
    if i < change.size:
        if i == 0:
            change[i] = 0
        else:
            change[i] = temperature[i] - temperature[i - 1]
        if change[i] > 0:
            warmer[0] += 1
"""
