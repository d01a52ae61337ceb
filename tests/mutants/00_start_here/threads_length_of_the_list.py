"""Takes the length of the data for the number of threads."""

TASK = "threads"
CHECK = "threads-check"
EXPECT = "600 is the length of the list"
POINTS = 0.0
SOURCE = """\
threads = 600
"""
