"""Draw the picture of the README from two real runs: ``python docs/picture.py``."""

from pathlib import Path

import numpy as np
from numba import cuda

from utils import simt
from utils.plot import Picture, access_map, select


@cuda.jit
def add_chunks(x, out):
    """Add 1 to each element; every thread has a contiguous piece."""
    chunk = out.size // cuda.gridsize(1)
    for i in range(cuda.grid(1) * chunk, (cuda.grid(1) + 1) * chunk):
        out[i] = x[i] + 1


@cuda.jit
def add_strided(x, out):
    """Add 1 to each element; neighbouring threads take neighbouring elements."""
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[i] = x[i] + 1


def one_request() -> Picture:
    """Return the first load request of a warp of each kernel, side by side."""
    x = np.ones(1024, np.float32)
    traces = [simt.trace(kernel, 1, 32, x, np.zeros_like(x)) for kernel in (add_chunks, add_strided)]
    requests = [select(trace, array="x") for trace in traces]
    return access_map(*requests, titles=["a piece for each thread", "grid-stride loop"])


if __name__ == "__main__":
    one_request().save(Path(__file__).with_name("one-request.png"))
