"""Single threads' accesses, put together as a warp would have made them."""

import numpy as np
import pytest
from numba import cuda

from utils import connect, simt
from utils.simt.batch import Access, Batch, Geometry, Observer
from utils.simt.memory import Memory
from utils.simt.replay import Replay

ARRAY = Memory("a", "global", np.zeros(64, np.float32), (64,), (1,))


class Kept(Observer):
    def __init__(self):
        self.seen: list[Access] = []

    def access(self, batch, access):
        self.seen.append(access)


@pytest.fixture
def replay():
    watcher = Kept()
    made = Replay(Batch(Geometry((1, 1, 1), (64, 1, 1)), 0, 1), [watcher])
    made.kept = watcher.seen
    return made


def test_lanes_that_come_by_one_place_are_one_instruction(replay):
    for lane in (3, 1, 2):
        replay.note(7, ARRAY, "load", 10 * lane, lane)
    assert replay.kept == []
    replay.flush()
    (access,) = replay.kept
    assert access.lanes.tolist() == [1, 2, 3] and access.address.tolist() == [10, 20, 30]
    assert (access.site, access.memory, access.op) == (7, ARRAY, "load")


def test_the_second_time_around_is_a_second_instruction(replay):
    for lane, times in ((0, 3), (1, 1), (2, 2)):
        for _ in range(times):
            replay.note(7, ARRAY, "load", lane, lane)
    replay.flush()
    assert [access.lanes.tolist() for access in replay.kept] == [[0, 1, 2], [0, 2], [0]]


def test_warps_places_and_operations_are_apart(replay):
    replay.note(7, ARRAY, "load", 0, 0)
    replay.note(7, ARRAY, "load", 0, 40)
    replay.note(8, ARRAY, "load", 0, 0)
    replay.note(7, ARRAY, "store", 0, 0)
    replay.flush()
    assert len(replay.kept) == 4


def test_a_synchronisation_between_them_keeps_two_accesses_apart(replay):
    replay.note(7, ARRAY, "load", 0, 0)
    replay.batch.clock = replay.batch.warp_stamp[:32] = 9
    replay.note(7, ARRAY, "load", 0, 1)
    replay.flush()
    assert [access.stamps[2].tolist() for access in replay.kept] == [[1], [9]]


def test_what_was_told_is_told_once(replay):
    replay.note(7, ARRAY, "load", 0, 0)
    replay.flush()
    replay.flush()
    assert len(replay.kept) == 1


@cuda.jit
def straight(a, out, scratch):
    i = cuda.grid(1)
    if i < out.size:
        for k in range(3):
            scratch[i] = a[i * 2] + k
        out[i] = scratch[i]


def test_where_lanes_do_not_part_the_counters_are_those_of_lockstep():
    connect()
    reports = []
    for schedule in ("lockstep", "ascending", "descending"):
        args = np.zeros(256, np.float32), np.zeros(100, np.float32), np.zeros(128, np.float32)
        reports.append(simt.profile(straight, 4, 32, *args, schedule=schedule))
    first, *others = reports
    assert all(other.sites == first.sites for other in others)
