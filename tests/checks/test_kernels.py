"""Kernels, right and wrong in known ways, on the simulated GPU: points and sentences."""

import numba
import numpy as np
import pytest
from numba import cuda

from tests.checks.helpers import case, quietly, saxpy, saxpy_reference, sector_gate
from utils.checks import Case, Expected, check_kernel, unwritten


def check(kernel, **options):
    """Make the saxpy check: 3 points, of which a gate has 1."""
    cases = options.pop("cases", [case(1000), case(257)])
    return check_kernel(kernel, saxpy_reference, cases, **{"points": 3, "ops": 2} | options)


def test_a_right_kernel_earns_everything():
    points, shown = quietly(
        check(saxpy, gates=[sector_gate()], cases=[case(1000), case(0), case(1), case(257)])
    )
    assert points == 3.0 and type(points) is float
    assert "saxpy: 3 of 3 points" in shown and "wrong" not in shown


@cuda.jit
def unguarded(out, a, x, y):
    i = cuda.grid(1)
    out[i] = a * x[i] + y[i]


@cuda.jit
def racy(out, a, x, y):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a * x[i] + y[i]
        out[0] = a * x[0] + y[0]


@cuda.jit
def diverging(out, a, x, y):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a * x[i] + y[i]
        if cuda.threadIdx.x < 40:
            cuda.syncthreads()


@cuda.jit
def uninitialised(out, a, x, y):
    tile = cuda.shared.array(64, numba.float32)
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a * x[i] + y[i] + 0 * tile[cuda.threadIdx.x]


@cuda.jit
def spoiling(out, a, x, y):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a * x[i] + y[i]
        x[i] = 0


@cuda.jit
def undefined(out, a, x, y):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a * x[i] + z[i]  # noqa: F821


@cuda.jit
def calling_numpy(out, a, x, y):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = np.sort(x)[i]


@pytest.mark.parametrize(
    ("kernel", "kind", "words"),
    [
        (unguarded, "out-of-bounds", "writes out[1000], which ends at 999 (24 threads do)"),
        (racy, "race", "writes out[0], which thread"),
        (diverging, "barrier-divergence", "40 of 64 threads"),
        (uninitialised, "uninitialised-read", "tile[0]"),
        (spoiling, "read-only-write", "x[0]"),
        (undefined, "not-on-gpu", "name 'z' is not defined"),
        (calling_numpy, "not-on-gpu", "np.sort does not exist in a kernel"),
    ],
)
def test_a_finding_loses_the_points_and_speaks_once(kernel, kind, words):
    points, shown = quietly(check(kernel))
    assert points == 0.0
    assert f"{kind}: line" in shown and words in shown
    assert shown.count(words) == 1
    assert "still hold" not in shown
    assert "Traceback" not in shown


@cuda.jit
def strided(out, a, x, y):
    i = cuda.grid(1)
    j = (i * 32) % 1024 + (i * 32) // 1024
    if j < out.size:
        out[j] = a * x[j] + y[j]


def test_a_right_but_naive_kernel_keeps_its_result_points():
    one = case(1024)
    points, shown = quietly(check(strided, cases=[one], gates=[sector_gate()]))
    assert points == 2.0
    assert "yours 32, ideal 4, gate 5 or less" in shown
    assert "costs most" in shown and "32 neighbours lie in 4 sectors." in shown


@cuda.jit
def idle(out, a, x, y):
    pass


def test_a_kernel_that_does_nothing_earns_nothing():
    points, shown = quietly(check(idle, cases=[case(0), case(100)], gates=[sector_gate()]))
    assert points == 0.0
    assert "They still hold what they held before." in shown


@cuda.jit
def endless(out, a, x, y):
    while a > 0:
        out[0] = 1


def test_a_launch_that_does_not_end_stops_the_check(monkeypatch):
    monkeypatch.setattr("utils.simt.budget.LIMIT", 100_000)
    points, shown = quietly(check(endless, cases=[case(32), case(33), case(34)]))
    assert points == 0.0
    assert shown.count("not run ") == 2


@cuda.jit
def starter(out, a, x, y):
    raise NotImplementedError


@cuda.jit(device=True)
def unwritten_part(a, x, y):
    raise NotImplementedError


@cuda.jit
def half_written(out, a, x, y):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = unwritten_part(a, x[i], y[i])


@pytest.mark.parametrize(
    ("kernel", "words"), [(starter, "in place of line"), (half_written, "of unwritten_part")]
)
def test_a_starter_earns_nothing_and_hears_one_sentence(kernel, words):
    points, shown = quietly(check(kernel, gates=[sector_gate()]))
    assert points == 0.0
    assert words in shown and shown.count("Not written yet") == 1
    assert len(shown.splitlines()) == 2


def plain_function(out, a, x, y):
    out[:] = a * x + y


class Forged:
    py_func = plain_function
    __name__ = "saxpy"

    def __eq__(self, other):
        return True

    __hash__ = None


@pytest.mark.parametrize(
    ("kernel", "words"),
    [
        (plain_function, "plain_function is a Python function. Put @cuda.jit above it"),
        (numba.njit(plain_function), "compiled for the CPU"),
        (unwritten_part, "device function"),
        (None, "This is None, not a kernel"),
        (np.zeros(3), "This is an array of shape (3,), float64, not a kernel"),
        (Forged(), "an object of type Forged, not a kernel"),
        (cuda.jit(lambda out, a, x: None), "takes 3 arguments (out, a, x), and is launched with 4"),
    ],
)
def test_what_is_no_kernel_is_told_so(kernel, words):
    points, shown = quietly(check(kernel))
    assert points == 0.0
    assert words in shown and len(shown.splitlines()) == 2


@pytest.mark.filterwarnings("ignore:Grid size")
def test_a_configured_kernel_is_not_the_kernel():
    points, shown = quietly(check(saxpy[16, 64]))
    assert points == 0.0 and "without [grid, block]" in shown


def test_outputs_are_those_that_the_reference_returns():
    @cuda.jit
    def halves(low, high, x):
        i = cuda.grid(1)
        if i < low.size:
            low[i] = x[i] % 16
            high[i] = x[i] // 16

    def arguments(rng, n):
        x = rng.integers(0, 256, n, dtype=np.uint8)
        return {"low": unwritten(n, np.uint8), "high": unwritten(n, np.uint8), "x": x}

    def reference(x):
        return {"low": x % 16, "high": Expected(x // 16)}

    points, shown = quietly(
        check_kernel(halves, reference, [Case("bytes", arguments, n=99, grid=2, block=64)], points=1)
    )
    assert points == 1.0, shown


def test_scratch_may_be_written_and_is_not_compared():
    @cuda.jit
    def through(out, x, room):
        i = cuda.grid(1)
        if i < out.size:
            room[i] = x[i]
            out[i] = room[i]

    def arguments(rng):
        return {
            "out": unwritten(9, np.float32),
            "x": rng.random(9, np.float32),
            "room": np.zeros(9, np.float32),
        }

    cases = [Case("nine", arguments, grid=1, block=32)]
    assert quietly(check_kernel(through, lambda x: {"out": x}, cases, points=1))[0] == 0.0
    assert quietly(check_kernel(through, lambda x: {"out": x}, cases, points=1, scratch=["room"]))[0] == 1.0


def test_a_kernel_check_needs_a_case_and_a_launch():
    with pytest.raises(ValueError, match="visible case"):
        check(saxpy, cases=[])
    with pytest.raises(ValueError, match="grid= and block="):
        quietly(check(saxpy, cases=[Case("none", case(5).build())]))
