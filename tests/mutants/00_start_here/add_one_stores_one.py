"""Stores 1: `numbers[i] =+ 1` does so too."""

TASK = "add-one"
CHECK = "add-one-check"
EXPECT = "Every number became 1"
POINTS = 0.0
SOURCE = """\
@cuda.jit
def add_one(numbers):
    i = cuda.grid(1)
    if i < numbers.size:
        numbers[i] = 1
"""
