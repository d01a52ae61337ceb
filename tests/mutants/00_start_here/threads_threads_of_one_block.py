"""Counts the threads of one block only."""

TASK = "threads"
CHECK = "threads-check"
EXPECT = "96 is the number of threads in one block"
POINTS = 0.0
SOURCE = """\
threads = 96
"""
