"""Control flow over all lanes, and the same one thread at a time: the forms, and the masks behind them."""

import numpy as np
import pytest
from numba import cuda, float64

from utils import connect, simt

ALL = ("lockstep", "ascending", "descending")
N = 40  # one warp and a quarter


@pytest.fixture(autouse=True, scope="module")
def device():
    return connect()


@cuda.jit
def nested(out):
    i = cuda.grid(1)
    x = 0
    if i % 2:
        x = 1
        if i % 3:
            x += 10
        elif i > 20:
            x += 100
    else:
        x = -i
    out[i] = x


def nested_of(i):
    return (1 + (10 if i % 3 else 100 if i > 20 else 0)) if i % 2 else -i


@cuda.jit
def breaks(out):
    i = cuda.grid(1)
    total = 0
    for j in range(i):
        if j == 7:
            break
        if j % 2:
            continue
        total += j
    out[i] = total


def breaks_of(i):
    return sum(j for j in range(min(i, 7)) if j % 2 == 0)


@cuda.jit
def returns_in_a_loop(out):
    i = cuda.grid(1)
    j = 0
    while True:
        if j * j >= i:
            out[i] = j
            return
        j += 1
    out[i] = -1


def returns_in_a_loop_of(i):
    return next(j for j in range(99) if j * j >= i)


@cuda.jit
def while_and(out):
    i = cuda.grid(1)
    j = i
    while j < out.size and out[j] == 0 and j < i + 3:
        j += 1
    out[i] = j - i + 1


@cuda.jit
def two_loops(out):
    i = cuda.grid(1)
    total = 0
    for j in range(3):
        k = 0
        while k < i:
            k += j + 1
            if k > 20:
                break
        else_ = k
        if else_ > 30:
            continue
        total += k
    out[i] = total


def two_loops_of(i):
    total = 0
    for j in range(3):
        k = 0
        while k < i:
            k += j + 1
            if k > 20:
                break
        total += k if k <= 30 else 0
    return total


@cuda.jit
def ranges(out):
    i = cuda.grid(1)
    total = 0
    for j in range(i, -1, -3):
        total += j
    for j in range(i % 5, i % 7, 2):
        total += 100 * j
    out[i] = total


def ranges_of(i):
    return sum(range(i, -1, -3)) + 100 * sum(range(i % 5, i % 7, 2))


@cuda.jit(device=True)
def first_square(n, limit):
    for j in range(limit):
        if j * j >= n:
            return j
    return -1


@cuda.jit
def calls(out):
    i = cuda.grid(1)
    if i % 2:
        out[i] = first_square(i, 5) + first_square(limit=i, n=4)
    else:
        out[i] = first_square(i, 100) if i > 9 else 7


def calls_of(i):
    square = lambda n, limit: next((j for j in range(limit) if j * j >= n), -1)  # noqa: E731
    return square(i, 5) + square(4, i) if i % 2 else square(i, 100) if i > 9 else 7


@cuda.jit
def chains(out):
    i = cuda.grid(1)
    out[i] = (3 < i <= 20 < i + 10 != 40) + 10 * ((i > 5 and i < 9) or not i > 2)


def chains_of(i):
    return (3 < i <= 20 < i + 10 != 40) + 10 * (5 < i < 9 or i <= 2)


@cuda.jit
def tuples(out):
    i = cuda.grid(1)
    x, y = i, 2 * i
    pair = (x, 0.5)
    if i % 2:
        x, y = y, x
        pair = (y, 1.5)
    (p, q), r = pair, (x - y)
    out[i] = p + q + 10 * r


def tuples_of(i):
    return i + 1.5 + 10 * i if i % 2 else i + 0.5 - 10 * i


@cuda.jit
def local_arrays(out):
    i = cuda.grid(1)
    mine = cuda.local.array(4, float64)
    for j in range(4):
        mine[j] = i * j
    mine[i % 4] += 1
    out[i] = mine[3] + 100 * mine[i % 4]


def local_arrays_of(i):
    mine = [i * j for j in range(4)]
    mine[i % 4] += 1
    return mine[3] + 100 * mine[i % 4]


CASES = [
    (nested, nested_of),
    (breaks, breaks_of),
    (returns_in_a_loop, returns_in_a_loop_of),
    (two_loops, two_loops_of),
    (ranges, ranges_of),
    (calls, calls_of),
    (chains, chains_of),
    (tuples, tuples_of),
    (local_arrays, local_arrays_of),
]


@pytest.mark.parametrize("schedule", ALL)
@pytest.mark.parametrize(("kernel", "oracle"), CASES, ids=lambda k: getattr(k, "__name__", "") or None)
def test_each_lane_takes_its_own_path(kernel, oracle, schedule):
    out = np.full(2 * N, 999.0)
    report = simt.profile(kernel, 2, N, out, schedule=schedule)
    assert out.tolist() == [oracle(i) for i in range(2 * N)]
    assert report.ok and report.engine == ("lane" if schedule == "lockstep" else "scalar")


@pytest.mark.parametrize("schedule", ALL)
def test_the_rest_of_an_and_is_not_evaluated_where_the_first_part_fails(schedule):
    """Does ``j < a.size and a[j]`` read past the end?"""
    out = np.zeros(N)
    report = simt.profile(while_and, 1, N, out, schedule=schedule)
    assert "out-of-bounds" not in {f.kind for f in report.findings}


def test_lanes_that_parted_count_as_one_divergent_branch_a_warp():
    report = simt.profile(nested, 1, 64, np.zeros(64))
    assert (report.branches, report.divergent_branches) == (6, 5)
    assert 0 < report.branch_efficiency < 1 and report.active_lanes_per_warp < 32


def test_a_loop_that_all_lanes_leave_together_does_not_diverge():
    @cuda.jit
    def uniform(out):
        i = cuda.grid(1)
        for _ in range(5):
            out[i] += 1

    report = simt.profile(uniform, 1, 32, np.zeros(32))
    assert (report.branches, report.divergent_branches) == (6, 0)
    assert report.active_lanes_per_warp == 32


def test_lanes_beyond_the_block_are_never_active():
    report = simt.profile(local_arrays, 2, N, np.zeros(2 * N))
    assert report.global_stores.accesses == 2 * N and report.global_stores.requests == 4
