"""Everything a launch did, for pictures: who asked for which bytes, and which lanes ran which line."""

import numpy as np
import pytest
from numba import cuda, float32

from tests.simt.zoo.case import line_of
from utils import connect, simt


@pytest.fixture(autouse=True, scope="module")
def device():
    return connect()


@cuda.jit
def mirror(a, out):
    s = cuda.shared.array(40, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = a[i]  # <- fill
    cuda.syncthreads()
    if t % 2:
        out[i] = s[39 - t]  # <- read


@pytest.fixture(scope="module")
def trace():
    connect()
    return simt.trace(mirror, 2, 40, np.zeros(80, np.float32), np.zeros(80, np.float32))


def requests(trace, mark, array, op):
    line = line_of(mirror, mark)
    return [r for r in trace.requests if (r.line, r.array, r.op) == (line, array, op)]


def test_a_request_is_one_instruction_of_one_warp(trace):
    loads = requests(trace, "fill", "a", "load")
    assert [(r.block, r.warp, r.lanes.size) for r in loads] == [
        ((0, 0, 0), 0, 32), ((0, 0, 0), 1, 8), ((1, 0, 0), 0, 32), ((1, 0, 0), 1, 8),
    ]  # fmt: skip
    assert len({r.step for r in loads}) == 1
    assert all((r.space, r.itemsize, r.source) == ("global", 4, "a[i]") for r in loads)


def test_addresses_are_bytes_from_the_start_of_the_array(trace):
    loads = requests(trace, "fill", "a", "load")
    assert loads[1].addresses.tolist() == [4 * i for i in range(32, 40)]
    assert loads[2].addresses.tolist() == [4 * i for i in range(40, 72)]


def test_addresses_of_shared_memory_are_those_of_the_blocks_own_copy(trace):
    reads = requests(trace, "read", "s", "load")
    assert [r.block for r in reads] == [(0, 0, 0), (0, 0, 0), (1, 0, 0), (1, 0, 0)]
    assert reads[0].addresses.tolist() == reads[2].addresses.tolist() == [4 * (39 - t) for t in range(1, 32, 2)]
    assert reads[1].lanes.tolist() == [1, 3, 5, 7]


def test_requests_are_in_the_order_in_which_they_ran(trace):
    steps = [r.step for r in trace.requests]
    assert steps == sorted(steps)
    assert requests(trace, "fill", "a", "load")[0].step < requests(trace, "read", "s", "load")[0].step


def test_as_many_requests_as_the_report_counts(trace):
    assert trace.report.ok
    assert len(trace.requests) == sum(site.requests for site in trace.report.sites)


def test_each_statement_has_its_mask(trace):
    line = line_of(mirror, "read")
    ran = [(s.block, s.warp, s.mask.tolist()) for s in trace.lanes if s.line == line]
    odd = [bool(t % 2) for t in range(32)]
    assert ran[0] == ((0, 0, 0), 0, odd)
    assert ran[1] == ((0, 0, 0), 1, odd[:8] + [False] * 24)
    assert len(ran) == 4
    assert sum(int(s.mask.sum()) for s in trace.lanes) == trace.report.lane_statements
