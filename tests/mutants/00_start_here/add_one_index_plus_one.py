"""Takes the index for the element."""

TASK = "add-one"
CHECK = "add-one-check"
EXPECT = "This is i + 1, not numbers[i] + 1."
POINTS = 0.0
SOURCE = """\
@cuda.jit
def add_one(numbers):
    i = cuda.grid(1)
    if i < numbers.size:
        numbers[i] = i + 1
"""
