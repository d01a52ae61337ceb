"""From evidence to a verdict: which cases are right, which gates are met, how many points, and why.

Nothing here runs a learner's code. The points of a check are shared out before it starts: each gate has its
own, the rest is for results, and every case, hidden ones included, carries an equal part of both. So a
release without its hidden cases earns its visible share, and the parts add up to the whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from utils.checks import feedback
from utils.checks.cases import Case
from utils.checks.compare import Difference
from utils.checks.evidence import Evidence, Trouble
from utils.checks.exam import Exam
from utils.checks.gates import Gate, GateReading, mistake_made, read_gate
from utils.checks.values import plain, plain_items, same
from utils.simt.report import Finding


@dataclass(frozen=True)
class Outcome:
    """One case, judged.

    Attributes
    ----------
    right : bool
        The answer agrees, and nothing else was found.
    changed : tuple of str
        Inputs that were changed and must not be.
    near : dict of str to number
        The arguments at the first wrong element.
    idle : bool
        The right answer is what was there before the call: a kernel that does nothing is right as well.
    """

    case: str
    right: bool
    trouble: Trouble | None = None
    findings: tuple[Finding, ...] = ()
    differences: tuple[Difference, ...] = ()
    changed: tuple[str, ...] = ()
    near: dict[str, Any] = field(default_factory=dict)
    idle: bool = False
    why: str = ""


@dataclass(frozen=True)
class GateOutcome:
    """One gate over all cases: its worst reading, None where no result was right."""

    gate: Gate
    reading: GateReading | None

    @property
    def met(self) -> bool:
        """Whether it was read, and met wherever it was read."""
        return self.reading is not None and self.reading.met


@dataclass(frozen=True)
class Verdict:
    """Points and reasons; `utils.checks.feedback` puts them into words.

    Attributes
    ----------
    points, available, earned : float
        What the whole check is worth, what the cases seen so far are worth, and what was earned.
    remaining : int
        Cases that come when graded.
    hints : tuple of str
        The sentences of the mistakes that were recognised.
    notes : tuple of str
        What else a learner should read, such as answers that are compared only when graded.
    reveal : bool
        Whether the words may tell the right answer; a prediction's stays the learner's to find.
    """

    subject: str
    points: float
    available: float
    earned: float
    remaining: int
    outcomes: tuple[Outcome, ...] = ()
    gates: tuple[GateOutcome, ...] = ()
    hints: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    reveal: bool = True

    @property
    def common(self) -> Trouble | None:
        """The trouble that no case can escape: still the starter's code, or no kernel at all."""
        troubles = [outcome.trouble for outcome in self.outcomes]
        kinds = {trouble.kind if trouble else "" for trouble in troubles}
        return troubles[0] if kinds in ({"not-written"}, {"wrong-object"}) else None

    def __str__(self) -> str:
        return feedback.text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return feedback.html_fragment(self)


def judge(
    exam: Exam,
    cases: Sequence[Case],
    evidence: Sequence[Evidence],
    remaining: int = 0,
    notes: Sequence[str] = (),
) -> Verdict:
    """Judge the evidence of `cases`, in the same order; `remaining` more cases have not been asked."""
    seen = [(case, found, exam.expected(case)) for case, found in zip(cases, evidence, strict=True)]
    outcomes = tuple(_outcome(exam, *one) for one in seen)
    right = [one for one, outcome in zip(seen, outcomes, strict=True) if outcome.right]
    gates = tuple(_gate_outcome(gate, right) for gate in exam.gates)
    total = len(cases) + remaining
    answers = [
        (case, exam.answer(found, expected), expected) for case, found, expected in seen if found.trouble is None
    ]
    return Verdict(
        subject=exam.subject,
        points=float(exam.points),
        available=_rounded(Fraction(exam.points) * Fraction(len(cases), max(1, total)), exam.points),
        earned=_rounded(_earned(exam, outcomes, gates, total), exam.points),
        remaining=remaining,
        outcomes=outcomes,
        gates=gates,
        hints=tuple(m.sentence for m in exam.mistakes if mistake_made(m, answers, exam.as_expected, exam.compare)),
        notes=tuple(notes),
        reveal=exam.reveal,
    )


def _outcome(exam: Exam, case: Case, evidence: Evidence, expected: Any) -> Outcome:
    findings = tuple(evidence.report.findings) if evidence.report else ()
    if evidence.trouble is not None:
        return Outcome(case.name, False, evidence.trouble, findings, why=case.why)
    before = case.build()
    written = set(expected) if exam.of_kernel else set()
    wrong = tuple(exam.compare(case, exam.answer(evidence, expected), expected, before))
    inputs = {name: value for name, value in plain_items(before).items() if name not in (*written, *exam.scratch)}
    changed = tuple(name for name, value in inputs.items() if not same(value, evidence.arguments.get(name)))
    idle = exam.of_kernel and not exam.compare(case, {name: before[name] for name in expected}, expected)
    return Outcome(
        case=case.name,
        right=not (wrong or changed or findings),
        findings=findings,
        differences=wrong,
        changed=changed,
        near=_near(wrong, before, written) if wrong else {},
        idle=idle,
        why=case.why,
    )


def _near(wrong: tuple[Difference, ...], before: dict[str, Any], written: set[str]) -> dict[str, Any]:
    """Return the inputs at the first wrong element: numbers, and elements of arrays of the same shape."""
    first = wrong[0]
    output = before.get(first.name)
    if first.kind != "value" or not isinstance(output, np.ndarray):
        return {}
    near: dict[str, Any] = {}
    for name, value in before.items():
        if isinstance(value, np.ndarray) and value.shape == output.shape and name not in written:
            near[f"{name}[{', '.join(map(str, first.index))}]"] = value[first.index].item()
        elif isinstance(value, np.number | int | float) and not isinstance(value, bool):
            near[name] = plain(value)
    return near


def _gate_outcome(gate: Gate, right: list[tuple[Case, Evidence, Any]]) -> GateOutcome:
    readings = [read_gate(gate, case, found.report) for case, found, _ in right if case.gated and found.report]
    return GateOutcome(gate, max(readings, key=lambda reading: reading.excess, default=None))


def _earned(exam: Exam, outcomes: tuple[Outcome, ...], gates: tuple[GateOutcome, ...], total: int) -> Fraction:
    """Return the points, exactly: fractions add up to the whole where floats might pass it."""
    working = [outcome for outcome in outcomes if outcome.right and not outcome.idle]
    # A kernel that does nothing is right on empty arrays; that counts only beside a case that asks for work.
    right = sum(outcome.right for outcome in outcomes) if working else 0
    share = Fraction(right, max(1, total))
    for_gates = sum((Fraction(gate.points) for gate in exam.gates), Fraction(0))
    met = sum((Fraction(outcome.gate.points) for outcome in gates if outcome.met), Fraction(0))
    return share * (Fraction(exam.points) - for_gates + met)


def _rounded(value: Fraction, points: float) -> float:
    """Return points as a float: the whole as it is, less with two decimals that do not reach the whole."""
    short = round(float(value), 2)
    whole = value == Fraction(points)
    return float(points) if whole else short if short < points else float(value)
