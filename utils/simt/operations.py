"""Functions of `numba.cuda` that depend on nothing but their arguments: the same for both engines.

An operation takes values (lane vectors or NumPy scalars) and returns values. `typed` gives it the argument types that
Numba's CUDA target declares.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from utils.simt.arithmetic import describe

Value = Any


@dataclass(frozen=True)
class Operation:
    """A function of values.

    Attributes
    ----------
    name : str
        As a kernel calls it, without ``cuda.``.
    compute : callable
        From values to a value; TypeError for what a GPU does not take.
    """

    name: str
    compute: Callable[..., Value]


def value(argument: Any, name: str) -> Value:
    """Return `argument` if it is a number; TypeError otherwise."""
    if not isinstance(argument, np.ndarray | np.generic):
        raise TypeError(f"cuda.{name} takes numbers, not {describe(argument)}")
    return argument


def typed(name: str, compute: Callable[..., Value], accepts: tuple[type, ...], result: Any = None) -> Operation:
    """Return an operation whose arguments all have the first type of `accepts` into which they go without loss.

    Parameters
    ----------
    name : str
    compute : callable
    accepts : tuple of type
        NumPy scalar types, smallest first.
    result : type or None
        What it returns; None for the type of its arguments.
    """

    def apply(*arguments: Any) -> Value:
        values = [value(argument, name) for argument in arguments]
        dtypes = [v.dtype for v in values]
        for kind in accepts:
            if all(np.can_cast(dtype, kind, "safe") for dtype in dtypes):
                break
        else:
            kind = _nearest(name, dtypes, accepts)
        out = compute(*(v.astype(kind) for v in values))
        return out.astype(kind if result is None else result)

    apply.__name__ = name.replace(".", "_")
    return Operation(name, apply)


def _nearest(name: str, dtypes: list[np.dtype], accepts: tuple[type, ...]) -> type:
    """Return the last resort: the widest accepted type of a kind that takes these values."""
    order = "biufc"
    kinds = [kind for kind in accepts if all(order.index(np.dtype(kind).kind) >= order.index(d.kind) for d in dtypes)]
    if not kinds:
        given = ", ".join(map(str, dtypes))
        raise TypeError(f"cuda.{name} of {given} does not exist on a GPU")
    return kinds[-1]
