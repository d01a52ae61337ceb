"""A check: a task's visible cases, the hidden ones where they are given, the points of those asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from utils.checks import feedback
from utils.checks.capture import capture
from utils.checks.cases import Case
from utils.checks.evidence import Evidence, Trouble
from utils.checks.exam import Exam
from utils.checks.verdict import Verdict, judge

Question = Callable[[Case], Evidence]


class Check:
    """One task's check. Made by `check_kernel`, `check_function` or `check_answer`; read by its `points`.

    Parameters
    ----------
    exam : Exam
        What the judge knows.
    ask : function of a Case that returns Evidence
        How evidence is gathered: here in this process, in grading from a worker.
    cases : sequence of Case
        The visible cases.
    hidden : int
        How many cases come with `hidden`. A release, which lacks them, gives the visible cases' share of the
        points.
    """

    def __init__(self, exam: Exam, ask: Question, cases: Sequence[Case], hidden: int = 0) -> None:
        if hidden < 0 or len(cases) + hidden == 0:
            raise ValueError("A check needs at least one case.")
        self._exam = exam
        self._ask = ask
        self._cases = list(cases)
        self._remaining = hidden
        self._notes: tuple[str, ...] = ()
        self._verdict: Verdict | None = None
        self._distinct()

    def hidden(self, cases: Sequence[Case]) -> None:
        """Add the hidden cases: as many as were declared, so that the points add up."""
        if len(cases) != self._remaining:
            raise ValueError(f"The check declares hidden={self._remaining}, and here are {len(cases)} hidden cases.")
        self._cases += cases
        self._remaining = 0
        self._verdict = None
        self._distinct()

    @property
    def points(self) -> float:
        """The points earned, from 0 to the check's; asked, judged and shown on the first reading."""
        return self.verdict.earned

    @property
    def verdict(self) -> Verdict:
        """The verdict; asked for, judged and shown on the first reading."""
        if self._verdict is None:
            with capture() as ours:
                evidence = self._gather()
                verdict = judge(self._exam, self._cases, evidence, self._remaining, self._notes)
            printed = [(case.name, found.printed) for case, found in zip(self._cases, evidence, strict=True)]
            feedback.show(verdict, [*printed, ("the check itself", ours.text)])
            self._verdict = verdict
        return self._verdict

    def _gather(self) -> list[Evidence]:
        evidence: list[Evidence] = []
        for case in self._cases:
            endless = evidence and _endless(evidence[-1])
            evidence.append(_not_asked() if endless else self._ask(case))
        return evidence

    def _distinct(self) -> None:
        names = [case.name for case in self._cases]
        if len(set(names)) != len(names):
            raise ValueError(f"Two cases of one check share a name: {', '.join(names)}.")

    def __repr__(self) -> str:
        return f"<check of {self._exam.subject}: end the cell with .points>"


def _endless(evidence: Evidence) -> bool:
    """Return whether a launch used up its budget: each further case would use up as much."""
    if evidence.trouble is not None and evidence.trouble.kind == "not-asked":
        return True
    return evidence.report is not None and any(finding.kind == "budget" for finding in evidence.report.findings)


def _not_asked() -> Evidence:
    return Evidence(trouble=Trouble("not-asked", "The launch of the case before did not end."))
