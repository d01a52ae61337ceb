"""A variable has one type where paths meet, whichever path a thread took."""

import numpy as np
import pytest
from numba import cuda

from utils import connect, simt
from utils.simt.launch import accept

ALL = ("lockstep", "ascending", "descending")
LARGE = 2**53 + 1  # an integer that float64 does not hold


@pytest.fixture(autouse=True, scope="module")
def device():
    return connect()


@cuda.jit
def one_arm(flag, out):
    i = cuda.grid(1)
    x = LARGE
    if flag[i]:
        x = 0.5
    out[i] = x - 1


@cuda.jit
def both_arms(flag, out):
    i = cuda.grid(1)
    if flag[i]:  # noqa: SIM108
        x = LARGE
    else:
        x = 0.5
    out[i] = x - 1


@cuda.jit
def loop_header(flag, out):
    i = cuda.grid(1)
    x = LARGE
    seen = 0
    for _ in range(flag[i] + 1):
        seen = x - 1
        x = x * 1.0
    out[i] = seen


@cuda.jit
def while_loop(flag, out):
    i = cuda.grid(1)
    x = LARGE
    k = 0
    while k < flag[i]:
        x = 0.5
        k += 1
    out[i] = x - 1


@cuda.jit
def conditional(flag, out):
    i = cuda.grid(1)
    out[i] = (LARGE if flag[i] else 0.5) - 1


@pytest.mark.parametrize(
    ("kernel", "schedule"),
    [(kernel, "lockstep") for kernel in (one_arm, both_arms, conditional)]
    + [(kernel, schedule) for kernel in (loop_header, while_loop) for schedule in ALL],
)
def test_an_integer_that_meets_a_float_is_a_float(kernel, schedule):
    """Does the type of a variable depend on the path that a thread took?"""
    flag, out = np.array([0, 1, 0, 1]), np.zeros(4, np.int64)
    simt.profile(kernel, 1, 4, flag, out, schedule=schedule)
    assert LARGE - 1 not in out.tolist()  # what an int64 would have given; a float64 holds LARGE as LARGE - 1
    assert set(out.tolist()) <= {LARGE - 2, 0}


def test_an_integer_that_stays_one_is_exact():
    @cuda.jit
    def integers(flag, out):
        i = cuda.grid(1)
        x = LARGE
        if flag[i]:
            x = 3
        out[i] = x - 1

    out = np.zeros(2, np.int64)
    simt.profile(integers, 1, 2, np.array([0, 1]), out)
    assert out.tolist() == [LARGE - 1, 2]


def inferred(kernel, *args):
    return accept(kernel, 1, 4, args).infer()


def test_inference_runs_no_access():
    flag, out = np.array([0, 1, 0, 1]), np.zeros(4, np.int64)
    made = inferred(one_arm, flag, out)
    assert not out.any() and made.written == {"out"}


def test_without_lanes_nothing_is_out_of_bounds_and_no_loop_is_endless():
    @cuda.jit
    def wild(a):
        while True:
            a[99] = a[-5]

    assert inferred(wild, np.zeros(1)).written == {"a"}


def test_a_type_error_comes_out_before_anything_is_stored():
    """Is code that no thread reaches checked, too, as a compiler does?"""

    @cuda.jit
    def unreached(a):
        a[0] = 1.0
        if a[0] > 5:
            a[0] = (1, 2)

    a = np.zeros(1)
    with pytest.raises(simt.KernelTypeError, match="a tuple of 2"):
        simt.profile(unreached, 1, 1, a)
    assert a[0] == 0


def test_what_is_known_is_kept_for_each_set_of_types():
    launches = [accept(one_arm, 1, 4, (np.zeros(4, kind), np.zeros(4))) for kind in ("int64", "int64", "bool")]
    first, again, other = (launch.infer() for launch in launches)
    assert first is again and first is not other


def test_device_functions_and_atomics_count_as_writing():
    @cuda.jit(device=True)
    def fill(a):
        a[0] = 1

    @cuda.jit
    def calls(a, b, c):
        fill(a)
        cuda.atomic.add(b, 0, c[0])

    assert inferred(calls, np.zeros(1), np.zeros(1), np.zeros(1)).written >= {"a", "b"}
    assert "c" not in inferred(calls, np.zeros(1), np.zeros(1), np.zeros(1)).written
