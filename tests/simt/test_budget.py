"""A launch has so much work and no more, the same on every machine."""

import numpy as np
import pytest
from numba import cuda

from utils import connect, simt
from utils.simt import budget
from utils.simt.budget import Budget, BudgetSpent


@pytest.fixture(autouse=True, scope="module")
def device():
    return connect()


@cuda.jit
def forever(out):
    i = cuda.grid(1)
    while out[i] >= 0:
        out[i] += 1  # <- here


@cuda.jit
def far(out):
    for k in range(10**15):
        out[0] = k


@cuda.jit
def some(out):
    i = cuda.grid(1)
    for _ in range(20):
        out[i] += 1


def test_work_costs_by_statements_and_lanes():
    left = Budget(1000)
    left.spend(2, 0)
    assert left.left == 800
    left.spend(1, 320)
    assert left.left == 690
    with pytest.raises(BudgetSpent):
        left.spend(7, 0)
    left.renew()
    assert left.left == 1000


@pytest.mark.parametrize("schedule", ["lockstep", "ascending"])
@pytest.mark.parametrize("kernel", [forever, far], ids=["while", "for"])
def test_an_endless_loop_is_a_finding_at_its_line(monkeypatch, kernel, schedule):
    monkeypatch.setattr(budget, "LIMIT", 200_000)
    report = simt.profile(kernel, 1, 32, np.zeros(32), schedule=schedule)
    stopped = [finding for finding in report.findings if finding.kind == "budget"]
    assert len(stopped) == 1
    assert stopped[0].source in (
        "while out[i] >= 0:",
        "out[i] += 1  # <- here",
        "for k in range(10**15):",
        "out[0] = k",
    )
    assert "On a GPU it would hang" in stopped[0].message and str(stopped[0].line) in stopped[0].message


def test_a_larger_grid_gets_a_larger_budget(monkeypatch):
    """Does each batch of blocks start with a full budget?"""
    monkeypatch.setattr("utils.simt.launch.LANES_AT_ONCE", 32)
    monkeypatch.setattr(budget, "LIMIT", 40_000)
    out = np.zeros(32 * 32)
    assert simt.profile(some, 32, 32, out, check=False).ok
    assert (out == 20).all()
    monkeypatch.setattr(budget, "LIMIT", 4_000)
    assert not simt.profile(some, 32, 32, np.zeros(32 * 32), check=False).ok
