"""A report's numbers: ratios, totals, and plain values for storage."""

import json

import pytest

from utils.simt.report import Finding, KernelNameError, KernelTypeError, LaunchError, Report, Site, Totals

LOAD = Site(3, "a[i]", "global", "load", "a", requests=2, accesses=64, bytes=256, sectors=16)
OTHER = Site(4, "b[i]", "global", "load", "b", requests=2, accesses=64, bytes=256, sectors=8)
STORE = Site(5, "out[i]", "global", "store", "out", requests=1, accesses=32, bytes=128, sectors=4)
COLUMN = Site(
    6, "s[x, y]", "shared", "load", "s", requests=4, accesses=128, bytes=512, wavefronts=12, ideal_wavefronts=4
)
ATOMIC = Site(7, "cuda.atomic.add(h, 0, 1)", "global", "atomic", "h", requests=1, accesses=32, bytes=128, sectors=1)
FULL = Report("k", (1, 1, 1), (32, 1, 1), sites=[LOAD, OTHER, STORE, COLUMN, ATOMIC])


def test_ratios_of_a_site():
    assert (LOAD.sectors_per_request, LOAD.efficiency) == (8, 0.5)
    assert COLUMN.conflict_degree == 3


def test_nothing_is_divided_by_zero():
    empty = Site(1, "a[i]", "global", "load", "a")
    assert (empty.sectors_per_request, empty.efficiency, empty.conflict_degree) == (0, 1, 1)
    report = Report("k", (1, 1, 1), (1, 1, 1))
    assert (report.branch_efficiency, report.active_lanes_per_warp) == (1, 0)
    assert (report.global_loads.efficiency, report.shared_loads.conflict_degree) == (1, 1)


def test_totals_add_the_sites_of_one_space_and_operation():
    assert FULL.global_loads == Totals(requests=4, accesses=128, bytes=512, sectors=24)
    assert FULL.global_loads.sectors_per_request == 6
    assert FULL.global_loads.efficiency == pytest.approx(512 / (32 * 24))
    assert FULL.global_stores.sectors == 4
    assert FULL.shared_loads.bank_conflicts == 8
    assert FULL.shared_stores == Totals()


def test_atomics_are_no_loads_and_no_stores():
    assert (FULL.global_atomics, FULL.shared_atomics) == (32, 0)


def test_branches_and_lanes():
    report = Report(
        "k", (1, 1, 1), (32, 1, 1), branches=4, divergent_branches=1, warp_statements=10, lane_statements=160
    )
    assert (report.branch_efficiency, report.active_lanes_per_warp) == (0.75, 16)


def test_a_report_with_a_finding_is_not_ok():
    finding = Finding("race", 3, "a[0] = i", "line 3, a[0] = i: two threads write")
    report = Report("k", (1, 1, 1), (32, 1, 1), findings=[finding])
    assert FULL.ok and not report.ok
    assert str(finding) == finding.message


def test_a_report_is_plain_values_for_storage():
    finding = Finding("race", 3, "a", "m", "a", (0,), (0, 0, 0), (1, 0, 0), (4, (0, 0, 0), (2, 0, 0)), 2)
    stored = json.loads(json.dumps(Report("k", (1, 1, 1), (32, 1, 1), [finding], [LOAD]).to_dict()))
    assert stored["findings"][0]["other"] == [4, [0, 0, 0], [2, 0, 0]]
    assert stored["sites"][0]["sectors"] == 16


def test_errors_carry_their_report_and_show_no_engine_in_a_notebook():
    report = Report(
        "k", (1, 1, 1), (32, 1, 1), [Finding("not-on-gpu", 8, "x", "m")], code="def k():\n    x\n", first_line=7
    )
    error = LaunchError("k cannot run", report)
    assert error.report is report
    shown = error._render_traceback_()
    assert shown[0] == "LaunchError: k cannot run"
    assert "->    8      x" in shown[-1] and "      7  def k():" in shown[-1]
    assert LaunchError("alone")._render_traceback_() == ["LaunchError: alone"]


def test_errors_are_what_python_calls_them():
    assert issubclass(KernelNameError, NameError) and issubclass(KernelTypeError, TypeError)
    assert issubclass(KernelNameError, LaunchError) and issubclass(KernelTypeError, LaunchError)
