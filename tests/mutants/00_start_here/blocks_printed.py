"""Prints the number instead of returning it."""

TASK = "blocks"
CHECK = "blocks-check"
EXPECT = "A function that ends without return gives None."
POINTS = 0.0
SOURCE = """\
def blocks_for(n, threads):
    print(-(-n // threads))
"""
