"""Every thread adds to the same element, which is a race."""

TASK = "add-one"
CHECK = "add-one-check"
EXPECT = "Nothing orders the two: give each thread its own element"
POINTS = 0.75
SOURCE = """\
@cuda.jit
def add_one(numbers):
    i = cuda.grid(1)
    if i < numbers.size:
        numbers[0] += 1
"""
