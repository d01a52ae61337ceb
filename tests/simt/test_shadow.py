"""Who is remembered of each element: the last writer, and three readers."""

import numpy as np

from utils.simt.batch import Access, Batch, Geometry
from utils.simt.memory import Memory
from utils.simt.shadow import NOBODY, Moment, Shadow, clock_of, lane_of, site_of

ARRAY = Memory("a", "global", np.zeros(8, np.float32), (8,), (1,))


def moment(lanes, address, clock=5, site=3, op="load", first=0, blocks=4):
    batch = Batch(Geometry((8, 1, 1), (64, 1, 1)), first, blocks, clock)
    return Moment.of(batch, Access(site, ARRAY, op, np.array(address), np.array(lanes)))


def test_an_occupant_is_lane_clock_and_site_in_one_number():
    packed = moment([0, 70], [1, 2], clock=(1 << 24) - 1, site=1023, first=2).occupants
    assert lane_of(packed).tolist() == [128, 198]
    assert set(clock_of(packed).tolist()) == {(1 << 24) - 1} and set(site_of(packed).tolist()) == {1023}


def test_nobody_is_no_lane():
    assert lane_of(np.array([NOBODY]))[0] < 0


def test_stamps_are_those_of_the_lanes_that_take_part():
    batch = Batch(Geometry((1, 1, 1), (64, 1, 1)), 0, 1, 5)
    batch.block_stamp = np.arange(64)
    made = Moment.of(batch, Access(0, ARRAY, "load", np.array([1, 2]), np.array([7, 9])))
    assert made.block_stamp.tolist() == [7, 9]
    stamps = (np.array([1]), np.array([2]), np.array([3]))
    kept = Moment.of(batch, Access(0, ARRAY, "load", np.array([1]), np.array([7]), stamps))
    assert (kept.clock, kept.block_stamp, kept.warp_stamp) == stamps


def test_the_last_of_several_writers_stays():
    shadow = Shadow(8)
    assert shadow.write(moment([3, 4, 5], [0, 0, 1])).tolist() == [4, 4, 5]
    assert lane_of(shadow.writer[:3]).tolist()[:2] == [4, 5] and shadow.writer[2] == NOBODY


def test_whether_the_last_write_was_an_atomic_is_kept():
    shadow = Shadow(8)
    shadow.write(moment([0, 1], [0, 1], op="atomic"))
    shadow.write(moment([2], [1], op="store"))
    assert shadow.atomic[:3].tolist() == [True, False, False]


def test_a_reader_of_the_same_warp_and_one_of_another_are_kept():
    shadow = Shadow(8)
    for lane in (40, 2, 3):
        shadow.read(moment([lane], [0]))
    assert [int(lane_of(slot[0])) for slot in (shadow.reader, shadow.neighbour, shadow.stranger)] == [3, 2, 40]


def test_readers_at_one_time_are_kept_as_well():
    shadow = Shadow(8)
    shadow.read(moment([1, 2, 40], [0, 0, 0]))
    assert int(lane_of(shadow.reader[0])) == 40
    assert int(lane_of(shadow.stranger[0])) in (1, 2)


def test_a_lane_that_reads_again_pushes_nobody_out():
    shadow = Shadow(8)
    for lane in (40, 2, 2, 2):
        shadow.read(moment([lane], [0]))
    assert int(lane_of(shadow.stranger[0])) == 40 and shadow.neighbour[0] == NOBODY
