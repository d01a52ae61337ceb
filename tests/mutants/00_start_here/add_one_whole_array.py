"""Adds to the array as a whole, as NumPy does."""

TASK = "add-one"
CHECK = "add-one-check"
EXPECT = "numbers += 1: an array of int64 + int64 does not exist on a GPU"
POINTS = 0.0
SOURCE = """\
@cuda.jit
def add_one(numbers):
    i = cuda.grid(1)
    if i < numbers.size:
        numbers += 1
"""
