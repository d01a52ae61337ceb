"""The two engines agree on results and on kinds of findings, in either order of the warps."""

import pytest

from tests.simt.zoo.right import RIGHT
from tests.simt.zoo.wrong import WRONG
from utils import connect, simt

SCHEDULES = ("lockstep", "ascending", "descending")


@pytest.fixture(autouse=True, scope="module")
def device():
    return connect()


def test_the_zoo_is_not_empty():
    assert len(RIGHT) >= 25 and len(WRONG) >= 25
    assert len({case.name for case in RIGHT}) == len(RIGHT)


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("case", RIGHT, ids=lambda case: case.name)
def test_a_right_kernel_is_right_and_draws_no_finding(case, schedule):
    args = case.args()
    report = simt.profile(case.kernel, case.grid, case.block, *args, schedule=schedule, shared_bytes=case.shared_bytes)
    assert report.findings == []
    assert report.kernel == case.name
    if schedule != "lockstep":
        assert report.engine == "scalar" and report.why
    case.compare(args)


@pytest.mark.parametrize("case", RIGHT, ids=lambda case: case.name)
def test_a_plain_launch_gives_the_same_and_says_nothing(case, device, capsys):
    if not device.simulated:
        pytest.skip("tests/gpu compares real launches")
    args = case.args()
    case.kernel[case.grid, case.block, 0, case.shared_bytes](*args)
    case.compare(args)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("case", RIGHT, ids=lambda case: case.name)
def test_other_inputs_too(case, seed):
    args = case.args(seed)
    report = simt.profile(case.kernel, case.grid, case.block, *args, shared_bytes=case.shared_bytes)
    assert report.ok
    case.compare(args, seed)


def test_awkward_kernels_stay_on_the_lane_engine():
    names = {
        "vadd",
        "mandelbrot",
        "collatz",
        "sum_until",
        "walk",
        "matmul_tiled",
        "stencil",
        "block_sums",
        "scan",
        "histogram",
        "histogram_private",
        "compact",
        "warp_sum",
        "median_of_five",
        "sums_of_48",
    }
    for case in (case for case in RIGHT if case.name in names):
        report = simt.profile(case.kernel, case.grid, case.block, *case.args(), shared_bytes=case.shared_bytes)
        assert report.engine == "lane", (case.name, report.why)


@pytest.mark.parametrize("schedule", SCHEDULES[1:])
@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.name)
def test_a_wrong_kernel_is_wrong_in_every_order(wrong, schedule):
    report = simt.profile(
        wrong.kernel, wrong.grid, wrong.block, *wrong.args(), schedule=schedule, readonly=wrong.readonly
    )
    drawn, wanted = {f.kind for f in report.findings}, {e.kind for e in wrong.findings}
    if wrong.by_order:
        assert wanted <= drawn <= wanted | {"uninitialised-read"}
    else:
        assert drawn == wanted


def test_warps_one_after_another_show_the_effect_that_lockstep_hides():
    """Does a missing barrier change the result as soon as warps do not march in step?"""
    wrong = next(wrong for wrong in WRONG if wrong.name == "reverse")
    x, out = wrong.args()
    simt.profile(wrong.kernel, wrong.grid, wrong.block, x, out)
    assert (out == x[::-1]).all()
    for schedule in SCHEDULES[1:]:
        x, out = wrong.args()
        simt.profile(wrong.kernel, wrong.grid, wrong.block, x, out, schedule=schedule)
        assert (out != x[::-1]).any()
