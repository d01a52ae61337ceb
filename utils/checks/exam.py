"""An exam: all that a judge knows of one task. It stays with the judge and never meets a learner's code."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from utils.checks.cases import Case
from utils.checks.compare import Difference, Expected, Tolerance, differences
from utils.checks.evidence import Evidence
from utils.checks.gates import Gate, Mistake


@dataclass(frozen=True)
class Exam:
    """The reference of a task, and how its points are shared out.

    Attributes
    ----------
    subject : str
        The name of what is checked.
    reference : function
        Takes arguments by name, as many as it names, and returns what is expected.
    points : float
        What all cases, hidden ones included, are worth.
    ops : int
        Roundings on the longest path to one result.
    gates, mistakes
        See `utils.checks.gates`.
    scratch : tuple of str
        Arguments that may change and are not compared.
    of_kernel : bool
        Whether answers are arguments that a kernel wrote, rather than a function's result.
    reveal : bool
        Whether a learner may read the right answer beside a wrong one.
    """

    subject: str
    reference: Callable[..., Any]
    points: float
    ops: int = 1
    gates: tuple[Gate, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    scratch: tuple[str, ...] = ()
    of_kernel: bool = False
    reveal: bool = True

    def __post_init__(self) -> None:
        if not 0 < self.points < float("inf"):
            raise ValueError(f"points is {self.points}; it must be a number above 0.")
        if sum(gate.points for gate in self.gates) > self.points:
            raise ValueError("The gates are worth more points than the check.")
        if self.ops < 0:
            raise ValueError(f"ops is {self.ops}; it must be 0 or more.")

    @property
    def _root(self) -> str:
        """What differences call the whole answer; a kernel's outputs go by their own names."""
        return "" if self.of_kernel else "result"

    def expected(self, case: Case) -> Any:
        """Return what the reference expects of `case`."""
        return self.as_expected(case, call_by_name(self.reference, case.widened()))

    def as_expected(self, case: Case, value: Any) -> Any:
        """Return `value`, a reference's or a mistake's, in the form in which answers are compared.

        A kernel's outputs become a dict, each in the type of its buffer; one array alone is the only array
        that the reference does not take.
        """
        if not self.of_kernel:
            return value
        arguments = case.build()
        outputs = value if isinstance(value, dict) else {self._only_output(arguments): value}
        return {name: _in_buffer(name, part, arguments) for name, part in outputs.items()}

    def compare(self, case: Case, answer: Any, expected: Any, before: dict[str, Any] | None = None) -> list[Difference]:
        """Return how `answer` differs from `expected`; `before` is what outputs held before the call."""
        return differences(answer, expected, Tolerance(self.ops, case.float_type()), self._root, before)

    def answer(self, evidence: Evidence, expected: Any) -> Any:
        """Return the part of `evidence` that is compared with `expected`."""
        return {name: evidence.arguments.get(name) for name in expected} if self.of_kernel else evidence.result

    def _only_output(self, arguments: dict[str, Any]) -> str:
        taken = set(inspect.signature(self.reference).parameters) | set(self.scratch)
        left = [name for name, part in arguments.items() if isinstance(part, np.ndarray) and name not in taken]
        if len(left) != 1:
            raise ValueError("The reference returns one array and leaves open which output it is: return a dict.")
        return left[0]


def call_by_name(function: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    """Call `function` with those of `arguments` that it names."""
    parameters = inspect.signature(function).parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return function(**arguments)
    return function(**{p.name: arguments[p.name] for p in parameters if p.name in arguments})


def _in_buffer(name: str, value: Any, arguments: dict[str, Any]) -> Expected:
    """Return the expected contents of one output, checked against the buffer that the case brings."""
    buffer = arguments.get(name)
    if not isinstance(buffer, np.ndarray):
        raise ValueError(f"The reference returns {name!r}, and the case has no array of that name.")
    expected = value if isinstance(value, Expected) else Expected(value)
    contents = np.asarray(expected.value)
    if contents.shape != buffer.shape:
        raise ValueError(f"The reference gives {name!r} the shape {contents.shape}; its buffer has {buffer.shape}.")
    return replace(expected, value=contents, dtype=buffer.dtype)
