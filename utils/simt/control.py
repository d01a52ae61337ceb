"""What control flow keeps in mind: an if, a loop, the truth of a test, the bounds of a range."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from utils.simt.arithmetic import describe

Mask = np.ndarray | None


@dataclass(slots=True)
class Split:
    """An if: the lanes that came, and those that go into each arm.

    `yes` and `no` are masks, or bools where all lanes go the same way (`uniform`).
    """

    entry: Mask
    uniform: bool
    yes: Any
    no: Any


@dataclass(slots=True)
class Loop:
    """A loop: the lanes that came, those still in it, and those that left.

    Attributes
    ----------
    site : int
    entry, live : mask
        The lanes that came, and those that began this turn.
    outer_gone : mask
        Lanes that had left the enclosing constructs before.
    broke : mask
        Lanes that broke out.
    items : iterator or None
        What a for goes through, where that is the same for all lanes.
    now, stop, step
        The loop variable, and the bounds where they differ between lanes.
    stuck : int
        Turns in a row without a lane leaving.
    """

    site: int
    entry: Mask = None
    live: Mask = None
    outer_gone: Mask = None
    broke: Mask = None
    items: Iterator[Any] | None = None
    now: Any = None
    stop: Any = None
    step: Any = None
    stuck: int = 0


def truth(value: Any) -> Any:
    """Return the truth of a single value; TypeError for what has none in a kernel."""
    if isinstance(value, np.generic | bool):
        return value
    raise TypeError("only numbers can be true or false in a kernel")


def predicate(value: Any) -> Any:
    """Return a value that a barrier counts by; Numba takes integers only there."""
    if isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "iu":
        return value
    raise TypeError(f"syncthreads_count, _and and _or take an integer, not {describe(value)}: use 1 if ... else 0")


def vote(value: Any) -> Any:
    """Return a value that a warp votes on: a bool or an integer."""
    if isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "biu":
        return value
    raise TypeError(f"a vote takes a bool or an integer, not {describe(value)}")


def union(first: Mask, second: Mask) -> Mask:
    """Return the union of two masks; None is the empty one."""
    return second if first is None else first if second is None else first | second


def range_bounds(bounds: tuple[Any, ...]) -> tuple[Any, Any, Any]:
    """Return start, stop and step of a range, as int64."""
    if not 1 <= len(bounds) <= 3 or any(b.dtype.kind not in "iu" for b in bounds):
        raise TypeError("range takes one to three integers")
    values = [b.astype(np.int64) for b in bounds]
    start, stop = (np.int64(0), values[0]) if len(values) == 1 else values[:2]
    return start, stop, values[2] if len(values) == 3 else np.int64(1)
