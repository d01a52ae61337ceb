"""Arithmetic on lane vectors and on single values, with Numba's result types.

Each function here takes NumPy arrays of shape (lanes,) or NumPy scalars, asks `numba_types` once for each combination
of dtypes, and then calls one ufunc. Integer division by zero, overflow and NaN follow the hardware: no exception.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from utils.simt import complexes, enumerations
from utils.simt.numba_types import numpy_dtype, signature, unified

Value = Any  # an ndarray of shape (lanes,), or a NumPy scalar that every lane shares


def _power(base: Value, exponent: Value) -> Value:
    if np.result_type(exponent).kind not in "iu":
        return np.power(base, exponent)
    if np.result_type(base).kind in "iu":  # NumPy raises on negative exponents, also in lanes nobody looks at
        return np.where(exponent < 0, 0, np.power(base, np.maximum(exponent, 0)))[()]
    return np.power(base, exponent.astype(np.result_type(base)))


BINARY: dict[str, tuple[Callable[..., Any], Callable[..., Value]]] = {
    "Add": (operator.add, np.add),
    "Sub": (operator.sub, np.subtract),
    "Mult": (operator.mul, np.multiply),
    "Div": (operator.truediv, np.true_divide),
    "FloorDiv": (operator.floordiv, np.floor_divide),
    "Mod": (operator.mod, np.remainder),
    "Pow": (operator.pow, _power),
    "LShift": (operator.lshift, np.left_shift),
    "RShift": (operator.rshift, np.right_shift),
    "BitAnd": (operator.and_, np.bitwise_and),
    "BitOr": (operator.or_, np.bitwise_or),
    "BitXor": (operator.xor, np.bitwise_xor),
    "Lt": (operator.lt, np.less),
    "LtE": (operator.le, np.less_equal),
    "Gt": (operator.gt, np.greater),
    "GtE": (operator.ge, np.greater_equal),
    "Eq": (operator.eq, np.equal),
    "NotEq": (operator.ne, np.not_equal),
}


def _no_bool(value: Value) -> Value:
    return value.astype(np.int64) if value.dtype == bool else value


UNARY: dict[str, tuple[Callable[..., Any], Callable[..., Value]]] = {
    "USub": (operator.neg, lambda value: np.negative(_no_bool(value))),
    "UAdd": (operator.pos, lambda value: np.positive(_no_bool(value))),
    "Invert": (operator.invert, np.invert),
}
SYMBOLS = dict(
    Add="+", Sub="-", Mult="*", Div="/", FloorDiv="//", Mod="%", Pow="**", LShift="<<", RShift=">>", BitAnd="&",
    BitOr="|", BitXor="^", Lt="<", LtE="<=", Gt=">", GtE=">=", Eq="==", NotEq="!=", USub="-", UAdd="+", Invert="~",
)  # fmt: skip
COMPARISONS = frozenset({"Lt", "LtE", "Gt", "GtE", "Eq", "NotEq"})


def _by_element(function: Callable[..., Any]) -> Callable[..., Value]:
    """Spread a scalar function of the math module over lanes; where it raises, the hardware gives NaN."""

    def one(*values: Any) -> float:
        try:
            return function(*values)
        except (ValueError, OverflowError):
            return math.nan

    spread = np.vectorize(one, otypes=[np.float64])
    return lambda *values: spread(*values)[()]


def _largest(first: Value, *others: Value) -> Value:
    for other in others:
        first = np.fmax(first, other)
    return first


def _smallest(first: Value, *others: Value) -> Value:
    for other in others:
        first = np.fmin(first, other)
    return first


FUNCTIONS: dict[Callable[..., Any], Callable[..., Value]] = {
    **{
        getattr(math, name): getattr(np, ufunc)
        for name, ufunc in {
            "acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan",
            "atan2": "arctan2", "atanh": "arctanh", "ceil": "ceil", "copysign": "copysign", "cos": "cos",
            "cosh": "cosh", "degrees": "degrees", "exp": "exp", "expm1": "expm1", "fabs": "fabs", "floor": "floor",
            "fmod": "fmod", "frexp": "frexp", "hypot": "hypot", "isfinite": "isfinite", "isinf": "isinf",
            "isnan": "isnan", "ldexp": "ldexp", "log": "log", "log10": "log10", "log1p": "log1p", "log2": "log2",
            "modf": "modf", "pow": "power", "radians": "radians", "sin": "sin", "sinh": "sinh", "sqrt": "sqrt",
            "tan": "tan", "tanh": "tanh", "trunc": "trunc",
        }.items()
    },
    **{f: _by_element(f) for f in (math.erf, math.erfc, math.gamma, math.lgamma, math.remainder)},
    **{getattr(math, name): getattr(np, name) for name in ("exp2", "nextafter") if hasattr(math, name)},
    min: _smallest,
    max: _largest,
    abs: np.abs,
    pow: _power,
}  # fmt: skip


def unary(name: str) -> Callable[[Value], Value]:
    """Return the operation of an ``ast`` unary operator."""
    return _typed(UNARY[name][0], UNARY[name][1], SYMBOLS[name])


def binary(name: str) -> Callable[[Value, Value], Value]:
    """Return the operation of an ``ast`` binary or comparison operator."""
    asked, ufunc = BINARY[name]
    shown = SYMBOLS[name]
    if not isinstance(ufunc, np.ufunc):
        return _typed(asked, ufunc, shown)
    loops: dict[tuple[np.dtype, np.dtype], np.dtype | None] = {}

    def apply(first: Value, second: Value) -> Value:
        try:
            key = (first.dtype, second.dtype)
            loop = loops[key]
        except KeyError:
            found = signature(asked, *key)
            if found is None:
                raise TypeError(f"{key[0]} {shown} {key[1]} does not exist on a GPU") from None
            # A comparison runs in the type its operands meet in; all else in that of its result.
            meet = np.result_type(*found[0]) if name in COMPARISONS else found[1]
            times = any(dtype.kind in "mM" for dtype in key)
            loop = loops[key] = None if times or key == (meet, meet) else meet
        except AttributeError:
            if (answer := enumerations.compared(name, apply, first, second)) is not None:
                return answer
            raise TypeError(f"{describe(first)} {shown} {describe(second)} does not exist on a GPU") from None
        if loop is None:
            return ufunc(first, second)
        return ufunc(first.astype(loop), second.astype(loop))

    apply.__name__ = f"binary_{name}"
    return apply


def function(asked: Callable[..., Any]) -> Callable[..., Value] | None:
    """Return `asked` (a math function, a builtin or a ufunc) as an operation on lanes; None if a GPU lacks it."""
    if asked is round:
        return _round
    tables: tuple[tuple[Any, Callable[[str], Callable[..., Value]]], ...] = ((BINARY, binary), (UNARY, unary))
    for table, operation in tables:  # the operator module
        for name, (meant, _) in table.items():
            if meant is asked:
                return operation(name)
    if of_complex := complexes.function(asked):
        return of_complex
    if type(asked) is np.ufunc:
        name = asked.__name__  # a ufunc made from a Python function is not one of NumPy's
        return _typed(asked, asked, f"numpy.{name}") if getattr(np, name, None) is asked else None
    known = next((compute for one, compute in FUNCTIONS.items() if one is asked), None)
    return _typed(asked, known, asked.__name__) if known else None


@cache
def cast(kind: Any) -> Callable[..., Value]:
    """Return the conversion to `kind`, a dtype or whatever `numba_types.numpy_dtype` takes."""
    dtype = numpy_dtype(kind)
    zero = dtype.type(0)

    def convert(value: Value = zero) -> Value:
        value = enumerations.plain(value)
        if not isinstance(value, np.ndarray | np.generic):
            raise TypeError(f"cannot make {dtype} of {describe(value)}")
        if dtype.kind != "c" and value.dtype.kind == "c":
            raise TypeError(f"cannot make {dtype} of a complex number")
        return value if value.dtype == dtype else value.astype(dtype)

    convert.__name__ = f"cast_{dtype}"
    return convert


def unify(first: Value, second: Value) -> np.dtype:
    """Return the type of a variable that is `first` on one path and `second` on the other."""
    try:
        return unified(first.dtype, second.dtype)
    except AttributeError:
        raise TypeError(f"a variable is {describe(first)} on one path and {describe(second)} on another") from None


def describe(value: Any) -> str:
    """Name a kernel's value for an error message."""
    if isinstance(value, np.ndarray | np.generic):
        return str(value.dtype)
    if value is None:
        return "None"
    if isinstance(value, tuple) and not hasattr(value, "description"):
        return f"a tuple of {len(value)}"
    return getattr(value, "description", None) or f"a value of type {type(value).__name__}"


def _typed(asked: Callable[..., Any], compute: Callable[..., Value], shown: str) -> Callable[..., Value]:
    """Wrap `compute` so that arguments and result have the types Numba gives `asked`."""

    def apply(*values: Value) -> Value:
        if not all(isinstance(value, np.ndarray | np.generic) for value in values):
            raise TypeError(f"{shown} takes numbers, not {', '.join(map(describe, values))}")
        found = signature(asked, *(value.dtype for value in values))
        if found is None:
            raise TypeError(f"{shown} of {', '.join(str(v.dtype) for v in values)} does not exist on a GPU")
        arguments, result = found
        out = compute(*(value.astype(dtype) for value, dtype in zip(values, arguments, strict=True)))
        if isinstance(result, tuple):
            return tuple(part.astype(dtype) for part, dtype in zip(out, result, strict=True))
        return out.astype(result)

    apply.__name__ = f"typed_{getattr(asked, '__name__', shown)}"
    return apply


def _round(value: Value, digits: Value | None = None) -> Value:
    if digits is None:
        return np.rint(value).astype(np.int64)
    scale = np.power(10.0, digits)
    return (np.rint(value * scale) / scale).astype(np.result_type(value))
