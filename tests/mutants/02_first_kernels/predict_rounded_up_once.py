"""Rounds the pixels up once, not in each direction."""

TASK = "predict"
CHECK = "predict-check"
EXPECT = "The grid is rounded up in each direction."
POINTS = 0.75
SOURCE = """\
idle_threads, idle_pixels, idle_warps, rounds = 24, 168, 16, 3
"""
