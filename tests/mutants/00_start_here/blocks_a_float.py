"""Rounds up with np.ceil, whose result no launch takes."""

TASK = "blocks"
CHECK = "blocks-check"
EXPECT = "result is a float, expected an int."
POINTS = 0.0
SOURCE = """\
def blocks_for(n, threads):
    return np.ceil(n / threads)
"""
