"""Wrong twins whose threads do not wait for each other: races, barriers, warps, and loops that never end."""

import numpy as np
from numba import cuda, float32, float64, int32

from tests.simt.zoo.case import Expected, Wrong, floats, wholes

FULL = 0xFFFFFFFF
TILE = 8
THREADS = 128


@cuda.jit
def sum_into_one(x, out):
    i = cuda.grid(1)
    out[0] += x[i]  # <- here


@cuda.jit
def histogram(x, counts):
    i = cuda.grid(1)
    counts[x[i]] += 1  # <- here


@cuda.jit
def all_say_yes(x, flag):
    if x[cuda.grid(1)] > -100:
        flag[0] = 1  # <- here


@cuda.jit
def blur_in_place(x):
    i = cuda.grid(1)
    if 0 < i < x.size - 1:
        x[i] = (x[i - 1] + x[i] + x[i + 1]) / 3  # <- here


@cuda.jit
def reverse(x, out):
    held = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    held[t] = x[t]  # <- here
    out[t] = held[cuda.blockDim.x - 1 - t]  # <- other


@cuda.jit
def matmul_no_first_barrier(a, b, c):
    left = cuda.shared.array((TILE, TILE), float32)
    right = cuda.shared.array((TILE, TILE), float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    x, y = cuda.grid(2)
    total = float32(0)
    for tile in range(a.shape[1] // TILE):
        left[ty, tx] = a[y, tile * TILE + tx]
        right[ty, tx] = b[tile * TILE + ty, x]  # <- here
        for k in range(TILE):
            total += left[ty, k] * right[k, tx]  # <- other
        cuda.syncthreads()
    c[y, x] = total


@cuda.jit
def matmul_no_second_barrier(a, b, c):
    left = cuda.shared.array((TILE, TILE), float32)
    right = cuda.shared.array((TILE, TILE), float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    x, y = cuda.grid(2)
    total = float32(0)
    for tile in range(a.shape[1] // TILE):
        left[ty, tx] = a[y, tile * TILE + tx]
        right[ty, tx] = b[tile * TILE + ty, x]  # <- here
        cuda.syncthreads()
        for k in range(TILE):
            total += left[ty, k] * right[k, tx]  # <- other
    c[y, x] = total


@cuda.jit
def scan_one_buffer(x, out):
    row = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    row[t] = x[t]
    cuda.syncthreads()
    step = 1
    while step < THREADS:
        if t >= step:
            row[t] += row[t - step]  # <- here
        cuda.syncthreads()
        step *= 2
    out[t] = row[t]


@cuda.jit
def warp_tree_no_syncwarp(x, out):
    cache = cuda.shared.array(32, float32)
    lane = cuda.threadIdx.x
    cache[lane] = x[lane]
    cuda.syncwarp()
    if lane < 16:
        cache[lane] += cache[lane + 16]  # <- here
    if lane < 8:
        cache[lane] += cache[lane + 8]  # <- other
    out[lane] = cache[lane]


@cuda.jit
def cleared_too_late(x, counts):
    mine = cuda.shared.array(32, int32)
    t = cuda.threadIdx.x
    if t < 32:
        mine[t] = 0  # <- here
    cuda.atomic.add(mine, x[t], 1)  # <- other
    cuda.syncthreads()
    if t < 32:
        cuda.atomic.add(counts, t, mine[t])


@cuda.jit
def last_block_no_fence(x, partial, ticket, out):
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = x[cuda.blockIdx.x]  # <- here
        if cuda.atomic.add(ticket, 0, 1) == cuda.gridDim.x - 1:
            total = 0.0
            for k in range(cuda.gridDim.x):
                total += partial[k]  # <- other
            out[0] = total


@cuda.jit
def block_to_block(x, between, out):
    b = cuda.blockIdx.x
    t = cuda.threadIdx.x
    between[b, t] = x[b, t]  # <- here
    cuda.syncthreads()
    out[b, t] = between[(b + 1) % cuda.gridDim.x, t]  # <- other


@cuda.jit
def sum_barrier_inside_if(x, out):
    cache = cuda.shared.array(THREADS, float64)
    t = cuda.threadIdx.x
    cache[t] = x[cuda.grid(1)]
    cuda.syncthreads()
    if t < 40:
        cache[t] += cache[t + 64]
        cuda.syncthreads()  # <- here
    out[cuda.grid(1)] = cache[t]


@cuda.jit
def return_before_barrier(x, out):
    held = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    if i >= x.size:
        return
    held[t] = x[i]
    cuda.syncthreads()  # <- here
    out[i] = held[t]


@cuda.jit
def barrier_on_either_side(x, out):
    i = cuda.grid(1)
    if i % 2 == 0:
        out[i] = x[i]
        cuda.syncthreads()  # <- here
    else:
        out[i] = -x[i]
        cuda.syncthreads()  # <- other


@cuda.jit
def shuffle_half(x, out):
    i = cuda.grid(1)
    value = x[i]
    if i < 16:
        value += cuda.shfl_xor_sync(FULL, value, 1)  # <- here
    out[i] = value


@cuda.jit
def shuffle_from_idle(x, out):
    i = cuda.grid(1)
    value = x[i]
    if i < 16:
        value += cuda.shfl_down_sync(0xFFFF, value, 8)  # <- here
    out[i] = value


@cuda.jit
def never_ends(x, out):
    i = cuda.grid(1)
    while x[i] > -100:
        out[i] += 1.0


def _pair(n):
    return lambda rng: (floats(rng, n), np.zeros(n, np.float32))


def _product(rng):
    return wholes(rng, 16, 16), wholes(rng, 16, 16), np.zeros((16, 16), np.float32)


def _bins(rng):
    return rng.integers(0, 32, THREADS).astype(np.int32), np.zeros(32, np.int32)


WRONG = [
    Wrong(
        sum_into_one,
        2,
        64,
        lambda rng: (floats(rng, 128), np.zeros(1, np.float32)),
        (Expected("race", other="here", array="out", index=(0,)),),
    ),
    Wrong(histogram, 1, THREADS, _bins, (Expected("race", other="here", array="counts"),)),
    Wrong(
        all_say_yes,
        2,
        64,
        lambda rng: (floats(rng, 128), np.zeros(1, np.int32)),
        (Expected("race", other="here", array="flag", index=(0,)),),
    ),
    Wrong(blur_in_place, 2, 64, lambda rng: (floats(rng, 128),), (Expected("race", other="here", array="x"),)),
    Wrong(reverse, 1, THREADS, _pair(THREADS), (Expected("race", other="other", array="held"),), by_order=True),
    Wrong(
        matmul_no_first_barrier,
        (2, 2),
        (TILE, TILE),
        _product,
        (Expected("race", other="other", array="right"),),
        by_order=True,
    ),
    Wrong(
        matmul_no_second_barrier,
        (2, 2),
        (TILE, TILE),
        _product,
        (Expected("race", other="other", array="right"),),
    ),
    Wrong(scan_one_buffer, 1, THREADS, _pair(THREADS), (Expected("race", other="here", array="row"),)),
    Wrong(warp_tree_no_syncwarp, 1, 32, _pair(32), (Expected("race", other="other", array="cache"),)),
    Wrong(cleared_too_late, 1, THREADS, _bins, (Expected("race", other="other", array="mine"),), by_order=True),
    Wrong(
        last_block_no_fence,
        4,
        32,
        lambda rng: (rng.random(4), np.zeros(4), np.zeros(1, np.int32), np.zeros(1)),
        (Expected("race", other="other", array="partial"),),
    ),
    Wrong(
        block_to_block,
        2,
        32,
        lambda rng: (rng.random((2, 32)), np.zeros((2, 32)), np.zeros((2, 32))),
        (Expected("race", other="other", array="between"),),
    ),
    Wrong(
        sum_barrier_inside_if,
        2,
        THREADS,
        lambda rng: (rng.random(256), np.zeros(256)),
        (Expected("barrier-divergence", block=(0, 0, 0), says=("40", "128", "(40,0,0)")),),
    ),
    Wrong(
        return_before_barrier,
        2,
        64,
        lambda rng: (floats(rng, 100), np.zeros(100, np.float32)),
        (Expected("barrier-divergence", block=(1, 0, 0), count=1, says=("36", "64", "(36,0,0)")),),
    ),
    Wrong(
        barrier_on_either_side,
        1,
        64,
        _pair(64),
        (Expected("barrier-divergence", says=("32", "64", "(1,0,0)")),),
    ),
    Wrong(shuffle_half, 1, 32, _pair(32), (Expected("warp-sync", says=("16",)),)),
    Wrong(shuffle_from_idle, 1, 32, _pair(32), (Expected("warp-sync", says=("16",)),)),
    Wrong(never_ends, 1, 32, _pair(32), (Expected("budget", here=""),)),
]
