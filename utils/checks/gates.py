"""Gates on counters, and named mistakes: what an instructor knows of a task beyond its right answer."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from utils.checks.cases import Case
from utils.checks.compare import Difference
from utils.simt.report import Report, Site

Formula = float | Callable[[Case], float]


@dataclass(frozen=True)
class Gate:
    """A counter that a solution must keep within a bound, judged where the results are right.

    Parameters
    ----------
    name : str
        The counter with its unit, as in ``"global loads, sectors per request"``.
    value : function of a Report
        Reads the counter.
    naive, ideal, gate : number, or function of a Case
        What the plain solution costs, the best possible, and the bound.
    why : str
        Why the number matters, in one sentence.
    points : float
        What meeting it is worth, out of the check's points.
    better : {"lower", "higher"}
        Which way is better: ``"higher"`` for an efficiency.
    """

    name: str
    value: Callable[[Report], float]
    naive: Formula
    ideal: Formula
    gate: Formula
    why: str
    points: float = 1.0
    better: Literal["lower", "higher"] = "lower"


@dataclass(frozen=True)
class GateReading:
    """One gate in one case.

    Attributes
    ----------
    yours, naive, ideal, gate : float
        The counter, and what it is compared with.
    line, source, line_value
        The access that costs most, and its own counter; no line where none stands out.
    excess : float
        How far beyond the gate, relative to it; negative on the good side.
    """

    case: str
    yours: float
    naive: float
    ideal: float
    gate: float
    met: bool
    line: int | None = None
    source: str = ""
    line_value: float = math.nan
    excess: float = 0.0


@dataclass(frozen=True)
class Mistake:
    """A mistake that is known by what it produces.

    It speaks only when every answer that came matches what the mistake produces, and in at least one case
    that is not the right answer.

    Parameters
    ----------
    produces : value, or function of a Case that returns one
        The answer of someone who makes it: for a kernel a dict of outputs, or the array where there is one
        output.
    sentence : str
        What to say: what was done, and what to do instead.
    case : str, optional
        The case that it is about; by default all.
    """

    produces: Any
    sentence: str
    case: str | None = None


def read_gate(gate: Gate, case: Case, report: Report) -> GateReading:
    """Read one gate off the report of one right case."""
    yours = _value(gate, report)
    naive, ideal, bound = (_formula(formula, case) for formula in (gate.naive, gate.ideal, gate.gate))
    met = yours <= bound if gate.better == "lower" else yours >= bound
    excess = (yours - bound) / max(abs(bound), 1e-12) * (1 if gate.better == "lower" else -1)
    excess = math.inf if math.isnan(excess) else excess
    reading = GateReading(case.name, yours, naive, ideal, bound, met, excess=excess)
    site = None if met else _dearest(gate, report)
    if site is None:
        return reading
    return replace(reading, line=site.line, source=site.source, line_value=_value(gate, _only(report, site)))


def mistake_made(
    mistake: Mistake,
    answers: list[tuple[Case, Any, Any]],
    as_expected: Callable[[Case, Any], Any],
    compare: Callable[[Case, Any, Any], list[Difference]],
) -> bool:
    """Return whether `mistake` explains every answer that came, and the reference does not.

    Parameters
    ----------
    answers : list of (Case, answer, expected)
    as_expected : function
        Puts what the mistake produces into the form of what the reference returns.
    compare : function
        Returns how an answer differs from what is expected.
    """
    told_apart = False
    for case, answer, expected in answers:
        if mistake.case not in (None, case.name):
            continue
        produced = mistake.produces(case) if callable(mistake.produces) else mistake.produces
        if compare(case, answer, as_expected(case, produced)):
            return False
        told_apart |= bool(compare(case, answer, expected))
    return told_apart


def _formula(bound: Formula, case: Case) -> float:
    return float(bound(case) if callable(bound) else bound)


def _value(gate: Gate, report: Report) -> float:
    """Return the counter, or NaN, which meets no gate, where the report has nothing to divide by."""
    try:
        return float(gate.value(report))
    except ZeroDivisionError:
        return math.nan


def _only(report: Report, site: Site) -> Report:
    return replace(report, sites=[site])


def _dearest(gate: Gate, report: Report) -> Site | None:
    """Return the access that costs most: the gate's own counter, read for one access at a time."""
    nothing = _value(gate, replace(report, sites=[]))
    costs = [(site, _value(gate, _only(report, site))) for site in report.sites]
    costs = [(site, cost) for site, cost in costs if cost != nothing and not math.isnan(cost)]
    if not costs:
        return None
    worst = max if gate.better == "lower" else min
    return worst(costs, key=lambda pair: pair[1])[0]
