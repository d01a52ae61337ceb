"""Leaves the guard out."""

TASK = "add-one"
CHECK = "add-one-check"
EXPECT = "Guard it: if i < numbers.size."
POINTS = 0.75
SOURCE = """\
@cuda.jit
def add_one(numbers):
    i = cuda.grid(1)
    numbers[i] += 1
"""
