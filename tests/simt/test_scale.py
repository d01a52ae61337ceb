"""A large grid costs more time, not more memory: blocks run in batches."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from numba import cuda

from utils.simt.launch import run


@cuda.jit
def add(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i] + y[i]


def peak(threads):
    """Return the bytes that a launch of `threads` threads needs at its peak, arguments left out."""
    x, y, out = np.ones((3, threads), np.float32)
    tracemalloc.start()
    run(add, -(-threads // 256), 256, (x, y, out))
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (out == 2).all()
    return found


def test_ten_times_the_threads_need_the_same_memory():
    peak(10_000)  # reads and lowers the kernel
    assert peak(1_000_000) < 1.2 * peak(100_000)


@pytest.mark.slow
def test_ten_million_threads():
    assert peak(10_000_000) < 1.2 * peak(100_000)
