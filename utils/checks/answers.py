"""Checks of functions, and of answers that are plain values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from utils.checks.cases import Case
from utils.checks.check import Check
from utils.checks.evidence import Evidence, Trouble, gather
from utils.checks.exam import Exam
from utils.checks.gates import Mistake
from utils.checks.values import NotPlainError, describe, plain, plain_items
from utils.checks.wording import number

TAKEN = "A check takes numbers, text, NumPy arrays, and tuples, lists or dicts of these."


def check_function(
    function: Any,
    reference: Callable[..., Any],
    cases: Sequence[Case],
    *,
    points: float,
    hidden: int = 0,
    ops: int = 1,
    mistakes: Sequence[Mistake] = (),
    scratch: Sequence[str] = (),
    name: str | None = None,
) -> Check:
    """Check a function by what it returns.

    Parameters
    ----------
    function : callable
        The learner's; called with the arguments of each case in their order.
    reference : function
        Takes the arguments by name, as many as it names, floats in float64 and integers in 64 bits; returns a
        number, text, an array, a `utils.checks.Expected`, or containers of these. Arrays must agree in shape
        and type.
    cases : sequence of Case
        The visible cases.
    points, hidden, ops, mistakes, scratch, name
        As in `utils.checks.check_kernel`.
    """
    subject = name or (function.__name__ if type(function) is FunctionType else "function")
    exam = Exam(subject, reference, points, ops, mistakes=tuple(mistakes), scratch=tuple(scratch))
    return Check(exam, FunctionQuestion(function), cases, hidden)


def check_answer(
    answers: Any,
    expected: Any = None,
    *,
    points: float,
    hidden: int = 0,
    ops: int = 4,
    mistakes: Sequence[Mistake] = (),
    reveal: bool = False,
    name: str = "answer",
) -> AnswerCheck:
    """Check predictions: plain values that a learner wrote down.

    Parameters
    ----------
    answers : dict of str to value, or one value
        The learner's answers by name; ``...`` and None stand for none yet.
    expected : dict, value, or function without arguments that returns one
        What is expected, for those answers that are compared at once. A function can count it in a simulated
        run, so that the cell does not tell it. The others follow with `hidden`, by name.
    points, hidden, mistakes, name
        As in `utils.checks.check_kernel`; a mistake names the answer it is about with ``case=``.
    ops : int
        Roundings of float64 that an answer may carry.
    reveal : bool
        Whether a wrong answer is shown beside the right one.
    """
    if not isinstance(answers, Mapping):
        answers = {name: answers}
        expected = None if expected is None else {name: expected() if callable(expected) else expected}
    known = expected() if callable(expected) else expected or {}
    return AnswerCheck(dict(answers), known, points, hidden, ops, mistakes, reveal, name)


class AnswerCheck(Check):
    """A check of answers by name: each is one case."""

    def __init__(
        self,
        answers: dict[str, Any],
        expected: Mapping[str, Any],
        points: float,
        hidden: int,
        ops: int,
        mistakes: Sequence[Mistake],
        reveal: bool,
        name: str,
    ) -> None:
        self._answers = answers
        self._expected: dict[str, Any] = {}
        exam = Exam(name, lambda answer: self._expected[answer], points, ops, mistakes=tuple(mistakes), reveal=reveal)
        super().__init__(exam, AnswerQuestion(answers), self._learn(expected), hidden)
        self._notes = self._received()

    def hidden(self, cases: Any) -> None:
        """Add what is expected of the other answers: a dict, or the value of a single answer."""
        if not isinstance(cases, Mapping):
            cases = {self._exam.subject: cases}
        super().hidden(self._learn(cases))
        self._notes = self._received()

    def _learn(self, expected: Mapping[str, Any]) -> list[Case]:
        unknown = set(expected) - set(self._answers)
        if unknown:
            raise ValueError(f"No answer is called {', '.join(sorted(unknown))}.")
        self._expected.update(expected)
        return [Case(name, {"answer": name}) for name in expected]

    def _received(self) -> tuple[str, ...]:
        """Return a note for each answer that is compared only when graded: its form can be mended now."""
        notes = []
        for name in self._answers:
            if name in self._expected:
                continue
            found = AnswerQuestion(self._answers)(Case(name, {}))
            words = found.trouble.message if found.trouble else f"{_short(found.result)}, compared when graded."
            notes.append(f"{name}: {words}")
        return tuple(notes)


@dataclass(frozen=True)
class FunctionQuestion:
    """Calls one function with the arguments of a case."""

    function: Any

    def __call__(self, case: Case) -> Evidence:
        """Return what the function returned, and the arguments after the call."""
        return gather(lambda: self._call(case))

    def _call(self, case: Case) -> Evidence:
        if not callable(self.function):
            message = f"This is {describe(self.function)}, not a function: its name was given to something else."
            return Evidence(trouble=Trouble("wrong-object", message))
        arguments = case.build()
        try:
            result = plain(self.function(*arguments.values()))
        except NotPlainError as refusal:
            return Evidence(trouble=Trouble("not-plain", f"It returns {refusal}. {TAKEN}"))
        return Evidence(result=result, arguments=plain_items(arguments))


@dataclass(frozen=True)
class AnswerQuestion:
    """Reads one answer by its name."""

    answers: Mapping[str, Any]

    def __call__(self, case: Case) -> Evidence:
        """Return the answer as a plain value."""
        return gather(lambda: self._read(case))

    def _read(self, case: Case) -> Evidence:
        value = self.answers[case.name]
        if value is None or value is Ellipsis:
            return Evidence(trouble=Trouble("not-written", "no answer yet"))
        try:
            return Evidence(result=plain(value), arguments=plain_items(case.build()))
        except NotPlainError as refusal:
            return Evidence(trouble=Trouble("not-plain", f"It is {refusal}. {TAKEN}"))


def _short(value: Any) -> str:
    return number(value) if isinstance(value, bool | int | float | complex | str) else describe(value)
