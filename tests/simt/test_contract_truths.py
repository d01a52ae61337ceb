"""What the simulated GPU must get right, from the contract, and with numbers that are worked out by hand.

A warp has 32 lanes, a sector 32 bytes; shared memory has 32 banks of 4 bytes.
"""

import numpy as np
import pytest
from numba import cuda, float32, float64

from tests.simt.zoo.case import Expected, Wrong, line_of
from tests.simt.zoo.wrong import WRONG
from utils import connect, simt


@pytest.fixture(autouse=True, scope="module")
def device():
    return connect()


@cuda.jit
def strided(a, out, stride):
    i = cuda.grid(1)
    out[i] = a[i * stride]  # <- here


@cuda.jit
def column_of_32(a, out):
    tile = cuda.shared.array((32, 32), float32)
    x, y = cuda.grid(2)
    tile[y, x] = a[y, x]
    cuda.syncthreads()
    out[y, x] = tile[x, y]  # <- here


@cuda.jit
def column_of_33(a, out):
    tile = cuda.shared.array((32, 33), float32)
    x, y = cuda.grid(2)
    tile[y, x] = a[y, x]
    cuda.syncthreads()
    out[y, x] = tile[x, y]  # <- here


@cuda.jit
def column_of_17(a, out):
    tile = cuda.shared.array((16, 17), float32)
    x, y = cuda.grid(2)
    tile[y, x] = a[y, x]
    cuda.syncthreads()
    out[y, x] = tile[x, y]  # <- here


@cuda.jit
def doubles(a, out):
    held = cuda.shared.array(64, float64)
    t = cuda.threadIdx.x
    held[t] = a[t]
    cuda.syncthreads()
    own = held[t]  # <- unit
    first = held[0]  # <- broadcast
    out[t] = own + first


@cuda.jit
def broadcast(a, out):
    held = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    held[t] = a[t]
    cuda.syncthreads()
    out[t] = held[7] + held[t // 8]


def site(report, line, space, op):
    """Return the one site of `report` at `line` in that space."""
    found = [s for s in report.sites if (s.line, s.space, s.op) == (line, space, op)]
    assert len(found) == 1, report.sites
    return found[0]


@pytest.mark.parametrize(("stride", "sectors"), [(1, 4), (2, 8), (4, 16), (32, 32)])
def test_sectors_per_request_of_a_stride(stride, sectors):
    a, out = np.arange(128 * stride, dtype=np.float32), np.zeros(128, np.float32)
    report = simt.profile(strided, 2, 64, a, out, stride)
    load = site(report, line_of(strided), "global", "load")
    assert (load.requests, load.accesses, load.bytes) == (4, 128, 512)
    assert load.sectors_per_request == sectors
    assert load.efficiency == 128 / (32 * sectors)
    assert report.global_loads.sectors == 4 * sectors
    assert report.global_stores.sectors == 16
    assert report.engine == "lane" and report.ok
    np.testing.assert_array_equal(out, a[::stride])


@pytest.mark.parametrize(
    ("kernel", "side", "requests", "degree"),
    [(column_of_32, 32, 32, 32), (column_of_33, 32, 32, 1), (column_of_17, 16, 8, 2)],
)
def test_bank_conflicts_of_a_column(kernel, side, requests, degree):
    a, out = np.arange(side * side, dtype=np.float32).reshape(side, side), np.zeros((side, side), np.float32)
    report = simt.profile(kernel, 1, (side, side), a, out)
    load = site(report, line_of(kernel), "shared", "load")
    assert (load.requests, load.ideal_wavefronts) == (requests, requests)
    assert load.conflict_degree == degree
    assert report.shared_loads.bank_conflicts == requests * (degree - 1)
    assert report.shared_stores.requests == requests
    assert report.ok
    np.testing.assert_array_equal(out, a.T)


def test_doubles_take_two_wavefronts_without_a_conflict():
    a, out = np.arange(64.0), np.zeros(64)
    report = simt.profile(doubles, 1, 64, a, out)
    unit = site(report, line_of(doubles, "unit"), "shared", "load")
    assert (unit.requests, unit.wavefronts, unit.ideal_wavefronts) == (2, 4, 4)
    assert site(report, line_of(doubles, "broadcast"), "shared", "load").conflict_degree <= 1
    assert report.shared_stores.bank_conflicts == 0
    np.testing.assert_array_equal(out, a)


def test_a_broadcast_is_one_wavefront():
    a, out = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    report = simt.profile(broadcast, 1, 64, a, out)
    assert (report.shared_loads.requests, report.shared_loads.wavefronts) == (4, 4)
    assert report.shared_loads.bank_conflicts == 0


def lines(finding):
    """Return the lines that a finding names, in ascending order."""
    return sorted({finding.line} | ({finding.other[0]} if finding.other else set()))


def matches(finding, expected: Expected, wrong: Wrong) -> bool:
    """Whether `finding` is the one that `expected` describes."""
    marks = [mark for mark in (expected.here, expected.other) if mark]
    where = sorted({line_of(wrong.kernel, mark) for mark in marks})
    fields = ("kind", "array", "index", "block", "thread", "count")
    same = all(getattr(expected, name) in (None, getattr(finding, name)) for name in fields)
    text = finding.message.replace(" ", "")
    return same and (not where or lines(finding) == where) and all(piece in text for piece in expected.says)


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.name)
def test_a_wrong_kernel_draws_its_finding(wrong):
    report = simt.profile(wrong.kernel, wrong.grid, wrong.block, *wrong.args(), readonly=wrong.readonly)
    assert not report.ok
    for expected in wrong.findings:
        assert any(matches(finding, expected, wrong) for finding in report.findings), (
            expected,
            report.findings,
        )
    assert {f.kind for f in report.findings} == {e.kind for e in wrong.findings}
    for finding in report.findings:
        assert str(finding.line) in finding.message
        assert finding.source and finding.source.replace(" ", "") in report.code.replace(" ", "")


@pytest.mark.parametrize("wrong", [w for w in WRONG if w.findings[0].kind == "race"], ids=lambda wrong: wrong.name)
def test_a_race_names_both_lines_and_both_threads(wrong):
    report = simt.profile(wrong.kernel, wrong.grid, wrong.block, *wrong.args())
    for race in (f for f in report.findings if f.kind == "race"):
        other_line, other_block, other_thread = race.other
        assert (race.block, race.thread) != (other_block, other_thread)
        assert str(race.line) in race.message and str(other_line) in race.message
        text = race.message.replace(" ", "")
        assert str(race.thread).replace(" ", "") in text and str(other_thread).replace(" ", "") in text


def test_findings_of_one_cause_are_one():
    fill = next(wrong for wrong in WRONG if wrong.name == "fill_unguarded")
    report = simt.profile(fill.kernel, fill.grid, fill.block, *fill.args())
    assert [finding.count for finding in report.findings] == [24]


def test_check_false_leaves_races_out_but_not_counters():
    a, out = np.zeros(128, np.float32), np.zeros(1, np.float32)
    race = next(wrong for wrong in WRONG if wrong.name == "sum_into_one")
    report = simt.profile(race.kernel, 2, 64, a, out, check=False)
    assert report.global_loads.requests > 0
    assert not [f for f in report.findings if f.kind == "race"]
