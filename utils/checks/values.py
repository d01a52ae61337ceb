"""What may cross from a learner's code to a judge: numbers, text, arrays of numbers, and containers of these.

The conversion asks for exact types. An object that calls itself a number, an array that overrides ``==``, or
a generator is refused by its type alone: none of its methods is called.
"""

from __future__ import annotations

from typing import Any

import numpy as np

MAX_DEPTH = 8
MAX_LEAVES = 100_000
MAX_BYTES = 1 << 28
NUMBER_KINDS = "biufc"

_PLAIN_SCALARS = frozenset({bool, int, float, complex, str, type(None)})
_NUMPY_SCALARS = frozenset(kind for kind in set(np.sctypeDict.values()) if np.dtype(kind).kind in NUMBER_KINDS)


class NotPlainError(TypeError):
    """A value that no check takes; its text names what it is."""


def plain(value: Any) -> Any:
    """Return `value` rebuilt from plain parts.

    Parameters
    ----------
    value : object
        Whatever a learner's code handed over.

    Returns
    -------
    None, bool, int, float, complex, str, ndarray, list or dict
        NumPy scalars and arrays without dimensions become Python's numbers, tuples become lists, arrays are
        copied.

    Raises
    ------
    NotPlainError
        For anything else, and for more than 100,000 parts, 8 levels or 256 MiB.
    """
    return _Rebuild().part(value, 0)


def plain_items(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return those of `arguments` that are plain, rebuilt; others are left out."""
    kept = {}
    for name, value in arguments.items():
        try:
            kept[name] = plain(value)
        except NotPlainError:
            continue
    return kept


def same(left: Any, right: Any) -> bool:
    """Return whether two plain values are equal in every part, NaN equal to NaN, types included."""
    if type(left) is not type(right):
        return False
    if isinstance(left, np.ndarray):
        exact = left.shape == right.shape and left.dtype == right.dtype
        return exact and bool(np.array_equal(left, right, equal_nan=left.dtype.kind in "fc"))
    if isinstance(left, list):
        return len(left) == len(right) and all(same(a, b) for a, b in zip(left, right, strict=True))
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    return bool(left == right or (left != left and right != right))


def widen(value: Any) -> Any:
    """Return an array or NumPy scalar in float64, complex128 or 64-bit integers; anything else as it is."""
    if not isinstance(value, np.ndarray | np.generic):
        return value
    wide = {"f": np.float64, "c": np.complex128, "i": np.int64}.get(value.dtype.kind)
    if value.dtype.kind == "u":
        wide = np.uint64 if value.dtype.itemsize == 8 else np.int64
    return value.astype(wide) if wide else value


def describe(value: Any) -> str:
    """Return in a few words what kind of thing `value` is; no method of a learner's class is called."""
    kind = type(value)
    if value is None:
        return "None"
    if value is Ellipsis:
        return "..."
    if kind is np.ndarray:
        return f"an array of shape {value.shape}, {value.dtype}"
    if kind in (list, tuple, dict):
        items = "item" if len(value) == 1 else "items"
        return f"a {kind.__name__} of {len(value)} {items}"
    if kind is bool:
        return f"{value}, a bool"
    if kind in _PLAIN_SCALARS or kind in _NUMPY_SCALARS:
        article = "an" if kind is int else "a"
        return f"{article} {kind.__name__}"
    return f"an object of type {kind.__name__[:60]}"


class _Rebuild:
    """Counts the parts while it copies them, so that no answer is endless."""

    def __init__(self) -> None:
        self.leaves = 0
        self.bytes = 0

    def part(self, value: Any, depth: int) -> Any:
        kind = type(value)
        self.leaves += 1
        if self.leaves > MAX_LEAVES:
            raise NotPlainError(f"more than {MAX_LEAVES:,} parts")
        if depth > MAX_DEPTH:
            raise NotPlainError(f"containers nested more than {MAX_DEPTH} deep")
        if kind in _PLAIN_SCALARS:
            return value
        if kind in _NUMPY_SCALARS:
            return _number(np.asarray(value))
        if kind is np.ndarray:
            return self.array(value)
        if kind in (list, tuple):
            return [self.part(item, depth + 1) for item in value]
        if kind is dict:
            return {self.key(key): self.part(item, depth + 1) for key, item in value.items()}
        if "DeviceNDArray" in kind.__name__ or "FakeCUDAArray" in kind.__name__:
            raise NotPlainError("an array on the device: copy it back with .copy_to_host()")
        raise NotPlainError(describe(value))

    def array(self, value: np.ndarray) -> Any:
        if value.dtype.kind not in NUMBER_KINDS:
            raise NotPlainError(f"an array of {value.dtype}, not of numbers")
        self.bytes += value.nbytes
        if self.bytes > MAX_BYTES:
            raise NotPlainError(f"more than {MAX_BYTES >> 20} MiB of arrays")
        return _number(value) if value.ndim == 0 else value.copy(order="C")

    @staticmethod
    def key(key: Any) -> Any:
        if type(key) not in (str, int):
            raise NotPlainError(f"a dict whose keys are not text or whole numbers but {describe(key)}")
        return key


def _number(value: np.ndarray) -> Any:
    """Return an array without dimensions as Python's number; ``item()`` leaves a longdouble as it is."""
    return {"b": bool, "i": int, "u": int, "f": float, "c": complex}[value.dtype.kind](value)
