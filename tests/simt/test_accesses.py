"""Loads and stores: what is checked on the way, and what comes of an access that leaves the array."""

import numpy as np
import pytest
from numba import cuda, float32

from utils import connect, simt

ALL = ("lockstep", "ascending", "descending")
TABLE = np.array([[1.0, 2.0], [3.0, 4.0]])


@pytest.fixture(autouse=True, scope="module")
def device():
    return connect()


@cuda.jit
def shift(a, out, by):
    i = cuda.grid(1)
    out[i] = a[i + by]


@cuda.jit
def scatter(out, by):
    i = cuda.grid(1)
    out[i + by] = i + 1


@cuda.jit
def rows(a, out):
    i = cuda.grid(1)
    row = a[i]
    out[i] = row[1] + a[i][0]


@cuda.jit
def rows_written(out):
    i = cuda.grid(1)
    row = out[i]
    row[0] = i


@cuda.jit
def from_table(out):
    i, j = cuda.grid(2)
    out[i, j] = TABLE[i, j] * TABLE.shape[0]


@cuda.jit
def all_to_one(out, n):
    out[n] = cuda.grid(1)


@cuda.jit
def over_a_row(a, out):
    i = cuda.grid(1)
    total = 0.0
    for x in a[i]:
        total += x
    out[i] = total


@pytest.mark.parametrize("schedule", ALL)
@pytest.mark.parametrize(("kind", "poison"), [("float32", np.nan), ("int16", 32767), ("uint8", 255)])
def test_a_load_outside_gives_poison_to_its_lane_alone(kind, poison, schedule):
    a, out = np.arange(1, 5, dtype=kind), np.zeros(4, kind)
    report = simt.profile(shift, 1, 4, a, out, 2, schedule=schedule)
    np.testing.assert_array_equal(out, np.array([3, 4, poison, poison], kind))
    (found,) = report.findings
    assert (found.kind, found.array, found.index, found.thread, found.count) == (
        "out-of-bounds", "a", (4,), (2, 0, 0), 2,
    )  # fmt: skip
    assert report.global_loads.accesses == 2


@pytest.mark.parametrize("schedule", ALL)
def test_all_loads_outside(schedule):
    out = np.zeros(4)
    assert simt.profile(shift, 1, 4, np.zeros(4), out, 99, schedule=schedule).findings[0].count == 4
    assert np.isnan(out).all()


@pytest.mark.parametrize("schedule", ALL)
@pytest.mark.parametrize(
    ("by", "left", "kinds"),
    [
        (2, [0, 0, 1, 2], {"out-of-bounds"}),
        (99, [0, 0, 0, 0], {"out-of-bounds"}),
        (-1, [2, 3, 4, 1], {"negative-index"}),
        (-6, [3, 4, 0, 0], {"out-of-bounds", "negative-index"}),
    ],
)
def test_a_store_outside_is_dropped_and_a_negative_one_wraps(by, left, kinds, schedule):
    out = np.zeros(4)
    report = simt.profile(scatter, 1, 4, out, by, schedule=schedule)
    assert out.tolist() == left and {f.kind for f in report.findings} == kinds


@pytest.mark.parametrize("schedule", ALL)
def test_a_row_is_read_and_written_in_place(schedule):
    a, out = np.arange(8.0).reshape(4, 2), np.zeros(4)
    assert simt.profile(rows, 1, 4, a, out, schedule=schedule).ok
    assert out.tolist() == a.sum(1).tolist()
    assert simt.profile(rows_written, 1, 4, a, schedule=schedule).ok
    assert a[:, 0].tolist() == [0, 1, 2, 3] and a[:, 1].tolist() == [1, 3, 5, 7]


@pytest.mark.parametrize("schedule", ALL)
def test_a_row_outside_the_array_is_found(schedule):
    """Does the row of the next array, or an error of the engine's own, come instead?"""
    a, out = np.arange(8.0).reshape(4, 2), np.zeros(6)
    report = simt.profile(rows, 1, 6, a, out, schedule=schedule)
    assert {f.kind for f in report.findings} == {"out-of-bounds"}
    assert out[:4].tolist() == a.sum(1).tolist() and np.isnan(out[4:]).all()


@pytest.mark.parametrize("schedule", ALL)
def test_arrays_outside_a_kernel_are_its_constants(schedule):
    out = np.zeros((2, 2))
    report = simt.profile(from_table, 1, (2, 2), out, schedule=schedule)
    assert report.ok and out.tolist() == (2 * TABLE).tolist()
    assert report.global_loads.requests == 0


def test_of_many_stores_to_one_element_the_last_lane_stays():
    out = np.zeros(2)
    simt.profile(all_to_one, 1, 40, out, 1)
    assert out.tolist() == [0, 39]


@pytest.mark.parametrize("schedule", ALL)
def test_a_loop_over_an_array_loads_each_element(schedule):
    a, out = np.arange(8.0).reshape(2, 4), np.zeros(2)
    report = simt.profile(over_a_row, 1, 2, a, out, schedule=schedule)
    assert out.tolist() == [6, 22] and report.global_loads.accesses == 8


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("schedule", ALL)
def test_strides_of_any_order(order, schedule):
    a, out = np.array(np.arange(6.0).reshape(3, 2), order=order), np.zeros(3)
    assert simt.profile(rows, 1, 3, a, out, schedule=schedule).ok
    assert out.tolist() == [1, 5, 9]


def test_a_read_only_input_is_found_and_stays():
    a = np.zeros(4)
    report = simt.profile(scatter, 1, 4, a, 0, readonly=("out",))
    assert {f.kind for f in report.findings} == {"read-only-write"} and not a.any()


def refused(kernel, *args):
    with pytest.raises(simt.KernelTypeError) as error:
        simt.profile(kernel, 1, 4, *args)
    return str(error.value)


@cuda.jit
def by_a_float(a):
    a[0.5] = 1


@cuda.jit
def too_many(a):
    a[0, 0] = 1


@cuda.jit
def a_tuple(a):
    a[0] = (1, 2)


@cuda.jit
def part_of_a_pair(a):
    a[0] = (1, 2)[2]


@cuda.jit
def number_indexed(a):
    a[0] = cuda.grid(1)[0]


@cuda.jit
def constant_written(a):
    TABLE[0, 0] = a[0]


@cuda.jit
def complex_into_float(a):
    a[0] = 1 + 2j


@pytest.mark.parametrize(
    ("kernel", "words"),
    [
        (by_a_float, "a is indexed with float64, not with an integer"),
        (too_many, "1 dimensions"),
        (a_tuple, "cannot store a tuple of 2 in a, an array of float64"),
        (part_of_a_pair, "a tuple of 2 has no part 2"),
        (number_indexed, "int64 cannot be indexed"),
        (constant_written, "TABLE is a constant of the kernel"),
        (complex_into_float, "complex"),
    ],
)
def test_what_does_not_fit_is_told_at_the_learners_line(kernel, words):
    assert words in refused(kernel, np.zeros(4))


@pytest.mark.parametrize("schedule", ALL)
def test_only_elements_that_nobody_wrote_are_uninitialised(schedule):
    @cuda.jit
    def half(out):
        s = cuda.shared.array(4, float32)
        t = cuda.threadIdx.x
        if t < 2:
            s[t] = t
        cuda.syncthreads()
        out[t] = s[t]

    (found,) = simt.profile(half, 1, 4, np.zeros(4), schedule=schedule).findings
    assert (found.kind, found.index, found.thread, found.count) == ("uninitialised-read", (2,), (2, 0, 0), 2)
