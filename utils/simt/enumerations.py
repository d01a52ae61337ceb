"""Members of enumerations, and ``is``.

A member of an `enum.Enum` is kept as its place in the class; of an `enum.IntEnum` as its number, which it becomes as
soon as something is reckoned with it. The class itself is only looked at, never called.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Member:
    """A member in each lane: its class, and its place there or its number."""

    kind: Any
    number: Any

    @property
    def integer(self) -> bool:
        """Whether it counts as a number."""
        return issubclass(self.kind, int)

    @property
    def description(self) -> str:
        """What it is called in messages."""
        return f"a member of {self.kind.__name__}"


def is_enumeration(value: Any) -> bool:
    """Whether `value` is an enumeration; a metaclass of the learner's own is none."""
    return type(value) is enum.EnumMeta


def members(kind: Any) -> dict[str, Any]:
    """Return the members of an enumeration by name, without asking it."""
    found = vars(kind).get("_member_map_")
    return found if type(found) is dict else {}


def member(value: Any) -> Member | None:
    """Return what a member is in a kernel; None if `value` is none."""
    kind = type(value)
    if not is_enumeration(kind):
        return None
    if issubclass(kind, int):
        return Member(kind, np.int64(int.__index__(value)))
    place = next((i for i, one in enumerate(members(kind).values()) if one is value), None)
    return None if place is None else Member(kind, np.int64(place))


def plain(value: Any) -> Any:
    """Return the number of a member of an `enum.IntEnum`; anything else unchanged."""
    return value.number if type(value) is Member and value.integer else value


def compared(name: str, compare: Callable[[Any, Any], Any], first: Any, second: Any) -> Any:
    """Apply an operator to operands of which one may be a member; None if that does not exist."""
    one, other = plain(first), plain(second)
    if one is not first or other is not second:
        return compare(one, other)
    if type(first) is Member and type(second) is Member and first.kind is second.kind and name in ("Eq", "NotEq"):
        return compare(first.number, second.number)
    return None


def same(first: Any, second: Any) -> Any:
    """Evaluate ``first is second`` as Numba does: one type, and one value."""
    if first is None or second is None:
        return np.bool_(first is second)
    if type(first) is Member and type(second) is Member:
        return np.equal(first.number, second.number) if first.kind is second.kind else np.bool_(False)
    numbers = all(isinstance(value, np.ndarray | np.generic) for value in (first, second))
    if not numbers:
        return np.bool_(first is second)
    return np.equal(first, second) if first.dtype == second.dtype else np.bool_(False)


def different(first: Any, second: Any) -> Any:
    """Evaluate ``first is not second``."""
    return ~same(first, second)
