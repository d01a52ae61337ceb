"""Adds blocks and threads instead of multiplying them."""

TASK = "threads"
CHECK = "threads-check"
EXPECT = "7 and 96 are not added"
POINTS = 0.0
SOURCE = """\
threads = 103
"""
