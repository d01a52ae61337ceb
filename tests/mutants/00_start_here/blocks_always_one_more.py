"""Adds a block even where the division goes out even."""

TASK = "blocks"
CHECK = "blocks-check"
EXPECT = "A multiple of threads needs no block more."
POINTS = 2.4
SOURCE = """\
def blocks_for(n, threads):
    return n // threads + 1
"""
