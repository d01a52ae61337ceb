"""Mends the first day and the race, and leaves the end unguarded."""

TASK = "mend"
CHECK = "mend-check"
EXPECT = "line 8, change[i] = temperature[i] - temperature[i - 1]: thread (4,0,0) of block (3,0,0) writes change[100]"
POINTS = 0.0
SOURCE = """\
@cuda.jit
def changes(temperature, change, warmer):
    i = cuda.grid(1)
    if True:
        if i == 0:
            change[i] = 0
        else:
            change[i] = temperature[i] - temperature[i - 1]
        if change[i] > 0:
            cuda.atomic.add(warmer, 0, 1)
"""
