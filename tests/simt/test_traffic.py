"""Requests, sectors and wavefronts of addresses chosen by hand.

32 lanes a warp, 32 bytes a sector, 32 banks of 4 bytes.
"""

import numpy as np
import pytest

from utils.simt import traffic
from utils.simt.batch import Access, Batch, Geometry
from utils.simt.memory import Memory
from utils.simt.program import SiteInfo
from utils.simt.traffic import Traffic, bank_wavefronts, distinct

SITES = [SiteInfo(5, "a[i]", "x = a[i]", "load"), SiteInfo(6, "b[i]", "b[i] = x", "store")]
LANE = np.arange(32)


def memory(space="global", kind="float32", size=4096, base=0):
    return Memory("a", space, np.zeros(size, kind), (size,), (1,), size_of_one=size, base=base)


def watched(array, address, lanes=None, times=1, site=0, op="load", block=32, blocks=1):
    """Return the counters of accesses to `address` by `lanes` of a batch."""
    batch = Batch(Geometry((blocks, 1, 1), (block, 1, 1)), 0, blocks)
    observer = Traffic(SITES)
    observer.begin(batch)
    address = np.asarray(address)
    access = Access(site, array, op, address, np.arange(address.size) if lanes is None else np.asarray(lanes))
    for _ in range(times):
        observer.access(batch, access)
    observer.finish()
    (record,) = observer.site_records()
    return record


@pytest.mark.parametrize(
    ("kind", "address", "sectors"),
    [
        ("float32", LANE, 4),
        ("float32", LANE[::-1], 4),
        ("float32", LANE + 1, 5),
        ("float32", 2 * LANE, 8),
        ("float32", 32 * LANE, 32),
        ("float32", np.zeros(32, int), 1),
        ("float32", LANE % 2 * 8, 2),
        ("uint8", LANE, 1),
        ("uint8", LANE + 1, 2),
        ("float64", LANE, 8),
        ("complex128", LANE, 16),
        ("complex128", 2 * LANE, 32),
    ],
)
def test_sectors_of_a_request(kind, address, sectors):
    record = watched(memory(kind=kind), address)
    assert (record.requests, record.accesses, record.sectors) == (1, 32, sectors)
    assert record.bytes == 32 * np.dtype(kind).itemsize


def test_the_alignment_of_the_array_counts():
    assert watched(memory(base=0), LANE).sectors == 4
    assert watched(memory(base=4), LANE).sectors == 5


def test_each_warp_makes_a_request_of_its_own():
    """Do two warps that read the same sector move it twice?"""
    record = watched(memory(), np.zeros(64, int), block=64)
    assert (record.requests, record.sectors) == (2, 2)


def test_a_warp_without_active_lanes_makes_no_request():
    record = watched(memory(), [40, 41], lanes=[40, 41], block=64)
    assert (record.requests, record.accesses, record.sectors) == (1, 2, 1)


@pytest.mark.parametrize(
    ("kind", "address", "wavefronts", "ideal"),
    [
        ("float32", LANE, 1, 1),
        ("float32", LANE[::-1], 1, 1),
        ("float32", np.full(32, 7), 1, 1),
        ("float32", 2 * LANE, 2, 1),
        ("float32", 32 * LANE, 32, 1),
        ("float32", 33 * LANE, 1, 1),
        ("float32", LANE % 4 * 32, 4, 1),
        ("uint8", LANE, 1, 1),
        ("uint8", 4 * LANE, 1, 1),
        ("uint8", 128 * LANE, 32, 1),
        ("int16", 2 * LANE, 1, 1),
        ("int16", 64 * LANE, 32, 1),
        ("float64", LANE, 2, 2),
        ("float64", 16 * LANE, 32, 2),
        ("float64", 17 * LANE, 2, 2),
        ("complex128", LANE, 4, 4),
        ("complex128", 8 * LANE, 32, 4),
    ],
)
def test_wavefronts_of_a_request(kind, address, wavefronts, ideal):
    record = watched(memory("shared", kind), address)
    assert (record.wavefronts, record.ideal_wavefronts) == (wavefronts, ideal)
    assert record.sectors == 0


def test_half_a_warp_of_doubles_takes_one_wavefront():
    assert bank_wavefronts(np.zeros(16, int), np.arange(16), np.arange(16), 8) == (1, 1)


def test_each_block_has_its_own_banks():
    """Does the place of a block's copy in the batch change its conflicts?"""
    array = memory("shared", size=33)
    one = np.concatenate([LANE, 33 + LANE])
    assert watched(array, one, blocks=2).wavefronts == 2


@pytest.mark.parametrize("space", ["global", "shared"])
def test_a_pattern_that_comes_again_costs_the_same(space):
    """Is what the cache of patterns remembers what counting again would give?"""
    generator = np.random.default_rng(3)
    address = generator.integers(0, 4000, 32)
    once, often = watched(memory(space), address), watched(memory(space), address, times=5)
    for name in ("requests", "accesses", "bytes", "sectors", "wavefronts", "ideal_wavefronts"):
        assert getattr(often, name) == 5 * getattr(once, name)


@pytest.mark.parametrize("space", ["global", "shared"])
def test_the_cache_changes_no_counter(space, monkeypatch):
    generator = np.random.default_rng(4)
    steps = [generator.integers(0, 64, 32) * generator.integers(1, 4) + k for k in (0, 0, 1, 8, 8, 3)]

    def run():
        batch = Batch(Geometry((1, 1, 1), (32, 1, 1)), 0, 1)
        observer = Traffic(SITES)
        observer.begin(batch)
        for address in [steps[0], *steps, steps[0], steps[0] + 8]:
            observer.access(batch, Access(0, memory(space), "load", address, LANE))
        return observer.site_records()

    cached = run()
    monkeypatch.setattr(traffic.Pattern, "matches", lambda *_: False)
    assert run() == cached


def test_spaces_operations_and_places_are_counted_apart():
    batch = Batch(Geometry((1, 1, 1), (32, 1, 1)), 0, 1)
    observer = Traffic(SITES)
    for site, array, op in ((1, memory(), "store"), (0, memory(), "load"), (0, memory("shared"), "load")):
        observer.access(batch, Access(site, array, op, LANE, LANE))
    assert [(r.line, r.space, r.op) for r in observer.site_records()] == [
        (5, "global", "load"),
        (5, "shared", "load"),
        (6, "global", "store"),
    ]


def test_barriers_are_those_of_the_busiest_block():
    batch = Batch(Geometry((2, 1, 1), (32, 1, 1)), 0, 2)
    observer = Traffic(SITES)
    observer.begin(batch)
    observer.barrier(batch, 0, None)
    observer.barrier(batch, 0, np.arange(64) < 32)
    observer.begin(batch)
    observer.barrier(batch, 0, None)
    observer.finish()
    assert observer.barriers == 2


@pytest.mark.parametrize(("keys", "number"), [([], 0), ([5], 1), ([1, 1, 2], 2), ([2, 1, 2], 2), ([3, 2, 1], 3)])
def test_distinct_counts_values_sorted_or_not(keys, number):
    assert distinct(np.array(keys, np.int64)) == number
