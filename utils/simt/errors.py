"""Errors for people: the learner's line, and what to try; never a traceback through the engine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

from utils.simt.batch import Geometry
from utils.simt.budget import BudgetSpent
from utils.simt.report import Finding, KernelNameError, KernelTypeError, LaunchError, Report
from utils.simt.source import KernelSource, NotOnGpu, UndefinedName, python_function


def impossible_launch(
    source: KernelSource, geometry: Geometry, reason: str, kind: type[LaunchError] = LaunchError
) -> LaunchError:
    """Return the error for a launch configuration, or arguments, that no GPU takes."""
    line = source.first_line + source.definition.lineno - 1
    return _error(kind, source.name, source, geometry, line, reason)


def not_on_gpu(kernel: Any, geometry: Geometry, refusal: NotOnGpu) -> LaunchError:
    """Return the error for a kernel that lowering refused."""
    source = refusal.source
    name = source.name if source else getattr(python_function(kernel), "__name__", "kernel")
    kind = KernelNameError if isinstance(refusal, UndefinedName) else LaunchError
    return _error(kind, name, source, geometry, refusal.line, refusal.reason)


def endless(source: KernelSource, spent: BudgetSpent) -> Finding:
    """Return the finding for a kernel that did not end."""
    line = learner_line(source, spent.__traceback__) or source.first_line
    statement = source.statement(line)
    message = (
        f"line {line}, {statement.rstrip(':')}: the kernel was stopped here, after more steps than any exercise needs. "
        "On a GPU it would hang, unless one thread merely does work that thousands could share. "
        "Does the loop's condition ever become false in every thread?"
    )
    return Finding("budget", line, statement, message)


@contextmanager
def explained(source: KernelSource, geometry: Geometry) -> Iterator[None]:
    """Turn an error inside a lowered kernel into a `LaunchError` that names the learner's line."""
    try:
        yield
    except NotOnGpu as refusal:
        refusal.source = refusal.source or source
        raise not_on_gpu(None, geometry, refusal) from None
    except (TypeError, NameError, ValueError, AttributeError, IndexError) as error:
        line = learner_line(source, error.__traceback__)
        if line is None:  # a fault of the engine's own: let it be seen
            raise
        made = _error(KernelTypeError, source.name, source, geometry, line, _plain(str(error)))
        raise made from None


def learner_line(source: KernelSource, traceback: TracebackType | None) -> int | None:
    """Return the innermost line of the learner's file that an exception passed through."""
    line = None
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == source.filename and "R" in traceback.tb_frame.f_locals:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line


def _plain(text: str) -> str:
    return re.sub(r"\bv_", "", text)


def _error(
    kind: type[LaunchError],
    name: str,
    source: KernelSource | None,
    geometry: Geometry,
    line: int,
    reason: str,
) -> LaunchError:
    statement = source.statement(line) if source else ""
    shown = f"line {line}, {statement.rstrip(':')}: {reason}" if statement else f"line {line}: {reason}"
    finding = Finding("not-on-gpu", line, statement, shown)
    report = Report(
        kernel=name,
        grid=geometry.grid,
        block=geometry.block,
        findings=[finding],
        code=source.text if source else "",
        first_line=source.first_line if source else 1,
    )
    return kind(f"{name} cannot run on a GPU. {shown}", report)
