"""What a ``for`` goes through besides a range: tuples, arrays, ``enumerate`` and ``zip``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from utils.simt.arithmetic import describe

if TYPE_CHECKING:
    from utils.simt.accesses import Accesses


@dataclass(frozen=True)
class Numbered:
    """``enumerate(items, start)``."""

    items: Any
    start: Any
    description = "an enumerate(): go through it with for"


@dataclass(frozen=True)
class Together:
    """``zip(a, b)``."""

    parts: tuple[Any, ...]
    description = "a zip(): go through it with for"


@dataclass(frozen=True)
class Counted:
    """``range(...)`` inside an enumerate or zip, its bounds the same in every thread."""

    numbers: range
    description = "a range(): go through it with for"


def counted(runtime: Accesses, bounds: tuple[Any, ...]) -> Counted:
    """Return a range from its bounds."""
    if any(isinstance(bound, np.ndarray) for bound in bounds):
        runtime.refuse("a range inside enumerate or zip whose bounds differ between threads")
    return Counted(range(*map(int, bounds)))


def each(runtime: Accesses, items: Any, site: int) -> Iterator[Any]:
    """Yield what a loop variable becomes, turn by turn; elements of an array are loaded one by one."""
    if isinstance(items, tuple):
        runtime.must_be_alike(items)
        yield from items
    elif isinstance(items, Numbered):
        for count, item in enumerate(each(runtime, items.items, site)):
            yield items.start.astype(np.int64) + np.int64(count), item
    elif isinstance(items, Together):
        yield from zip(*(each(runtime, part, site) for part in items.parts), strict=False)
    elif isinstance(items, Counted):
        yield from map(np.int64, items.numbers)
    else:
        for i in range(int(runtime.length(items))):
            yield runtime.load(items, np.int64(i), site)


def example(runtime: Accesses, items: Any, site: int) -> Any:
    """Return one item for its type, also where there are none; None for an empty tuple."""
    if isinstance(items, tuple):
        runtime.must_be_alike(items)
        return items[0] if items else None
    if isinstance(items, Numbered):
        inner = example(runtime, items.items, site)
        return None if inner is None else (items.start.astype(np.int64), inner)
    if isinstance(items, Together):
        parts = tuple(example(runtime, part, site) for part in items.parts)
        return None if any(part is None for part in parts) else parts
    if isinstance(items, Counted):
        return np.int64(0)
    if not getattr(items, "shape", ()):
        raise TypeError(f"{describe(items)} has no elements to go through")
    return runtime.load(items, np.int64(0), site)
