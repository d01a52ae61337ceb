"""Warps whose lanes trade values in registers, and votes of warps and blocks."""

import numpy as np
from numba import cuda, float32, int32

from tests.simt.zoo.case import Case, floats, wholes

FULL = 0xFFFFFFFF
THREADS = 128
WARPS = THREADS // 32


@cuda.jit
def warp_sum(x, out):
    i = cuda.grid(1)
    value = x[i] if i < x.size else float32(0)
    offset = 16
    while offset > 0:
        value += cuda.shfl_down_sync(FULL, value, offset)
        offset //= 2
    if cuda.laneid == 0:
        cuda.atomic.add(out, 0, value)


@cuda.jit
def block_sum_by_shuffles(x, out):
    sums = cuda.shared.array(WARPS, float32)
    t = cuda.threadIdx.x
    value = x[cuda.grid(1)]
    for shift in range(5):
        value += cuda.shfl_xor_sync(FULL, value, 1 << shift)
    if t % 32 == 0:
        sums[t // 32] = value
    cuda.syncthreads()
    if t == 0:
        total = float32(0)
        for k in range(WARPS):
            total += sums[k]
        out[cuda.blockIdx.x] = total


@cuda.jit
def warp_scan(x, out):
    i = cuda.grid(1)
    lane = cuda.laneid
    value = x[i]
    step = 1
    while step < 32:
        other = cuda.shfl_up_sync(FULL, value, step)
        if lane >= step:
            value += other
        step *= 2
    out[i] = value


@cuda.jit
def from_first_lane(x, out):
    i = cuda.grid(1)
    first = cuda.shfl_sync(FULL, x[i], 0)
    out[i] = x[i] - first


@cuda.jit
def ballots(x, out):
    i = cuda.grid(1)
    out[i] = cuda.ballot_sync(FULL, x[i] > 0) & FULL


@cuda.jit
def votes(x, out):
    i = cuda.grid(1)
    warp = i // 32
    some = cuda.any_sync(FULL, x[i] == 3)
    every = cuda.all_sync(FULL, x[i] < 8)
    same = cuda.eq_sync(FULL, x[i] > -9)
    if cuda.laneid == 0:
        out[warp, 0] = some
        out[warp, 1] = every
        out[warp, 2] = same


@cuda.jit
def block_votes(x, out):
    i = cuda.grid(1)
    block = cuda.blockIdx.x
    many = cuda.syncthreads_count(int32(x[i] > 0))
    every = cuda.syncthreads_and(int32(x[i] < 8))
    some = cuda.syncthreads_or(int32(x[i] == 8))
    if cuda.threadIdx.x == 0:
        out[block, 0] = many
        out[block, 1] = 1 if every else 0
        out[block, 2] = 1 if some else 0


@cuda.jit
def warp_tree(x, out):
    cache = cuda.shared.array(32, int32)
    lane = cuda.threadIdx.x
    cache[lane] = x[cuda.grid(1)]
    cuda.syncwarp()
    step = 16
    while step > 0:
        if lane < step:
            cache[lane] += cache[lane + step]
        cuda.syncwarp()
        step //= 2
    if lane == 0:
        out[cuda.blockIdx.x] = cache[0]


def _ballots(x, out):
    bits = (x.reshape(-1, 32) > 0) << np.arange(32, dtype=np.int64)
    return {1: np.repeat(bits.sum(axis=1), 32)}


def _votes(x, out):
    warps = x.reshape(-1, 32)
    return {1: np.stack([(warps == 3).any(axis=1), (warps < 8).all(axis=1), np.ones(len(warps))], axis=1)}


def _block_votes(x, out):
    rows = x.reshape(-1, THREADS)
    return {1: np.stack([(rows > 0).sum(axis=1), (rows < 8).all(axis=1), (rows == 8).any(axis=1)], axis=1)}


CASES = [
    Case(
        warp_sum,
        3,
        THREADS,
        lambda rng: (wholes(rng, 300), np.zeros(1, np.float32)),
        lambda x, out: {1: [x.sum()]},
    ),
    Case(
        block_sum_by_shuffles,
        3,
        THREADS,
        lambda rng: (wholes(rng, 3 * THREADS), np.zeros(3, np.float32)),
        lambda x, out: {1: x.reshape(3, THREADS).sum(axis=1)},
    ),
    Case(
        warp_scan,
        2,
        64,
        lambda rng: (wholes(rng, 128, dtype=np.int64), np.zeros(128, np.int64)),
        lambda x, out: {1: x.reshape(-1, 32).cumsum(axis=1).ravel()},
    ),
    Case(
        from_first_lane,
        2,
        64,
        lambda rng: (floats(rng, 128), np.zeros(128, np.float32)),
        lambda x, out: {1: x - np.repeat(x[::32], 32)},
    ),
    Case(ballots, 2, 64, lambda rng: (wholes(rng, 128, dtype=np.int32), np.zeros(128, np.int64)), _ballots),
    Case(votes, 3, 64, lambda rng: (wholes(rng, 192, dtype=np.int32), np.zeros((6, 3), np.int32)), _votes),
    Case(
        block_votes,
        2,
        THREADS,
        lambda rng: (wholes(rng, 2 * THREADS, dtype=np.int32), np.zeros((2, 3), np.int32)),
        _block_votes,
    ),
    Case(
        warp_tree,
        4,
        32,
        lambda rng: (wholes(rng, 128, dtype=np.int32), np.zeros(4, np.int32)),
        lambda x, out: {1: x.reshape(4, 32).sum(axis=1)},
    ),
]
