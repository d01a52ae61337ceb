"""Counts only the threads that have nothing to do."""

TASK = "threads"
CHECK = "threads-check"
EXPECT = "72 is how many have no place in the list"
POINTS = 0.0
SOURCE = """\
threads = 72
"""
