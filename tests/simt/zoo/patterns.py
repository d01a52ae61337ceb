"""Counting, scanning, compacting: atomics, and orders that only fences make."""

import numpy as np
from numba import cuda, float64, int32, int64

from tests.simt.zoo.case import Case, wholes

BINS = 32
THREADS = 64


@cuda.jit
def histogram(x, counts):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        cuda.atomic.add(counts, x[i], 1)


@cuda.jit
def histogram_private(x, counts):
    mine = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    if t < BINS:
        mine[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        cuda.atomic.add(mine, x[i], 1)
    cuda.syncthreads()
    if t < BINS:
        cuda.atomic.add(counts, t, mine[t])


@cuda.jit
def scan(x, out):
    rows = cuda.shared.array((2, THREADS), int64)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    now = 0
    rows[now, t] = x[i]
    cuda.syncthreads()
    step = 1
    while step < THREADS:
        if t >= step:
            rows[1 - now, t] = rows[now, t] + rows[now, t - step]
        else:
            rows[1 - now, t] = rows[now, t]
        now = 1 - now
        step *= 2
        cuda.syncthreads()
    out[i] = rows[now, t]


@cuda.jit
def compact(x, limit, counter, out):
    i = cuda.grid(1)
    if i < x.size and x[i] > limit:
        slot = cuda.atomic.add(counter, 0, 1)
        out[slot] = x[i]


@cuda.jit
def extremes(x, out):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.min(out, 0, x[i])
        cuda.atomic.max(out, 1, x[i])


@cuda.jit
def dot(x, y, out):
    total = 0.0
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        total += x[i] * y[i]
    cuda.atomic.add(out, 0, total)


@cuda.jit
def sum_last_block(x, partial, ticket, out):
    cache = cuda.shared.array(THREADS, float64)
    last = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    cache[t] = x[i] if i < x.size else 0.0
    cuda.syncthreads()
    step = THREADS // 2
    while step > 0:
        if t < step:
            cache[t] += cache[t + step]
        cuda.syncthreads()
        step //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = cache[0]
        cuda.threadfence()
        arrived = cuda.atomic.add(ticket, 0, 1)
        last[0] = 1 if arrived == cuda.gridDim.x - 1 else 0
    cuda.syncthreads()
    if last[0] == 1:
        cache[t] = partial[t] if t < cuda.gridDim.x else 0.0
        cuda.syncthreads()
        if t == 0:
            total = 0.0
            for k in range(cuda.gridDim.x):
                total += cache[k]
            out[0] = total


@cuda.jit
def best_under_lock(x, lock, best):
    if cuda.threadIdx.x == 0:
        block = cuda.blockIdx.x
        while cuda.atomic.cas(lock, 0, 0, 1) != 0:
            pass
        cuda.threadfence()
        if x[block] > best[0]:
            best[0] = x[block]
            best[1] = block
        cuda.threadfence()
        cuda.atomic.exch(lock, 0, 0)


def _bins(rng):
    return rng.integers(0, BINS, 1000).astype(np.int32), np.zeros(BINS, np.int32)


def _counts(x, counts):
    return {1: np.bincount(x, minlength=BINS)}


def _compact(x, limit, counter, out):
    kept = x[x > limit]
    out[: kept.size] = kept
    return {2: [kept.size], 3: out}


CASES = [
    Case(histogram, 3, THREADS, _bins, _counts),
    Case(histogram_private, 3, THREADS, _bins, _counts),
    Case(
        scan,
        3,
        THREADS,
        lambda rng: (rng.integers(-9, 9, 192), np.zeros(192, np.int64)),
        lambda x, out: {1: x.reshape(3, THREADS).cumsum(axis=1).ravel()},
    ),
    Case(
        compact,
        3,
        THREADS,
        lambda rng: (rng.permutation(180) + 1, 100, np.zeros(1, np.int32), np.zeros(180, np.int64)),
        _compact,
        unordered=(3,),
    ),
    Case(
        extremes,
        3,
        THREADS,
        lambda rng: (rng.integers(-999, 999, 150).astype(np.int32), np.array([9999, -9999], np.int32)),
        lambda x, out: {1: [x.min(), x.max()]},
    ),
    Case(
        dot,
        2,
        THREADS,
        lambda rng: (wholes(rng, 1000, dtype=np.float64), wholes(rng, 1000, dtype=np.float64), np.zeros(1)),
        lambda x, y, out: {2: [x @ y]},
    ),
    Case(
        sum_last_block,
        5,
        THREADS,
        lambda rng: (wholes(rng, 310, dtype=np.float64), np.zeros(5), np.zeros(1, np.int32), np.zeros(1)),
        lambda x, partial, ticket, out: {
            1: np.pad(x, (0, 10)).reshape(5, THREADS).sum(axis=1),
            2: [5],
            3: [x.sum()],
        },
    ),
    Case(
        best_under_lock,
        6,
        32,
        lambda rng: (rng.permutation(6) + 1.0, np.zeros(1, np.int32), np.zeros(2)),
        lambda x, lock, best: {2: [x.max(), x.argmax()]},
    ),
]
