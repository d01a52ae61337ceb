"""A fence and an atomic publish what a block wrote; either alone does not."""

import numpy as np
import pytest
from numba import cuda

from utils import connect, simt
from utils.simt.batch import Access, Batch, Geometry
from utils.simt.fences import Fences
from utils.simt.memory import Memory
from utils.simt.shadow import Moment

FLAG = Memory("flag", "global", np.zeros(2, np.int32), (2,), (1,))


@pytest.fixture(autouse=True, scope="module")
def device():
    return connect()


def last_block(fenced, counted):
    @cuda.jit
    def kernel(parts, counter, out):
        block = cuda.blockIdx.x
        parts[block] = block + 1.0
        if fenced:
            cuda.threadfence()
        place = cuda.atomic.add(counter, 0, 1) if counted else block
        last = place == cuda.gridDim.x - 1
        if last:
            total = 0.0
            for k in range(cuda.gridDim.x):
                total += parts[k]
            out[0] = total

    return kernel


@pytest.mark.parametrize("schedule", ["lockstep", "ascending", "descending"])
@pytest.mark.parametrize(("fenced", "counted", "racy"), [(True, True, False), (False, True, True), (True, False, True)])
def test_the_last_block_needs_the_fence_and_the_atomic(fenced, counted, racy, schedule):
    parts, counter, out = np.zeros(4), np.zeros(1, np.int32), np.zeros(1)
    report = simt.profile(last_block(fenced, counted), 4, 1, parts, counter, out, schedule=schedule)
    assert out[0] == 10
    assert {f.kind for f in report.findings} == ({"race"} if racy else set())


def knowledge():
    batch = Batch(Geometry((3, 1, 1), (32, 1, 1)), 0, 3, 4)
    fences = Fences(batch.geometry)

    def count(block, place=0):
        access = Access(0, FLAG, "atomic", np.array([place]), np.array([32 * block]))
        fences.atomic(FLAG, access, Moment.of(batch, access))

    def knows(block, of, clock):
        return bool(fences.orders(np.array([32 * of]), np.array([clock]), np.array([32 * block]))[0])

    return batch, fences, count, knows


def test_what_came_after_the_fence_is_not_published():
    batch, fences, count, knows = knowledge()
    fences.fence(batch, np.array([0]))
    count(0)
    count(1)
    assert knows(1, 0, batch.clock) and not knows(1, 0, batch.clock + 1)


def test_knowledge_goes_through_one_element_only():
    batch, fences, count, knows = knowledge()
    fences.fence(batch, np.array([0]))
    count(0, place=0)
    count(1, place=1)
    assert not knows(1, 0, 4)


def test_knowledge_is_handed_on():
    """Does block 2 know of block 0 what it learned from block 1?"""
    batch, fences, count, knows = knowledge()
    fences.fence(batch, np.array([0]))
    count(0, place=0)
    count(1, place=0)
    fences.fence(batch, np.array([32]))
    count(1, place=1)
    count(2, place=1)
    assert knows(2, 0, 4) and knows(2, 1, 4) and not knows(0, 2, 4)
