"""Kernels of what else Numba's CUDA target has: bits, vectors, records, half precision, and more."""

import cmath
import enum
import math
import operator
from typing import NamedTuple

import numpy as np
from numba import cuda, float32, int32, uint64

RECORD = np.dtype([("count", np.int32), ("weight", np.float32), ("parts", np.float32, (3,))], align=True)


class Colour(enum.Enum):
    RED = "r"
    GREEN = "g"


class Level(enum.IntEnum):
    LOW = 3
    HIGH = 7


class Pair(NamedTuple):
    first: np.ndarray
    scale: float


@cuda.jit
def bits(x, out):
    i = cuda.grid(1)
    out[0, i] = cuda.popc(x[i])
    out[1, i] = cuda.clz(x[i])
    out[2, i] = cuda.ffs(x[i])
    out[3, i] = cuda.brev(x[i])
    out[4, i] = cuda.selp(x[i] > 5, int32(1), int32(2))


@cuda.jit
def halves(a, b, out):
    i = cuda.grid(1)
    out[0, i] = cuda.fp16.hadd(a[i], b[i])
    out[1, i] = cuda.fp16.hfma(a[i], b[i], a[i])
    out[2, i] = a[i] * b[i]
    out[3, i] = cuda.fp16.hsqrt(a[i])
    out[4, i] = cuda.fp16.hlt(a[i], b[i])


@cuda.jit
def vectors(x, out):
    i = cuda.grid(1)
    pair = cuda.float2(x[i], 1)
    four = cuda.float32x4(pair, pair)
    if i % 2 == 0:
        four = cuda.float32x4(1, 2, 3, 4)
    out[i] = four.x + 10 * four.y + 100 * four.z + 1000 * four.w


@cuda.jit
def fields(records, out):
    i = cuda.grid(1)
    mine = records[i]
    mine.count += 1
    records[i]["weight"] = mine.weight * 2
    mine.parts[1] = i
    out[i] = mine["count"] + mine.parts[1]


@cuda.jit
def copied_records(records):
    i = cuda.grid(1)
    if i < records.size // 2:
        records[i] = records[records.size - 1 - i]


@cuda.jit
def past_the_records(records):
    records[cuda.grid(1)].count = 1


@cuda.jit
def racing_field(records):
    records[0].count = cuda.grid(1)


@cuda.jit(device=True)
def applied(operation, change, x, y):
    return operation(change(x), y)


@cuda.jit(device=True)
def doubled(x):
    return x * 2


@cuda.jit
def functions_as_arguments(x, out):
    i = cuda.grid(1)
    out[i] = applied(operator.add, doubled, x[i], 1) + applied(operator.mul, int32, x[i], 3)


@cuda.jit(device=True)
def tile_of(size, kind, x, i):
    tile = cuda.local.array(size, kind)
    for k in range(size):
        tile[k] = x[i] + k
    return tile[size - 1]


@cuda.jit
def shapes_as_arguments(x, out):
    i = cuda.grid(1)
    out[i] = tile_of(4, float32, x, i)


@cuda.jit
def iterations(x, y, out):
    i = cuda.grid(1)
    total = 0
    for k, (a, b) in enumerate(zip(x, y)):  # noqa: B905
        total += k * a + b
    for k in range(2):
        total += k
    out[i] = total


@cuda.jit
def enumerations(which, out):
    i = cuda.grid(1)
    chosen = Colour.RED if which[i] > 0 else Colour.GREEN
    out[i] = (chosen == Colour["RED"]) * 10 + Level.HIGH + (chosen is Colour.GREEN)


@cuda.jit
def tuples(pair, several, out):
    i = cuda.grid(1)
    out[i] = pair.first[i] * pair.scale + several[0][i] + several[1][1]


@cuda.jit
def complex_numbers(z, out):
    i = cuda.grid(1)
    out[i] = cmath.exp(z[i]).conjugate() + complex(z.real[i], 1.0) + cmath.sqrt(z[i])


@cuda.jit
def raising(x, out):
    i = cuda.grid(1)
    if x[i] < 0:
        raise ValueError("negative")
    assert x[i] != 3, "three"
    out[i] = math.sqrt(x[i])


@cuda.jit(debug=True, opt=False)
def raising_loudly(x):
    if x[cuda.grid(1)] < 0:
        raise ValueError("negative")


@cuda.jit
def printing(x):
    i = cuda.grid(1)
    if i % 2 == 1:
        print("thread", i, x[i])


@cuda.jit
def whole_arrays(a, b, out):
    out[:] = 1
    np.maximum(a, b, out)


@cuda.jit
def grid_sync(x, out):
    i = cuda.grid(1)
    group = cuda.cg.this_grid()
    x[i] = i
    group.sync()
    out[i] = x[x.size - 1 - i]


@cuda.jit
def matches(x, out):
    i = cuda.grid(1)
    out[0, i] = cuda.match_any_sync(0xFFFFFFFF, x[i])
    mask, alike = cuda.match_all_sync(0xFFFFFFFF, x[i])
    out[1, i] = mask + alike
    out[2, i] = cuda.lanemask_lt()


@cuda.jit
def atomics(x, values, best):
    i = cuda.grid(1)
    cuda.atomic.nanmax(best, 0, values[i])
    cuda.atomic.max(best, 1, values[i])
    cuda.atomic.compare_and_swap(x, -1, i)


def declared():
    """Return a kernel with a signature, which before `connect` would be compiled at once."""

    @cuda.jit("void(int32[:], uint8)")
    def kernel(out, x):
        out[0] = x

    return kernel


@cuda.jit
def days(start, end, out):
    i = cuda.grid(1)
    out[i] = end[i] - start[i]


@cuda.jit
def texts(out):
    out[cuda.grid(1)] = "abc"


@cuda.jit
def generator(seed, out):
    s0 = uint64(seed[0])
    out[0] = (s0 ^ (s0 >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)


def made_by_exec():
    """Return a kernel whose text is a string."""
    space = {"cuda": cuda}
    exec("def kernel(out):\n    out[cuda.grid(1)] = 7\n", space)
    return cuda.jit(space["kernel"])


@cuda.jit(device=True)
def called(function, *values):
    return function(*values)


@cuda.jit(device=True)
def with_functions_inside(x, factor=3):
    base = 10

    def scaled(y, times=2):
        return y * times + base + factor_of(y)

    def factor_of(y):
        return y % 2

    return scaled(x, 5) * factor + called(handed, x)


@cuda.jit(device=True)
def handed(x):
    base = 100

    def add(y):
        return base + y

    return called(add, x)


@cuda.jit
def closures(x, out):
    i = cuda.grid(1)
    out[i] = with_functions_inside(x[i])


@cuda.jit
def any_atomic(x):
    cuda.atomic.add(x, 0, 1)
