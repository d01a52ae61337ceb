"""Counts all threads, idle or not, and takes a partly idle warp for idle."""

TASK = "predict"
CHECK = "predict-check"
EXPECT = "1,024 is all of them."
POINTS = 0.0
SOURCE = """\
idle_threads, idle_pixels, idle_warps, rounds = 1024, 8960, 48, 4
"""
