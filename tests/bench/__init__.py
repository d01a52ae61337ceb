"""``python -m tests.bench``: the simulated GPU beside Numba's own simulator, in one run on one machine.

Both run the same kernels of the zoo on the same arguments, and both results are checked. Times are measured
and printed; no test depends on them.
"""
