"""Checks of kernels: run on the simulated GPU, compared with NumPy, gated on counters.

The simulated launch decides: it finds what a lucky run hides, and gives the same points on every machine. A
result from a real GPU belongs beside it, in `KernelQuestion`, as one more thing observed.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from utils import simt
from utils.checks.cases import Case
from utils.checks.check import Check
from utils.checks.evidence import Evidence, Trouble, gather, not_written
from utils.checks.exam import Exam
from utils.checks.gates import Gate, Mistake
from utils.checks.values import describe, plain_items
from utils.simt.report import Report

KERNEL_MODULES = ("numba.cuda.", "numba_cuda.", "utils.simt.")


def check_kernel(
    kernel: Any,
    reference: Callable[..., Any],
    cases: Sequence[Case],
    *,
    points: float,
    hidden: int = 0,
    ops: int = 1,
    gates: Sequence[Gate] = (),
    mistakes: Sequence[Mistake] = (),
    scratch: Sequence[str] = (),
    name: str | None = None,
) -> Check:
    """Check a kernel.

    Parameters
    ----------
    kernel : numba.cuda kernel
        The learner's; anything else is told what it is.
    reference : function
        Takes the arguments by name, as many as it names, floats in float64 and integers in 64 bits; returns a
        dict of expected outputs. One array alone is taken for the array argument that the reference does not
        name.
    cases : sequence of Case
        The visible cases, at least one.
    points : float
        What the whole task is worth, hidden cases and gates included.
    hidden : int
        How many cases follow in the hidden part.
    ops : int
        Roundings on the longest path to one output; 0 asks for exact equality. Integers are always exact.
    gates : sequence of Gate
        Counters to keep; their points come out of `points`.
    mistakes : sequence of Mistake
    scratch : sequence of str
        Array arguments that the kernel may write and nobody compares; other inputs must not change.
    name : str, optional
        What to call the kernel; by default its own name.
    """
    if not cases:
        raise ValueError("check_kernel() needs a visible case.")
    subject = name or (_kernel_function(kernel).__name__ if not _no_kernel(kernel) else "kernel")
    exam = Exam(subject, reference, points, ops, tuple(gates), tuple(mistakes), tuple(scratch), of_kernel=True)
    return Check(exam, KernelQuestion(kernel, (*exam.expected(cases[0]), *scratch)), cases, hidden)


@dataclass(frozen=True)
class KernelQuestion:
    """Launches one kernel on the arguments of a case; `writable` names the arguments it may write."""

    kernel: Any
    writable: tuple[str, ...]

    def __call__(self, case: Case) -> Evidence:
        """Return the arguments after the launch, and its report."""
        if case.grid is None or case.block is None:
            raise ValueError(f"{case!r} has no launch: give it grid= and block=.")
        return gather(lambda: self._launch(case))

    def _launch(self, case: Case) -> Evidence:
        refusal = _no_kernel(self.kernel)
        if refusal:
            return Evidence(trouble=Trouble("wrong-object", refusal))
        function = _kernel_function(self.kernel)
        gap = _gap(function)
        if gap is not None:
            return Evidence(trouble=gap)
        arguments = case.build()
        parameters = list(inspect.signature(function).parameters)
        if len(parameters) != len(arguments):
            given = _list(list(arguments))
            message = f"{function.__name__} takes {_list(parameters)}, and is launched with {given}."
            return Evidence(trouble=Trouble("wrong-object", message))
        readonly = tuple(
            parameter
            for parameter, (name, value) in zip(parameters, arguments.items(), strict=True)
            if isinstance(value, np.ndarray) and name not in self.writable
        )
        report: Report = simt.profile(
            self.kernel,
            case.grid,
            case.block,
            *arguments.values(),
            shared_bytes=case.shared_bytes,
            readonly=readonly,
        )
        return Evidence(arguments=plain_items(arguments), report=report)


def _no_kernel(kernel: Any) -> str:
    """Return why `kernel` is no kernel, in a sentence; empty where it is one."""
    kind = type(kernel)
    if kind is FunctionType:
        return f"{kernel.__name__} is a Python function. Put @cuda.jit above it: then it is a kernel."
    if kind.__module__.startswith("numba.core"):
        return "This is compiled for the CPU (numba.jit). A kernel has @cuda.jit above it."
    if not (kind.__module__ + ".").startswith(KERNEL_MODULES):
        return f"This is {describe(kernel)}, not a kernel: its name was given to something else."
    if not hasattr(kernel, "py_func"):
        return "This is not a kernel by itself. Hand over its name alone, without [grid, block]."
    if getattr(kernel, "targetoptions", {}).get("device") or getattr(kernel, "_device", False):
        return "This is a device function, which kernels call. A kernel's @cuda.jit has no device=True."
    return ""


def _kernel_function(kernel: Any) -> FunctionType:
    function: FunctionType = kernel.py_func
    return function


def _gap(function: FunctionType) -> Trouble | None:
    """Return trouble where the kernel, or a device function that it calls, is still the starter's."""
    for part in _with_called(function, set()):
        line = not_written(part.__code__)
        if line is not None:
            return Trouble("not-written", part.__name__, "NotImplementedError", line, "raise NotImplementedError")
    return None


def _with_called(function: FunctionType, seen: set[CodeType]) -> list[FunctionType]:
    """Return `function` and the device functions that it names, transitively."""
    seen.add(function.__code__)
    closed = inspect.getclosurevars(function).nonlocals
    named = [{**function.__globals__, **closed}.get(name) for name in (*function.__code__.co_names, *closed)]
    found = [function]
    for value in named:
        compiled = type(value).__module__.startswith("numba")
        inner = getattr(value, "py_func", None) if compiled else value
        if type(inner) is FunctionType and inner.__code__ not in seen:
            found += _with_called(inner, seen)
    return found


def _list(names: list[str]) -> str:
    return f"{len(names)} arguments ({', '.join(names)})" if len(names) != 1 else f"1 argument ({names[0]})"
