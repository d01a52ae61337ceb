"""Numba's own answer to "what type does this operation have?".

NumPy's promotion rules are not Numba's (int32 + int32 is int64 there, uint8 + uint8 is uint64, float32 with any
integer is float64), so no rule is written down here: Numba's CUDA typing context is asked, and its answer kept.
The same code serves Numba's built-in CUDA target and the numba-cuda package, which differ in where things live.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
from numba import types as core_types
from numba.core.errors import NumbaError

from utils.simt import simulator_types

types: Any
numpy_support: Any
try:  # the numba-cuda package carries its own copies
    types = import_module("numba.cuda.types")
    numpy_support = import_module("numba.cuda.np.numpy_support")
except ImportError:
    types = core_types
    numpy_support = import_module("numba.np.numpy_support")

NUMBA_TYPES = (core_types.Type, types.Type)


@cache
def typing_context() -> Any:
    """Return Numba's CUDA typing context, with every declaration loaded (about 0.1 s, once)."""
    try:
        context = import_module("numba.cuda.descriptor").cuda_target.typing_context
    except (
        ImportError
    ):  # numba-cuda in NUMBA_ENABLE_CUDASIM's mode brings no target; the CPU's number types are the same
        context = import_module("numba.core.registry").cpu_target.typing_context
    context.refresh()
    return context


@cache
def has_cuda_target() -> bool:
    """Whether Numba's CUDA target can be asked."""
    try:
        return hasattr(import_module("numba.cuda.descriptor"), "cuda_target")
    except ImportError:
        return False


def numba_type(dtype: np.dtype) -> Any:
    """Return the Numba type of a NumPy dtype."""
    return numpy_support.from_dtype(dtype)


def numpy_dtype(kind: Any) -> np.dtype:
    """Return the NumPy dtype of a Numba type, NumPy scalar type, dtype or name; TypeError if it has none."""
    if isinstance(kind, NUMBA_TYPES):
        try:
            return np.dtype(numpy_support.as_dtype(kind))
        except (NotImplementedError, NumbaError):
            raise TypeError(f"{kind} is not the type of one array element") from None
    if kind in (int, float, bool, complex):
        return np.dtype(kind)
    if isinstance(kind, np.dtype | str) or (isinstance(kind, type) and issubclass(kind, np.generic)):
        return np.dtype(kind)
    raise TypeError(f"{kind!r} is not the type of an array element")


@cache
def signature(function: Callable[..., Any], *dtypes: np.dtype) -> tuple[tuple[np.dtype, ...], Any] | None:
    """Ask Numba how `function` is typed for scalar arguments.

    Parameters
    ----------
    function : callable
        An ``operator`` function, a ``math`` function, a builtin or a NumPy ufunc.
    *dtypes : numpy.dtype
        Types of the arguments.

    Returns
    -------
    (argument dtypes, result dtype) or None
        What Numba casts the arguments to, and the dtype of the result (a tuple of dtypes where the result is a
        tuple); None if Numba's CUDA target has no such operation.
    """
    context = typing_context()
    if not has_cuda_target() and (known := simulator_types.correction(function, dtypes)):
        return known
    arguments = tuple(numba_type(dtype) for dtype in dtypes)
    try:
        found = context.resolve_function_type(function, arguments, {})
    except Exception:  # Numba raises many kinds here, and each means "no"
        return None
    if found is None:
        return None
    result = found.return_type
    parts = getattr(result, "types", None)
    shown = tuple(numpy_dtype(part) for part in parts) if parts is not None else numpy_dtype(result)
    # Variadic builtins (min, max) take their arguments as one tuple: their casts are to the result's own type.
    scalars = all(isinstance(a, types.Number | types.Boolean) for a in found.args)
    casts: Any = tuple(map(numpy_dtype, found.args)) if scalars else (shown,) * len(dtypes)
    return casts, shown


@cache
def unified(first: np.dtype, second: np.dtype) -> np.dtype:
    """Return the type of a variable that holds `first` on one path and `second` on another."""
    if first == second:
        return first
    found = typing_context().unify_types(numba_type(first), numba_type(second))
    if found is None:
        raise TypeError(f"a variable is {first} on one path and {second} on another")
    return numpy_dtype(found)
