"""Blocks whose threads work together through shared memory and barriers."""

import numpy as np
from numba import cuda, float32, float64, int64

from tests.simt.zoo.case import Case, floats, wholes

TILE = 16
PADDED = TILE + 1
THREADS = 128
RADIUS = 3
WITH_HALO = THREADS + 2 * RADIUS


@cuda.jit
def matmul(a, b, c):
    x, y = cuda.grid(2)
    if y < c.shape[0] and x < c.shape[1]:
        total = float32(0)
        for k in range(a.shape[1]):
            total += a[y, k] * b[k, x]
        c[y, x] = total


@cuda.jit
def matmul_tiled(a, b, c):
    left = cuda.shared.array((TILE, TILE), float32)
    right = cuda.shared.array((TILE, TILE), float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    x, y = cuda.grid(2)
    total = float32(0)
    for tile in range((a.shape[1] + TILE - 1) // TILE):
        column = tile * TILE + tx
        row = tile * TILE + ty
        left[ty, tx] = a[y, column] if y < a.shape[0] and column < a.shape[1] else float32(0)
        right[ty, tx] = b[row, x] if row < b.shape[0] and x < b.shape[1] else float32(0)
        cuda.syncthreads()
        for k in range(TILE):
            total += left[ty, k] * right[k, tx]
        cuda.syncthreads()
    if y < c.shape[0] and x < c.shape[1]:
        c[y, x] = total


@cuda.jit
def transpose(a, b):
    x, y = cuda.grid(2)
    if y < a.shape[0] and x < a.shape[1]:
        b[x, y] = a[y, x]


@cuda.jit
def transpose_tiled(a, b):
    tile = cuda.shared.array((TILE, TILE), float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    x, y = cuda.grid(2)
    if y < a.shape[0] and x < a.shape[1]:
        tile[ty, tx] = a[y, x]
    cuda.syncthreads()
    x = cuda.blockIdx.y * TILE + tx
    y = cuda.blockIdx.x * TILE + ty
    if y < b.shape[0] and x < b.shape[1]:
        b[y, x] = tile[tx, ty]


@cuda.jit
def transpose_padded(a, b):
    tile = cuda.shared.array((32, 33), float32)
    tx = cuda.threadIdx.x
    column = cuda.blockIdx.x * 32 + tx
    for ty in range(cuda.threadIdx.y, 32, cuda.blockDim.y):
        row = cuda.blockIdx.y * 32 + ty
        if row < a.shape[0] and column < a.shape[1]:
            tile[ty, tx] = a[row, column]
    cuda.syncthreads()
    column = cuda.blockIdx.y * 32 + tx
    for ty in range(cuda.threadIdx.y, 32, cuda.blockDim.y):
        row = cuda.blockIdx.x * 32 + ty
        if row < b.shape[0] and column < b.shape[1]:
            b[row, column] = tile[tx, ty]


@cuda.jit
def stencil(x, out):
    near = cuda.shared.array(WITH_HALO, float32)
    i = cuda.grid(1)
    here = cuda.threadIdx.x + RADIUS
    near[here] = x[i] if i < x.size else float32(0)
    if cuda.threadIdx.x < RADIUS:
        before = i - RADIUS
        after = i + THREADS
        near[here - RADIUS] = x[before] if before >= 0 else float32(0)
        near[here + THREADS] = x[after] if after < x.size else float32(0)
    cuda.syncthreads()
    if i < x.size:
        total = float32(0)
        for offset in range(-RADIUS, RADIUS + 1):
            total += near[here + offset]
        out[i] = total


@cuda.jit
def block_sums(x, out):
    cache = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    cache[t] = x[i] if i < x.size else float32(0)
    cuda.syncthreads()
    step = THREADS // 2
    while step > 0:
        if t < step:
            cache[t] += cache[t + step]
        cuda.syncthreads()
        step //= 2
    if t == 0:
        out[cuda.blockIdx.x] = cache[0]


@cuda.jit
def reverse_blocks(x, out):
    held = cuda.shared.array(0, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    held[t] = x[i]
    cuda.syncthreads()
    out[i] = held[cuda.blockDim.x - 1 - t]


@cuda.jit
def two_on_a_line(x, out):
    first, second = cuda.shared.array(64, float64), cuda.shared.array(64, float64)
    t = cuda.threadIdx.x
    first[t] = x[t]
    second[t] = 10 * x[t]
    cuda.syncthreads()
    out[t] = first[63 - t] + second[t]


@cuda.jit
def sums_of_48(x, out):
    held = cuda.shared.array((2, 24), int64)
    t = cuda.threadIdx.x
    held[t // 24, t % 24] = x[cuda.grid(1)]
    cuda.syncthreads()
    if t % 24 == 0:
        total = 0
        for k in range(24):
            total += held[t // 24, k]
        out[cuda.blockIdx.x, t // 24] = total


def _tail(x, threads):
    blocks = -(-x.size // threads)
    return np.pad(x, (0, blocks * threads - x.size)).reshape(blocks, threads)


def _product(rng, n=37, k=29, m=45):
    return wholes(rng, n, k), wholes(rng, k, m), np.zeros((n, m), np.float32)


def _matrix(rng, height=50, width=70):
    return floats(rng, height, width), np.zeros((width, height), np.float32)


CASES = [
    Case(matmul, (3, 3), (16, 16), _product, lambda a, b, c: {2: a @ b}),
    Case(matmul_tiled, (3, 3), (TILE, TILE), _product, lambda a, b, c: {2: a @ b}),
    Case(transpose, (5, 4), (16, 16), _matrix, lambda a, b: {1: a.T}),
    Case(transpose_tiled, (5, 4), (TILE, TILE), _matrix, lambda a, b: {1: a.T}),
    Case(transpose_padded, (3, 2), (32, 8), _matrix, lambda a, b: {1: a.T}),
    Case(
        stencil,
        4,
        THREADS,
        lambda rng: (wholes(rng, 500), np.zeros(500, np.float32)),
        lambda x, out: {1: np.convolve(x, np.ones(2 * RADIUS + 1, np.float32), mode="same")},
    ),
    Case(
        block_sums,
        4,
        THREADS,
        lambda rng: (wholes(rng, 500), np.zeros(4, np.float32)),
        lambda x, out: {1: _tail(x, THREADS).sum(axis=1)},
    ),
    Case(
        reverse_blocks,
        3,
        64,
        lambda rng: (floats(rng, 192), np.zeros(192, np.float32)),
        lambda x, out: {1: x.reshape(3, 64)[:, ::-1].ravel()},
        shared_bytes=64 * 4,
    ),
    Case(
        two_on_a_line,
        1,
        64,
        lambda rng: (rng.random(64), np.zeros(64)),
        lambda x, out: {1: x[::-1] + 10 * x},
        rtol=1e-15,
    ),
    Case(
        sums_of_48,
        3,
        48,
        lambda rng: (rng.integers(-99, 99, 144), np.zeros((3, 2), np.int64)),
        lambda x, out: {1: x.reshape(3, 2, 24).sum(axis=2)},
    ),
]
