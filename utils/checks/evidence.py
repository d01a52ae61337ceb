"""Evidence: what happened when a learner's code was asked one question, in plain values.

Gathering never judges, and holds no reference. All that it hands over is arrays, numbers, text and a launch
report, never a learner's object: a worker process can gather what a judge elsewhere compares.
"""

from __future__ import annotations

import dis
import os
import sysconfig
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import CodeType, TracebackType
from typing import Any, Literal

from utils.checks.capture import capture
from utils.simt.report import LaunchError, Report

MAX_MESSAGE = 500

TroubleKind = Literal["not-written", "not-asked", "wrong-object", "not-plain", "error", "exit", "refused"]

_UTILS = str(Path(__file__).resolve().parents[1])
_LIBRARIES = [sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")]
_NOT_THEIRS = tuple(folder + os.sep for folder in (_UTILS, *_LIBRARIES))


@dataclass(frozen=True)
class Trouble:
    """Why there is no answer to compare.

    Attributes
    ----------
    kind : str
        ``not-written`` (still the starter), ``not-asked`` (after a launch that did not end), ``wrong-object``
        (no kernel, no function), ``not-plain`` (an answer of a kind no check takes), ``error`` (an
        exception), ``exit`` (an attempt to end Python), ``refused`` (a launch that no GPU would run).
    message : str
        The exception's text, or a whole sentence.
    error : str
        The exception's type name; empty without one.
    line : int or None
        Line in the learner's cell or file.
    source : str
        The statement at that line.
    """

    kind: TroubleKind
    message: str
    error: str = ""
    line: int | None = None
    source: str = ""


@dataclass(frozen=True)
class Evidence:
    """The answer to one question.

    Attributes
    ----------
    result : plain value
        What a function returned; None for a kernel.
    arguments : dict of str to plain value
        The arguments after the call, by name.
    report : Report or None
        The launch report of a kernel.
    trouble : Trouble or None
        Why there is no answer.
    printed : str
        What the code printed or meant for stderr.
    """

    result: Any = None
    arguments: dict[str, Any] = field(default_factory=dict)
    report: Report | None = None
    trouble: Trouble | None = None
    printed: str = ""


def gather(act: Callable[[], Evidence]) -> Evidence:
    """Run `act` and return its evidence; whatever it raises becomes a `Trouble`, whatever it says is kept.

    Only KeyboardInterrupt passes: it is the learner's own hand.
    """
    with capture() as spoken:
        try:
            evidence = act()
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # SystemExit too: a learner's code must not end the check
            evidence = Evidence(trouble=_trouble(error), report=_report(error))
    return replace(evidence, printed=spoken.text)


def not_written(code: CodeType) -> int | None:
    """Return the line on which `code` raises NotImplementedError, or None where it does not name it."""
    if "NotImplementedError" not in code.co_names:
        return None
    for step in dis.get_instructions(code):
        if step.argval == "NotImplementedError" and step.positions is not None:
            return step.positions.lineno
    return code.co_firstlineno


def _trouble(error: BaseException) -> Trouble:
    kind: TroubleKind = "error"
    if isinstance(error, NotImplementedError):
        kind = "not-written"
    elif isinstance(error, SystemExit):
        kind = "exit"
    elif isinstance(error, LaunchError):
        kind = "refused"
    line, source = _learner_line(error.__traceback__)
    return Trouble(kind, _text(error), type(error).__name__[:80], line, source)


def _report(error: BaseException) -> Report | None:
    report = error.report if isinstance(error, LaunchError) else None
    return report if type(report) is Report else None


def _text(error: BaseException) -> str:
    """Return the message of `error`; its class may be the learner's, and its ``__str__`` may raise."""
    try:
        return str(error)[:MAX_MESSAGE]
    except Exception:
        return "(an exception without a readable message)"


def _learner_line(trace: TracebackType | None) -> tuple[int | None, str]:
    """Return the deepest line of the traceback that is neither ours nor a library's."""
    frames = [frame for frame in traceback.extract_tb(trace) if _is_learners(frame.filename)]
    return (frames[-1].lineno, frames[-1].line or "") if frames else (None, "")


def _is_learners(filename: str) -> bool:
    return not filename.startswith(("<frozen", *_NOT_THEIRS))
