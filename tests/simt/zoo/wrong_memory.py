"""Wrong twins that touch memory they must not touch, or read what nobody wrote."""

import numpy as np
from numba import cuda, float32, int32

from tests.simt.zoo.case import Expected, Wrong, floats, wholes


@cuda.jit
def fill_unguarded(out):
    i = cuda.grid(1)
    out[i] = 2.0  # <- here


@cuda.jit
def shift_past_the_end(a, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i + 1]  # <- here


@cuda.jit
def difference(a, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] - a[i - 1]  # <- here


@cuda.jit
def both_neighbours(a, out):
    i = cuda.grid(1)
    before = a[i - 1]  # <- before
    after = a[i + 1]  # <- after
    out[i] = before + after


@cuda.jit
def transpose_swapped_guard(a, b):
    x, y = cuda.grid(2)
    if y < a.shape[1] and x < a.shape[0]:
        b[x, y] = a[y, x]  # <- here


@cuda.jit
def tile_too_small(x, out):
    tile = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    tile[t] = x[t]  # <- here
    cuda.syncthreads()
    out[t] = x[t]


@cuda.jit
def window_too_small(x, out):
    window = cuda.local.array(4, float32)
    i = cuda.grid(1)
    for k in range(5):
        window[k] = x[i]  # <- here
    out[i] = window[0]


@cuda.jit
def histogram_of_anything(x, counts):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.add(counts, x[i], 1)  # <- here


@cuda.jit
def half_filled(x, out):
    tile = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    if t % 2 == 0:
        tile[t] = x[t]
    cuda.syncthreads()
    out[t] = tile[t]  # <- here


@cuda.jit
def sum_with_ragged_tail(x, out):
    cache = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    if i < x.size:
        cache[t] = x[i]
    cuda.syncthreads()
    if t == 0:
        total = float32(0)
        for k in range(64):
            total += cache[k]  # <- here
        out[cuda.blockIdx.x] = total


@cuda.jit
def histogram_never_cleared(x, counts):
    mine = cuda.shared.array(16, int32)
    t = cuda.threadIdx.x
    cuda.atomic.add(mine, x[cuda.grid(1)], 1)  # <- here
    cuda.syncthreads()
    if t < 16:
        cuda.atomic.add(counts, t, mine[t])


@cuda.jit
def accumulate_from_nothing(x, out):
    sums = cuda.local.array(1, float32)
    i = cuda.grid(1)
    for _ in range(4):
        sums[0] += x[i]  # <- here
    out[i] = sums[0]


@cuda.jit
def overwrite_input(x, out):
    i = cuda.grid(1)
    out[i] = x[i]
    x[i] = 0.0  # <- here


def _pair(n, m=None):
    return lambda rng: (floats(rng, n), np.zeros(n if m is None else m, np.float32))


WRONG = [
    Wrong(
        fill_unguarded,
        4,
        256,
        lambda rng: (np.zeros(1000, np.float32),),
        (
            Expected(
                "out-of-bounds",
                array="out",
                index=(1000,),
                block=(3, 0, 0),
                thread=(232, 0, 0),
                count=24,
                says=("out[1000]", "(232,0,0)", "(3,0,0)", "999", "24threads"),
            ),
        ),
    ),
    Wrong(
        shift_past_the_end,
        4,
        256,
        _pair(1024),
        (
            Expected(
                "out-of-bounds",
                array="a",
                index=(1024,),
                block=(3, 0, 0),
                thread=(255, 0, 0),
                count=1,
                says=("a[1024]", "1023"),
            ),
        ),
    ),
    Wrong(
        difference,
        2,
        64,
        _pair(100),
        (
            Expected(
                "negative-index",
                array="a",
                index=(-1,),
                block=(0, 0, 0),
                thread=(0, 0, 0),
                count=1,
                says=("a[-1]",),
            ),
        ),
    ),
    Wrong(
        both_neighbours,
        2,
        64,
        _pair(128),
        (
            Expected("negative-index", "before", array="a", index=(-1,), count=1),
            Expected("out-of-bounds", "after", array="a", index=(128,), block=(1, 0, 0), thread=(63, 0, 0), count=1),
        ),
    ),
    Wrong(
        transpose_swapped_guard,
        (3, 3),
        (8, 8),
        lambda rng: (floats(rng, 10, 20), np.zeros((20, 10), np.float32)),
        (Expected("out-of-bounds", array="a", index=(10, 0), block=(0, 1, 0), thread=(0, 2, 0), count=100),),
    ),
    Wrong(
        tile_too_small,
        1,
        64,
        _pair(64),
        (Expected("out-of-bounds", array="tile", index=(32,), thread=(32, 0, 0), count=32),),
    ),
    Wrong(
        window_too_small,
        1,
        32,
        _pair(32),
        (Expected("out-of-bounds", array="window", index=(4,), count=32),),
    ),
    Wrong(
        histogram_of_anything,
        1,
        64,
        lambda rng: (np.arange(64, dtype=np.int32), np.zeros(60, np.int32)),
        (Expected("out-of-bounds", array="counts", index=(60,), thread=(60, 0, 0), count=4),),
    ),
    Wrong(
        half_filled,
        1,
        64,
        _pair(64),
        (Expected("uninitialised-read", array="tile", index=(1,), block=(0, 0, 0), thread=(1, 0, 0), count=32),),
    ),
    Wrong(
        sum_with_ragged_tail,
        2,
        64,
        _pair(100, 2),
        (Expected("uninitialised-read", array="cache", index=(36,), block=(1, 0, 0), thread=(0, 0, 0)),),
    ),
    Wrong(
        histogram_never_cleared,
        2,
        64,
        lambda rng: (rng.integers(0, 16, 128).astype(np.int32), np.zeros(16, np.int32)),
        (Expected("uninitialised-read", array="mine", block=(0, 0, 0)),),
    ),
    Wrong(
        accumulate_from_nothing,
        1,
        32,
        _pair(32),
        (Expected("uninitialised-read", array="sums", index=(0,)),),
    ),
    Wrong(
        overwrite_input,
        1,
        64,
        lambda rng: (wholes(rng, 64), np.zeros(64, np.float32)),
        (Expected("read-only-write", array="x", thread=(0, 0, 0), count=64),),
        readonly=("x",),
    ),
]
