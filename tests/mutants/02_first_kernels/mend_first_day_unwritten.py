"""Leaves the first day out, whose change is then never written."""

TASK = "mend"
CHECK = "mend-check"
EXPECT = "It still holds what it held before."
POINTS = 0.0
SOURCE = """\
@cuda.jit
def changes(temperature, change, warmer):
    i = cuda.grid(1)
    if 0 < i < change.size:
        change[i] = temperature[i] - temperature[i - 1]
        if change[i] > 0:
            cuda.atomic.add(warmer, 0, 1)
"""
