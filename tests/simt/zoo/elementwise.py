"""One thread, one element: no thread needs another."""

import math

import numpy as np
from numba import cuda, float32

from tests.simt.zoo.case import Case, floats

WEIGHTS = np.array([0.25, 0.5, 0.25], np.float32)


@cuda.jit
def vadd(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


@cuda.jit
def saxpy(alpha, x, y):
    first = cuda.grid(1)
    stride = cuda.gridsize(1)
    for i in range(first, y.size, stride):
        y[i] = alpha * x[i] + y[i]


@cuda.jit
def copy_2d(source, target):
    x, y = cuda.grid(2)
    height, width = source.shape
    if y < height and x < width:
        target[y, x] = source[y, x]


@cuda.jit
def grey(image, out):
    x, y = cuda.grid(2)
    if y < out.shape[0] and x < out.shape[1]:
        out[y, x] = (image[y, x, 0] + image[y, x, 1] + image[y, x, 2]) // 3


@cuda.jit
def fade(volume, out):
    x, y, z = cuda.grid(3)
    depth, height, width = volume.shape
    if x < width and y < height and z < depth:
        out[z, y, x] = volume[z, y, x] / (z + 1)


@cuda.jit
def waves(x, out):
    i = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x
    if i < x.size:
        angle = math.pi * x[i]
        out[i] = math.sin(angle) ** 2 + math.exp(-abs(x[i])) + abs(math.floor(4 * x[i])) + math.sqrt(abs(x[i]))


@cuda.jit
def smooth(x, out):
    weights = cuda.const.array_like(WEIGHTS)
    i = cuda.grid(1)
    if i < x.size:
        total = float32(0)
        for k in range(3):
            j = min(max(i + k - 1, 0), x.size - 1)
            total += weights[k] * x[j]
        out[i] = total


@cuda.jit
def median_of_five(x, out):
    i = cuda.grid(1)
    if i < 2 or i >= x.size - 2:
        return
    window = cuda.local.array(5, float32)
    for k in range(5):
        value = x[i + k - 2]
        j = k
        while j > 0 and window[j - 1] > value:
            window[j] = window[j - 1]
            j -= 1
        window[j] = value
    out[i] = window[2]


def make_power(exponent):
    """Build a kernel that closes over a number."""

    @cuda.jit
    def power(x, out):
        i = cuda.grid(1)
        if i < out.size:
            result = 1.0
            for _ in range(exponent):
                result *= x[i]
            out[i] = result

    return power


def _waves(x, out):
    x = x.astype(np.float64)
    return {1: np.sin(np.pi * x) ** 2 + np.exp(-abs(x)) + abs(np.floor(4 * x)) + np.sqrt(abs(x))}


def _smooth(x, out):
    padded = np.pad(x.astype(np.float64), 1, mode="edge")
    return {1: np.convolve(padded, WEIGHTS.astype(np.float64), mode="valid")}


def _median(x, out):
    out[2:-2] = [np.median(x[i - 2 : i + 3]) for i in range(2, x.size - 2)]
    return {1: out}


CASES = [
    Case(
        vadd,
        4,
        256,
        lambda rng: (floats(rng, 1000), floats(rng, 1000), np.zeros(1000, np.float32)),
        lambda a, b, c: {2: a + b},
    ),
    Case(
        saxpy,
        2,
        64,
        lambda rng: (2.5, floats(rng, 1001), floats(rng, 1001)),
        lambda alpha, x, y: {2: alpha * x.astype(np.float64) + y},
        rtol=1e-5,
    ),
    Case(
        copy_2d,
        (3, 4),
        (16, 8),
        lambda rng: (floats(rng, 30, 41), np.zeros((30, 41), np.float32)),
        lambda source, target: {1: source},
    ),
    Case(
        grey,
        (2, 2),
        (16, 16),
        lambda rng: (rng.integers(0, 256, (20, 30, 3)).astype(np.uint8), np.zeros((20, 30), np.uint8)),
        lambda image, out: {1: image.astype(int).sum(axis=2) // 3},
    ),
    Case(
        fade,
        (2, 2, 2),
        (8, 4, 2),
        lambda rng: (floats(rng, 3, 7, 11), np.zeros((3, 7, 11), np.float32)),
        lambda volume, out: {1: (volume / np.arange(1.0, 4.0)[:, None, None]).astype(np.float32)},
        rtol=1e-6,
    ),
    Case(
        waves,
        3,
        128,
        lambda rng: (floats(rng, 300), np.zeros(300, np.float64)),
        _waves,
        rtol=1e-6,
    ),
    Case(smooth, 2, 64, lambda rng: (floats(rng, 100), np.zeros(100, np.float32)), _smooth, rtol=1e-4),
    Case(median_of_five, 2, 64, lambda rng: (floats(rng, 100), np.zeros(100, np.float32)), _median),
    Case(
        make_power(3),
        2,
        64,
        lambda rng: (floats(rng, 100), np.zeros(100)),
        lambda x, out: {1: x.astype(np.float64) ** 3},
        rtol=1e-12,
    ),
]
