"""Counts the warp in which some threads are idle as idle."""

TASK = "predict"
CHECK = "predict-check"
EXPECT = "yours 17 is too large."
POINTS = 0.75
SOURCE = """\
idle_threads, idle_pixels, idle_warps, rounds = 24, 1960, 17, 3
"""
