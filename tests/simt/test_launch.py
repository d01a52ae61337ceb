"""One launch: batches, engines, limits, and the same answer every time."""

import numpy as np
import pytest
from numba import cuda, float32

from tests.simt.zoo.right import RIGHT
from tests.simt.zoo.wrong import WRONG
from utils import connect, simt
from utils.simt import budget, launch, limits
from utils.simt.batch import Batch, Geometry


@pytest.fixture(autouse=True, scope="module")
def device():
    return connect()


@pytest.fixture(autouse=True)
def small_budget(monkeypatch):
    monkeypatch.setattr(budget, "LIMIT", 6_000_000)


# Where blocks wait for each other, those that run together decide which engine can run them.
BATCHED = [case for case in RIGHT if case.name != "best_under_lock"]


@pytest.mark.parametrize("case", BATCHED, ids=lambda case: case.name)
def test_blocks_one_at_a_time_give_the_same_report(case, monkeypatch):
    """Does anything depend on how many blocks run together?"""
    whole = simt.profile(case.kernel, case.grid, case.block, *case.args(), shared_bytes=case.shared_bytes)
    monkeypatch.setattr(launch, "LANES_AT_ONCE", 1)
    args = case.args()
    alone = simt.profile(case.kernel, case.grid, case.block, *args, shared_bytes=case.shared_bytes)
    case.compare(args)
    assert alone.to_dict() == whole.to_dict()


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.name)
def test_a_finding_does_not_depend_on_how_many_blocks_run_together(wrong, monkeypatch):
    def kinds():
        report = simt.profile(wrong.kernel, wrong.grid, wrong.block, *wrong.args(), readonly=wrong.readonly)
        return {(f.kind, f.array) for f in report.findings}

    whole = kinds()
    monkeypatch.setattr(launch, "LANES_AT_ONCE", 1)
    assert kinds() >= whole


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.name)
def test_the_same_launch_has_the_same_report(wrong):
    first, second = (
        simt.profile(wrong.kernel, wrong.grid, wrong.block, *wrong.args(), readonly=wrong.readonly) for _ in range(2)
    )
    assert first.to_dict() == second.to_dict() and str(first) == str(second)


@cuda.jit
def waits_late(mutex, out):
    i = cuda.grid(1)
    out[i] += 1
    while cuda.atomic.cas(mutex, 0, 0, 1) != 0:
        pass
    cuda.atomic.exch(mutex, 0, 0)


def test_the_second_engine_starts_from_the_arrays_as_they_were():
    """Does a launch that one engine gave up half way count twice?"""
    out = np.zeros(4)
    report = simt.profile(waits_late, 1, 4, np.zeros(1, np.int32), out, check=False)
    assert report.engine == "scalar" and out.tolist() == [1, 1, 1, 1]


def test_an_unknown_schedule_is_an_error():
    with pytest.raises(ValueError, match="schedule is one of lockstep, ascending, descending, not 'sideways'"):
        simt.profile(waits_late, 1, 1, np.zeros(1, np.int32), np.zeros(1), schedule="sideways")


@pytest.mark.parametrize("value", [1.0, "8", (1, 2, 3, 4), (), (True,), None, (1, 2.0)])
def test_a_dimension_is_one_to_three_integers(value):
    with pytest.raises(TypeError, match="the grid must be an integer, or a tuple of one to three integers"):
        limits.dimensions(value, "grid")


def test_dimensions_may_be_numpys_integers_or_a_list():
    assert limits.dimensions(np.int32(5), "grid") == (5, 1, 1)
    assert limits.dimensions([2, np.int64(3)], "grid") == (2, 3, 1)


def test_a_launch_within_the_limits_has_no_objection():
    assert limits.objection((2**31 - 1, 65535, 65535), (1024, 1, 1), 48 * 1024) == ""
    assert "400,000 bytes" in limits.objection((1, 1, 1), (1, 1, 1), 400_000)


def test_a_kernel_keeps_the_globals_of_its_first_launch():
    """As with Numba: does changing a global later change a compiled kernel?"""
    scale = 2.0

    @cuda.jit
    def scaled(out):
        out[cuda.grid(1)] = scale

    out = np.zeros(1)
    simt.profile(scaled, 1, 1, out)
    scale = 3.0
    simt.profile(scaled, 1, 1, out)
    assert out[0] == 2.0


def test_check_and_count_can_be_left_out():
    @cuda.jit
    def racy(out):
        s = cuda.shared.array(1, float32)
        out[0] = s[0]

    quiet = launch.run(racy, 1, 64, (np.zeros(1),))
    assert quiet.ok and quiet.sites == [] and quiet.barriers == 0
    counted = launch.run(racy, 1, 64, (np.zeros(1),), count=True)
    assert counted.ok and counted.sites
    assert {f.kind for f in launch.run(racy, 1, 64, (np.zeros(1),), check=True).findings} == {
        "race",
        "uninitialised-read",
    }


def test_padding_lanes_stand_for_no_thread():
    geometry = Geometry((2, 3, 1), (5, 3, 2))
    batch = Batch(geometry, 4, 2)
    assert (geometry.threads, geometry.lanes, geometry.blocks, batch.lanes) == (30, 32, 6, 64)
    assert batch.real.sum() == 60 and not batch.real[30] and not batch.real[63]
    assert batch.warp[31:33].tolist() == [0, 1]
    assert batch.thread[[0, 29, 31, 32]].tolist() == [120, 149, 149, 150]


def test_threads_are_numbered_x_first():
    geometry = Geometry((2, 3, 2), (5, 3, 2))
    batch = Batch(geometry, 7, 1)
    index = batch.thread_index
    assert [int(v[28]) for v in (index.x, index.y, index.z)] == [3, 2, 1]
    block = batch.block_index
    assert (int(block.x), int(block.y), int(block.z)) == (1, 0, 1)
    assert geometry.where(7 * 30 + 28) == ((1, 0, 1), (3, 2, 1))
