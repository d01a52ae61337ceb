"""Rounds down: the last elements get no thread."""

TASK = "blocks"
CHECK = "blocks-check"
EXPECT = "Rounded down: the last elements get no thread."
POINTS = 1.6
SOURCE = """\
def blocks_for(n, threads):
    return n // threads
"""
