"""One thread does all the days: no race, and no use."""

TASK = "mend"
CHECK = "mend-check"
EXPECT = "Where one thread has all the work, 31 wait for it."
POINTS = 1.0
SOURCE = """\
@cuda.jit
def changes(temperature, change, warmer):
    if cuda.grid(1) == 0:
        change[0] = 0
        for i in range(1, change.size):
            change[i] = temperature[i] - temperature[i - 1]
            if change[i] > 0:
                warmer[0] += 1
"""
