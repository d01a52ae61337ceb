"""What is a race and what is not, in kernels of a few lines."""

import numpy as np
import pytest
from numba import cuda, float32

from utils import connect, simt
from utils.simt import races

ALL = ("lockstep", "ascending", "descending")


@pytest.fixture(autouse=True, scope="module")
def device():
    return connect()


@cuda.jit
def same_value(out):
    out[0] = 1.0


@cuda.jit
def own_element(out):
    out[cuda.grid(1)] += 1.0


@cuda.jit
def all_read_then_all_write_their_own(a, out):
    out[cuda.grid(1)] = a[0] + a[1]


@cuda.jit
def warp_neighbours(a, out, fixed):
    s = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    s[t] = a[t]
    if fixed == 1:
        cuda.syncwarp()
    if fixed == 2:
        cuda.syncthreads()
    out[t] = s[t ^ 1]


@cuda.jit
def warp_strangers(a, out, fixed):
    s = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    s[t] = a[t]
    if fixed == 1:
        cuda.syncwarp()
    if fixed == 2:
        cuda.syncthreads()
    out[t] = s[t ^ 32]


@cuda.jit
def read_then_overwrite(a, out, fixed):
    s = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    s[t] = a[t]
    cuda.syncthreads()
    x = s[63 - t]
    if fixed == 2:
        cuda.syncthreads()
    s[t] = x
    cuda.syncthreads()
    out[t] = s[t]


@cuda.jit
def read_by_all_written_by_one(a, out):
    s = cuda.shared.array(1, float32)
    t = cuda.threadIdx.x
    if t == 0:
        s[0] = a[0]
    cuda.syncthreads()
    out[t] = s[0]
    if t == 63:
        s[0] = 0.0


@cuda.jit
def counted(counter, out):
    cuda.atomic.add(counter, 0, 1)


@cuda.jit
def counted_then_read(counter, out):
    cuda.atomic.add(counter, 0, 1)
    cuda.syncthreads()
    out[cuda.grid(1)] = counter[0]


@cuda.jit
def set_then_counted(out):
    h = cuda.shared.array(1, float32)
    if cuda.threadIdx.x == 0:
        h[0] = 0.0
    cuda.atomic.add(h, 0, 1.0)


@cuda.jit
def private(out):
    mine = cuda.local.array(2, float32)
    mine[0] = 1.0
    out[cuda.grid(1)] = mine[0]


def found(kernel, *args, grid=1, block=64, schedule="lockstep"):
    return [f for f in simt.profile(kernel, grid, block, *args, schedule=schedule).findings if f.kind == "race"]


@pytest.mark.parametrize("schedule", ALL)
def test_two_threads_that_store_the_same_value_race(schedule):
    assert found(same_value, np.zeros(1), schedule=schedule)
    assert not found(same_value, np.zeros(1), block=1, schedule=schedule)


@pytest.mark.parametrize("schedule", ALL)
def test_a_thread_does_not_race_with_itself_nor_readers_with_readers(schedule):
    assert not found(own_element, np.zeros(128), grid=2, schedule=schedule)
    assert not found(all_read_then_all_write_their_own, np.zeros(2), np.zeros(128), grid=2, schedule=schedule)
    assert not found(private, np.zeros(128), grid=2, schedule=schedule)


@pytest.mark.parametrize("schedule", ALL)
@pytest.mark.parametrize(
    ("kernel", "fixed", "racy"),
    [
        (warp_neighbours, 0, True),
        (warp_neighbours, 1, False),
        (warp_neighbours, 2, False),
        (warp_strangers, 0, True),
        (warp_strangers, 1, True),
        (warp_strangers, 2, False),
        (read_then_overwrite, 0, True),
        (read_then_overwrite, 2, False),
    ],
)
def test_a_barrier_orders_the_block_and_syncwarp_the_warp(kernel, fixed, racy, schedule):
    args = np.zeros(64, np.float32), np.zeros(64, np.float32), fixed
    assert bool(found(kernel, *args, schedule=schedule)) == racy


@pytest.mark.parametrize("schedule", ALL)
def test_many_readers_and_one_later_writer_race(schedule):
    (race,) = found(read_by_all_written_by_one, np.zeros(1), np.zeros(64), schedule=schedule)
    assert race.array == "s" and race.other[0] != race.line


@pytest.mark.parametrize("schedule", ALL)
def test_atomics_do_not_race_with_each_other_but_with_all_else(schedule):
    counter = np.zeros(1, np.int32)
    assert not found(counted, counter, counter, grid=2, schedule=schedule)
    assert found(counted_then_read, counter, np.zeros(128), grid=2, schedule=schedule)
    assert not found(counted_then_read, counter, np.zeros(64), schedule=schedule)
    assert found(set_then_counted, np.zeros(1), schedule=schedule)


def test_blocks_are_ordered_by_nothing():
    """Does a barrier, which only waits for its block, hide a race with another block?"""

    @cuda.jit
    def to_the_next_block(out):
        i = cuda.grid(1)
        out[i] = 1.0
        cuda.syncthreads()
        out[(i + 64) % 128] += 1.0

    assert found(to_the_next_block, np.zeros(128), grid=2)
    assert not found(to_the_next_block, np.zeros(128), grid=1, block=64)


@pytest.mark.parametrize("at_once", [64, 128, 4096])
def test_blocks_of_different_batches_race_too(monkeypatch, at_once):
    monkeypatch.setattr("utils.simt.launch.LANES_AT_ONCE", at_once)
    (race,) = found(same_value, np.zeros(1), grid=4, block=64)
    assert race.count >= 255


def test_an_array_too_large_to_shadow_is_noted(monkeypatch):
    monkeypatch.setattr(races, "MOST_ELEMENTS", 4)
    report = simt.profile(same_value, 1, 64, np.zeros(8))
    assert report.ok and any("out has more than 4 elements: not checked for races" in note for note in report.notes)


def test_reads_kept_back_are_looked_at_when_somebody_writes(monkeypatch):
    """Is the answer the same whether reads after a barrier are compared at once or later?"""
    args = np.zeros(64, np.float32), np.zeros(64, np.float32), 0
    later = found(read_then_overwrite, *args)
    monkeypatch.setattr(races, "MOST_PENDING", 0)
    assert found(read_then_overwrite, *args) == later != []
