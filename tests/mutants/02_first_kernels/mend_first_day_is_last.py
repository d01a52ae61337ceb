"""Guards the end and leaves the index -1."""

TASK = "mend"
CHECK = "mend-check"
EXPECT = "The first day was compared with the last: its change is 0."
POINTS = 0.0
SOURCE = """\
@cuda.jit
def changes(temperature, change, warmer):
    i = cuda.grid(1)
    if i < change.size:
        change[i] = temperature[i] - temperature[i - 1]
        if change[i] > 0:
            cuda.atomic.add(warmer, 0, 1)
"""
