"""Compare an answer with a reference, within the rounding that the arithmetic itself causes.

The bound is the textbook one: a result that goes through n roundings of unit u differs from the exact one by
at most n·u / (1 - n·u) times the sum of the magnitudes of its terms (N. J. Higham, "Accuracy and Stability
of Numerical Algorithms", section 3.1). A check states n as ``ops``; the reference, in float64, gives the
magnitudes where terms of both signs are added.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from utils.checks.values import describe, plain, widen

FLOAT64 = np.dtype(np.float64)


@dataclass(frozen=True)
class Expected:
    """What a reference expects, with what the numbers alone do not say.

    Attributes
    ----------
    value : number or ndarray
        The exact answer, in float64 or 64-bit integers.
    scale : number or ndarray, optional
        The sum of the magnitudes of the terms, as in ``abs(a * x) + abs(y)``; by default ``abs(value)``.
    where : bool ndarray, optional
        Which elements are compared; by default all.
    dtype : dtype, optional
        The type that an array must have. By default any integer type does for integers, and any float type
        no narrower than the arguments' for floats. A kernel's output has the type of its buffer. A number must
        be an int where this is an integer type, and may be 4.0 for 4 otherwise.
    """

    value: Any
    scale: Any = None
    where: Any = None
    dtype: npt.DTypeLike | None = None


@dataclass(frozen=True)
class Tolerance:
    """What rounding may do: `ops` roundings in `dtype`; 0 asks for equality."""

    ops: int
    dtype: np.dtype = FLOAT64


@dataclass(frozen=True)
class Difference:
    """How one answer differs: in its form, or in its elements.

    Attributes
    ----------
    kind : {"form", "value"}
    name : str
        Which answer: ``out``, or ``result["mean"]``.
    got, expected : object
        For a form, words; for values, the first wrong element and what it should be.
    index : tuple of int
        Where the first wrong element is; empty for a number.
    wrong, total : int
        Wrong elements, of how many compared.
    nans : int
        How many of the wrong ones are NaN.
    allowed : float
        The error that rounding explains at `index`.
    tail : bool
        Whether exactly the last `wrong` elements are wrong, in memory order.
    untouched : bool
        Whether all wrong elements hold what they held before the call.
    """

    kind: Literal["form", "value"]
    name: str
    got: Any
    expected: Any
    index: tuple[int, ...] = ()
    wrong: int = 1
    total: int = 1
    nans: int = 0
    allowed: float = 0.0
    tail: bool = False
    untouched: bool = False


def differences(
    got: Any,
    expected: Any,
    tolerance: Tolerance,
    name: str = "result",
    before: dict[str, Any] | None = None,
) -> list[Difference]:
    """Compare a plain answer with what a reference returned.

    Parameters
    ----------
    got : plain value
        From `utils.checks.values.plain`; a dict is compared key by key, a list item by item.
    expected : value, `Expected`, or dict, list or tuple of these
    tolerance : Tolerance
    name : str
        What to call the answer; with an empty name, parts of a dict go by their keys alone.
    before : dict of str to ndarray, optional
        What outputs held before the call.

    Returns
    -------
    list of Difference
        One for each answer that differs; empty when all is right.
    """
    return list(_walk(got, expected, name, tolerance, before or {}))


def _walk(got: Any, expected: Any, name: str, tolerance: Tolerance, before: dict[str, Any]) -> Iterator[Difference]:
    if isinstance(expected, dict):
        if type(got) is not dict or set(got) != set(expected):
            yield _form(name, got, f"a dict with the keys {', '.join(map(str, expected))}")
            return
        for key, part in expected.items():
            yield from _walk(got[key], part, f"{name}[{key!r}]" if name else str(key), tolerance, before)
    elif isinstance(expected, list | tuple):
        if type(got) is not list or len(got) != len(expected):
            yield _form(name, got, f"{len(expected)} values, as a tuple or a list")
            return
        for index, part in enumerate(expected):
            yield from _walk(got[index], part, f"{name}[{index}]", tolerance, before)
    else:
        leaf = expected if isinstance(expected, Expected) else Expected(expected)
        found = _leaf(got, replace(leaf, value=plain(leaf.value)), name, tolerance, before.get(name))
        if found is not None:
            yield found


def _leaf(got: Any, expected: Expected, name: str, tolerance: Tolerance, before: Any) -> Difference | None:
    value = expected.value
    if isinstance(value, np.ndarray):
        if type(got) is not np.ndarray or got.shape != value.shape or not _fits(got, expected, tolerance):
            return _form(name, got, f"an array of shape {value.shape}, {_wanted(expected, tolerance)}")
        return _elements(got, expected, name, tolerance, before)
    if value is None or isinstance(value, str | bool):
        if type(got) is not type(value):
            return _form(name, got, "None" if value is None else f"a {type(value).__name__}")
        return None if got == value else Difference("value", name, got, value)
    if type(got) not in (int, float, complex):
        return _form(name, got, "a number")
    if type(got) is not int and expected.dtype is not None and np.dtype(expected.dtype).kind in "iu":
        return _form(name, got, "an int")
    if type(got) is int and type(value) is int:  # of any size: beyond 64 bits NumPy has no type for them
        return None if got == value else Difference("value", name, got, value)
    # A whole number given as 4.0 is right.
    kind = np.complex128 if complex in (type(got), type(value)) else np.float64
    try:
        pair = np.asarray(got, kind).reshape(1), np.asarray(value, kind).reshape(1)
    except OverflowError:
        return Difference("value", name, got, value)
    found = _elements(pair[0], replace(expected, value=pair[1]), name, tolerance, None)
    return found and replace(found, got=got, expected=value, index=())


def _fits(got: np.ndarray, expected: Expected, tolerance: Tolerance) -> bool:
    if expected.dtype is not None:
        return got.dtype == np.dtype(expected.dtype)
    kind = expected.value.dtype.kind
    if kind in "iu":
        return got.dtype.kind in "iu"
    return got.dtype.kind == kind and (kind == "b" or np.finfo(got.dtype).eps <= np.finfo(tolerance.dtype).eps)


def _wanted(expected: Expected, tolerance: Tolerance) -> str:
    if expected.dtype is not None:
        return str(np.dtype(expected.dtype))
    kind = expected.value.dtype.kind
    words = {"b": "bool", "i": "of integers", "u": "of integers", "f": str(tolerance.dtype)}
    return words.get(kind, str(expected.value.dtype))


def _form(name: str, got: Any, expected: str) -> Difference:
    return Difference("form", name, describe(got), expected)


def _elements(got: np.ndarray, expected: Expected, name: str, tolerance: Tolerance, before: Any) -> Difference | None:
    dtype = tolerance.dtype if expected.dtype is None else np.dtype(expected.dtype)
    with np.errstate(all="ignore"):
        bad, allowed = _wrong(got, expected, tolerance.ops, dtype)
    compared = np.ones(got.shape, bool) if expected.where is None else np.broadcast_to(expected.where, got.shape)
    bad &= compared
    count = int(bad.sum())
    if count == 0:
        return None
    index = tuple(int(i) for i in np.argwhere(bad)[0])
    flat = bad.ravel()
    return Difference(
        kind="value",
        name=name,
        got=got[index].item(),
        expected=np.asarray(expected.value)[index].item(),
        index=index,
        wrong=count,
        total=int(compared.sum()),
        nans=int((bad & np.isnan(got)).sum()) if got.dtype.kind in "fc" else 0,
        allowed=float(allowed[index]),
        tail=count < flat.size and bool(flat[-count:].all()),
        untouched=before is not None and got[bad].tobytes() == before[bad].tobytes(),
    )


def _wrong(got: np.ndarray, expected: Expected, ops: int, dtype: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    """Return which elements are wrong, and the error that each may have, both in the shape of `got`."""
    value = np.asarray(expected.value)
    if got.dtype.kind in "biu":
        # Storing into a narrower integer array wraps, on the device and here.
        return got != value.astype(got.dtype), np.zeros(got.shape)
    unit = float(np.finfo(dtype).eps) / 2
    if ops * unit >= 0.5:
        raise ValueError(f"{ops} roundings in {dtype} bound nothing; compare fewer, or accumulate in a wider type.")
    wide = widen(got)
    exact = value.astype(wide.dtype)
    scale = np.abs(exact) if expected.scale is None else np.abs(expected.scale)
    allowed = np.broadcast_to(ops * unit / (1 - ops * unit) * scale, got.shape)
    # Below the normal range a rounding costs up to half the smallest number, whatever the magnitude.
    allowed = allowed + ops * float(np.finfo(dtype).smallest_subnormal) / 2
    allowed = np.where(np.isfinite(allowed), allowed, 0.0)  # beside an infinity nothing else is close
    close = np.abs(wide - exact) <= allowed
    overflowed = got == exact.astype(got.dtype)  # infinities, and values that only this type rounds to one
    return ~(close | overflowed | (np.isnan(wide) & np.isnan(exact))), allowed
