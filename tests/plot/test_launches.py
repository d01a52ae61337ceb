"""The map of a launch counts each thread once: it stores, it does not, or it does not exist."""

from types import SimpleNamespace

import numpy as np
import pytest

from tests.simt.zoo.right import BY_NAME
from utils import connect, simt
from utils.plot import launches, thread_map

SMALL = 80 * 1024


def trace(grid, block, stores):
    """Return a trace in which only `stores` happened: (block, warp, lanes, array, op) each."""
    requests = [
        SimpleNamespace(block=place, warp=warp, lanes=np.array(lanes), array=array, op=op, space="global")
        for place, warp, lanes, array, op in stores
    ]
    return SimpleNamespace(
        report=SimpleNamespace(kernel="made_up", grid=grid, block=block), requests=requests, lanes=[]
    )


def test_idle_threads_are_counted_and_located():
    stores = [((b, 0, 0), w, range(32), "out", "store") for b in range(2) for w in range(2)]
    stores[-1] = ((1, 0, 0), 1, range(20), "out", "store")
    drawn = thread_map(trace((2, 1, 1), (64, 1, 1), stores))
    assert "made_up, 2 blocks of 64 threads" in drawn.alt
    assert "116 threads have stored, 12 have stored nothing" in drawn.alt
    assert "12 in block 1" in drawn.alt and "block 0" not in drawn.alt
    assert 0 < len(drawn.png) < SMALL


def test_loads_do_not_count_and_atomics_do():
    stores = [((0, 0, 0), 0, range(8), "a", "load"), ((0, 0, 0), 0, range(3), "out", "atomic")]
    assert "3 threads have stored, 29 have" in thread_map(trace((1, 1, 1), (32, 1, 1), stores)).alt


def test_one_array_can_be_singled_out():
    stores = [((0, 0, 0), 0, range(8), "a", "store"), ((0, 0, 0), 0, range(3), "b", "store")]
    launch = trace((1, 1, 1), (32, 1, 1), stores)
    assert "8 threads have stored, 24" in thread_map(launch).alt
    assert "3 threads have stored to b, 29" in thread_map(launch, array="b").alt


def test_lanes_beyond_the_block_are_neither():
    state = launches._states((48, 1, 1), {0, 47})
    assert state.shape == (2, 32)
    assert [int((state == kind).sum()) for kind in range(3)] == [16, 46, 2]
    assert state[1, 15] == launches.STORES and (state[1, 16:] == launches.ABSENT).all()


@pytest.mark.parametrize(
    ("shape", "edges"),
    [
        ((32, 3), 2 * 32),  # a row is a warp
        ((16, 4), 16),  # two rows are a warp
        ((8, 8), 8),
        ((24, 2), 16 + 1),  # warp 0 ends after 8 cells of row 1
    ],
)
def test_warps_are_parted_where_the_thread_number_says(shape, edges):
    columns, rows = shape
    found = launches._warp_edges(rows, columns, rows * columns)
    number = np.arange(rows * columns).reshape(rows, columns) // 32
    expected = (number[:-1] != number[1:]).sum() + (number[:, :-1] != number[:, 1:]).sum()
    assert len(found) == expected
    assert len(found) == edges


def test_a_large_grid_shows_its_first_blocks_and_its_last():
    launch = trace((300, 1, 1), (32, 1, 1), [])
    drawn = thread_map(launch)
    assert "(12 of 300 shown)" in drawn.alt
    assert launches._some([(k, 0, 0) for k in range(300)])[-1] == (299, 0, 0)
    with pytest.raises(ValueError, match=r"no block \(300, 0, 0\)"):
        thread_map(launch, blocks=[(300, 0, 0)])
    assert "(1 of 300 shown)" in thread_map(launch, blocks=[(7, 0, 0)]).alt


@pytest.mark.parametrize("name", ["vadd", "copy_2d", "fade", "sums_of_48"])
def test_a_real_trace_can_be_drawn(name):
    connect()
    case = BY_NAME[name]
    drawn = thread_map(simt.trace(case.kernel, case.grid, case.block, *case.args()))
    written = {"vadd": 1000, "copy_2d": 30 * 41, "fade": 3 * 7 * 11, "sums_of_48": 6}[name]
    assert f"{written:,} threads have stored" in drawn.alt
    assert len(drawn.png) < SMALL
