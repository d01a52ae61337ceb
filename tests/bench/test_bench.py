"""The benchmark measures right results, and its table says what was measured."""

import pytest

from tests.bench.__main__ import checked, median_seconds, plain, table
from tests.bench.cases import QUICK, bench_cases
from utils import connect


@pytest.fixture(autouse=True, scope="module")
def device():
    return connect()


def test_the_quick_set_is_part_of_the_six():
    assert len(bench_cases()) == 6 and set(QUICK) < set(bench_cases())


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("way", [plain, checked], ids=["plain", "checked"])
def test_a_measured_launch_is_checked(name, way, device):
    if not device.simulated:
        pytest.skip("there is a real GPU here, and a plain launch would be timed on it")
    case = bench_cases()[name]
    assert median_seconds(way(case), case) > 0
    with pytest.raises(AssertionError):
        median_seconds(lambda args: None, case)


def test_the_table_has_a_row_for_each_kernel_and_the_mean_last():
    row = {"kernel": "copy", "numba_s": 2.0, "plain_s": 1e-3, "checked_s": 4e-3}
    lines = table([row | {"plain_ratio": 2000.0, "checked_ratio": 500.0}], {"plain": 2000.0, "checked": 500.0})
    head, body, foot = lines.splitlines()
    assert "plain (ms)" in head and body.split() == ["copy", "2.00", "1.00", "2,000", "4.00", "500"]
    assert foot.split() == ["geometric", "mean", "2,000", "500"]
