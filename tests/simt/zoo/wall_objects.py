"""Objects that act when touched: in a kernel's free names, behind a built-in name, around a definition."""

# ruff: noqa: SIM115

import numpy as np
from numba import cuda

from tests.simt.zoo import wall_syntax
from tests.simt.zoo.wall import FORBIDDEN, LOG, PATH, forbidden, touch, touching


class Loud:
    """Every way to use it leaves a trace."""

    def _say(self, *_):
        LOG.append("used")
        return 1

    __call__ = __getitem__ = __setitem__ = __index__ = __int__ = __bool__ = __len__ = __add__ = __radd__ = _say
    __eq__ = __lt__ = __gt__ = __mul__ = __rmul__ = __array__ = _say
    value = property(_say)

    def __iter__(self):
        LOG.append("iterated")
        return iter(())


class LoudInt(int):
    """A whole number whose arithmetic leaves a trace."""

    def _say(self, *_):
        LOG.append("counted")
        return 1

    __add__ = __radd__ = __mul__ = __rmul__ = __index__ = __int__ = __float__ = __lt__ = __gt__ = _say


class LoudArray(np.ndarray):
    """An array whose use leaves a trace."""

    def _say(self, *_, **__):
        LOG.append("indexed")
        return np.float32(1)

    __getitem__ = __array_ufunc__ = __array_function__ = _say


LOUD = Loud()
LOUD_INT = LoudInt(2)
LOUD_ARRAY = np.zeros(4, np.float32).view(LoudArray)


@forbidden
@cuda.jit
def add_object(x, out):
    out[0] = LOUD + 1  # <- here


@forbidden
@cuda.jit
def test_object(x, out):
    if LOUD:  # <- here
        out[0] = 1.0


@forbidden
@cuda.jit
def index_by_object(x, out):
    out[LOUD] = 1.0  # <- here


@forbidden
@cuda.jit
def iterate_object(x, out):
    for k in LOUD:  # <- here
        out[k] = 1.0


@forbidden
@cuda.jit
def read_property(x, out):
    out[0] = LOUD.value  # <- here


@forbidden
@cuda.jit
def compare_object(x, out):
    if LOUD == 1:  # <- here
        out[0] = 1.0


@forbidden
@cuda.jit
def range_of_object(x, out):
    for k in range(LOUD):  # <- here
        out[k] = 1.0


@cuda.jit
def add_loud_int(x, out):
    out[LOUD_INT] = x[0] + LOUD_INT


@cuda.jit
def read_loud_array(x, out):
    out[0] = LOUD_ARRAY[1]


@cuda.jit
def constant_loud_array(x, out):
    held = cuda.const.array_like(LOUD_ARRAY)
    out[0] = held[1]


def make_shadowed():
    """Build kernels behind whose well-known names something else stands."""
    range = abs = math = LOUD
    min = touch

    @cuda.jit
    def shadowed_range(x, out):
        for k in range(3):  # <- here
            out[k] = 1.0

    @cuda.jit
    def shadowed_abs(x, out):
        out[0] = abs(x[0])  # <- here

    @cuda.jit
    def shadowed_min(x, out):
        out[0] = min(x[0], x[1])  # <- here

    @cuda.jit
    def shadowed_module(x, out):
        out[0] = math.value  # <- here

    return shadowed_range, shadowed_abs, shadowed_min, shadowed_module


@cuda.jit(device=True)
def write_file(value):
    open(PATH, "w").write("x")  # <- here
    return value


@cuda.jit
def call_device_function(x, out):
    out[0] = write_file(x[0])


@cuda.jit
def default_calls(x, out, scale=touch(2.0)):  # noqa: B008
    out[0] = x[0]


@touching
@cuda.jit
def decorated(x, out):
    out[0] = x[0]


@touching
def decorated_plain(x, out):
    out[0] = x[0]


@cuda.jit
def annotated(x: touch(), out: touch()) -> touch():
    inside: touch() = x[0]
    out[0] = inside


for kernel in (add_loud_int, read_loud_array, constant_loud_array, decorated, decorated_plain, annotated):
    forbidden(kernel, refused=False)
for kernel in make_shadowed():
    forbidden(kernel)
LOG.clear()  # what definitions do, Python itself has done by now

__all__ = ["FORBIDDEN", "call_device_function", "default_calls", "wall_syntax", "write_file"]
