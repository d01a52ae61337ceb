"""The functions of the ``cmath`` module on lanes, with Numba's types: complex64 stays, all else is complex128."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import Any

import numpy as np

Value = Any


def _polar(number: Value) -> tuple[Value, Value]:
    return np.abs(number), np.angle(number)


def _log(number: Value, base: Value | None = None) -> Value:
    return np.log(number) if base is None else np.log(number) / np.log(base)


def _rect(radius: Value, angle: Value) -> Value:
    return _assembled(radius * np.cos(angle), radius * np.sin(angle))


def _assembled(real: Value, imaginary: Value) -> Value:
    """Return complex numbers from their parts; a sum would lose the sign of a zero."""
    whole = np.empty(np.broadcast_shapes(np.shape(real), np.shape(imaginary)), np.result_type(real, np.complex64))
    whole.real, whole.imag = real, imaginary
    return whole[()]


def make(real: Value = np.float64(0), imaginary: Value | None = None) -> Value:  # noqa: B008
    """Do ``complex(real, imaginary)``."""
    if imaginary is None:
        _must_be_numbers("complex", (real,))
        return real.astype(np.complex128)
    _must_be_numbers("complex", (real, imaginary))
    single = all(value.dtype == np.float32 for value in (real, imaginary))
    return _assembled(*(value.astype(np.float32 if single else np.float64) for value in (real, imaginary)))


UFUNCS = (
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "log10", "sin", "sinh", "sqrt", "tan",
    "tanh", "isnan", "isinf", "isfinite",
)  # fmt: skip
FUNCTIONS: dict[Any, Callable[..., Value]] = {
    **{getattr(cmath, name): getattr(np, name) for name in UFUNCS},
    cmath.log: _log,
    cmath.phase: np.angle,
    cmath.polar: _polar,
}


def function(asked: Any) -> Callable[..., Value] | None:
    """Return a function of `cmath` as an operation on lanes; None if it is none."""
    if asked is cmath.rect:
        return _of_real(_careful(_rect, cmath.rect), "rect")
    compute = next((compute for known, compute in FUNCTIONS.items() if known is asked), None)
    return None if compute is None else _of_complex(_careful(compute, asked), asked.__name__)


def _careful(compute: Callable[..., Value], exact: Callable[..., Any]) -> Callable[..., Value]:
    """Return `compute` with the answers of `exact` where an argument is infinite: NumPy's differ in signs of zeros."""

    def apply(*values: Value) -> Value:
        out = compute(*values)
        odd = ~np.logical_and.reduce([np.isfinite(value) for value in np.broadcast_arrays(*values)])
        if isinstance(out, tuple) or not odd.any():
            return out
        out = np.array(out)
        for place in zip(*np.nonzero(np.atleast_1d(odd)), strict=True):
            index = place if out.ndim else ()
            out[index] = _one(exact, *(np.broadcast_to(value, out.shape)[index].item() for value in values))
        return out[()]

    return apply


def _one(exact: Callable[..., Any], *values: Any) -> Any:
    try:
        return exact(*values)
    except (ValueError, OverflowError):
        return math.nan


def _of_complex(compute: Callable[..., Value], name: str) -> Callable[..., Value]:
    def apply(*values: Value) -> Value:
        _must_be_numbers(name, values)
        single = all(value.dtype == np.complex64 for value in values)
        return compute(*(value.astype(np.complex64 if single else np.complex128) for value in values))

    apply.__name__ = f"cmath_{name}"
    return apply


def _of_real(compute: Callable[..., Value], name: str) -> Callable[..., Value]:
    def apply(*values: Value) -> Value:
        _must_be_numbers(name, values)
        single = all(value.dtype == np.float32 for value in values)
        return compute(*(value.astype(np.float32 if single else np.float64) for value in values))

    apply.__name__ = f"cmath_{name}"
    return apply


def _must_be_numbers(name: str, values: tuple[Value, ...]) -> None:
    if not all(isinstance(value, np.ndarray | np.generic) for value in values):
        raise TypeError(f"cmath.{name} takes numbers")
