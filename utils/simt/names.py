"""The names a kernel may use, and what each stands for.

A free name or a dotted name is resolved here, when the kernel is read: to one of the intrinsics of `numba.cuda`, to a
type, to a function of arithmetic, to a constant, or to nothing. What is not listed does not exist in a kernel.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

import numba.core.types
import numba.cuda
import numba.types
import numpy as np

from utils.simt import bits, half, vectors
from utils.simt.numba_types import NUMBA_TYPES
from utils.simt.numba_types import types as target_types
from utils.simt.operations import Operation


@dataclass(frozen=True)
class Intrinsic:
    """Something of `numba.cuda` that the runtimes implement.

    Attributes
    ----------
    method : str
        The runtime's method, or its attribute if `value`.
    value : bool
        Read rather than called, like ``cuda.laneid``.
    site : bool
        The method wants to know where in the source it was called.
    syncs : bool
        Threads wait for each other here.
    array : bool
        Makes an array: shape and dtype must be known when the kernel is compiled.
    """

    method: str
    value: bool = False
    site: bool = False
    syncs: bool = False
    array: bool = False


def _sync(method: str) -> Intrinsic:
    return Intrinsic(method, site=True, syncs=True)


INTRINSICS: dict[str, Intrinsic] = {
    **{name: Intrinsic(name, value=True) for name in ("threadIdx", "blockIdx", "blockDim", "gridDim", "laneid")},
    "grid": Intrinsic("grid"),
    "gridsize": Intrinsic("gridsize"),
    "shared.array": Intrinsic("shared_array", array=True, site=True),
    "local.array": Intrinsic("local_array", array=True, site=True),
    "cg.this_grid": Intrinsic("this_grid"),
    **{name: Intrinsic(name) for name in ("activemask", "lanemask_lt", "nanosleep")},
    **{name: _sync(name) for name in ("match_any_sync", "match_all_sync")},
    **{name: _sync(name) for name in ("vote_sync_intrinsic", "shfl_sync_intrinsic")},
    "const.array_like": Intrinsic("constant_array"),
    **{f"atomic.{name}": Intrinsic(f"atomic_{name}", site=True)
       for name in ("add", "sub", "max", "min", "nanmax", "nanmin", "exch", "cas", "compare_and_swap",
                    "inc", "dec", "and_", "or_", "xor")},
    **{name: _sync(name) for name in ("syncthreads", "syncthreads_count", "syncthreads_and", "syncthreads_or")},
    **{name: _sync(name) for name in ("syncwarp", "shfl_sync", "shfl_up_sync", "shfl_down_sync", "shfl_xor_sync")},
    **{name: _sync(name) for name in ("ballot_sync", "any_sync", "all_sync", "eq_sync")},
    **{name: Intrinsic("threadfence", site=True)
       for name in ("threadfence", "threadfence_block", "threadfence_system")},
}  # fmt: skip
OPERATIONS: dict[str, Operation] = {**bits.OPERATIONS, **half.OPERATIONS, **vectors.OPERATIONS}
CONSTANTS = {"warpsize": np.int32(32)}
BUILTINS: dict[str, Any] = {
    f.__name__: f
    for f in (min, max, abs, pow, round, int, float, bool, complex, len, range, enumerate, zip, print, tuple)
}
ATTRIBUTES = frozenset(
    {"x", "y", "z", "shape", "size", "ndim", "strides", "itemsize", "nbytes", "dtype", "real", "imag"}
)
CUDA_MODULES = ("numba.cuda", "numba_cuda.numba.cuda", "numba.cuda.simulator", "numba.cuda.simulator_init")
TYPES = (numba.core.types, numba.types, target_types)  # numba.types is one or the other, as imports go
MODULES = (math, np, numba, *TYPES)
MATH_CONSTANTS = ("pi", "e", "inf", "nan", "tau")


NUMPY_SCALARS = tuple({id(kind): kind for kind in np.sctypeDict.values()}.values())


def among(value: Any, known: Iterable[Any]) -> bool:
    """Whether `value` is one of `known`, by identity: a foreign object's own ``==`` is never asked."""
    return any(value is one for one in known)


def is_type(value: Any) -> bool:
    """Whether `value` names the type of an array element, as ``numba.float32`` and ``np.float32`` do."""
    return (
        issubclass(type(value), NUMBA_TYPES)
        or issubclass(type(value), np.dtype)
        or among(value, (int, float, bool, complex))
        or among(value, NUMPY_SCALARS)
    )


def dotted(module: Any, attribute: str) -> Any:
    """Return what ``module.attribute`` is in a kernel; KeyError if a kernel may not use it.

    Parameters
    ----------
    module : module or Namespace
        A module a kernel may know, or a part of `numba.cuda`.
    attribute : str
    """
    if attribute.startswith("_"):
        raise KeyError(attribute)
    if type(module) is Namespace:
        return module[attribute]
    if module is math:
        value = getattr(math, attribute, None)
        if attribute in MATH_CONSTANTS or callable(value):
            return value
    if module is np:
        value = getattr(np, attribute, None)
        if attribute in MATH_CONSTANTS or type(value) is np.ufunc or is_type(value):
            return value
    if module is numba or among(module, TYPES):
        value = getattr(module, attribute, None)
        if attribute == "cuda" or attribute == "types":
            return as_static(value)
        if value is not None and is_type(value):
            return value
    raise KeyError(attribute)


def of_module(module: ModuleType, attribute: str) -> Any:
    """Return what stands under a name in a module of the learner's; None if nothing does. No code of it runs."""
    if attribute.startswith("_"):
        return None
    return vars(module).get(attribute)


class Namespace:
    """A part of `numba.cuda`, by its dotted name: the root, ``atomic``, ``shared`` and so on."""

    def __init__(self, path: str = "") -> None:
        self.path = path

    def __getitem__(self, attribute: str) -> Any:
        path = f"{self.path}.{attribute}" if self.path else attribute
        if path in INTRINSICS:
            return INTRINSICS[path]
        if path in OPERATIONS:
            return OPERATIONS[path]
        if path in CONSTANTS:
            return CONSTANTS[path]
        if any(name.startswith(f"{path}.") for name in (*INTRINSICS, *OPERATIONS)):
            return Namespace(path)
        raise KeyError(path)


def as_static(value: Any) -> Any:
    """Return the intrinsic or namespace behind an object of `numba.cuda`; anything else unchanged."""
    if value is numba.cuda or among(value, (sys.modules.get(name) for name in CUDA_MODULES)):
        return Namespace()
    known, meaning = _objects().get(id(value), (None, None))
    return meaning if known is value else value


@cache
def _objects() -> Mapping[int, tuple[Any, Any]]:
    """Map objects of `numba.cuda`, by id, to themselves and what they stand for: ``from numba.cuda import grid``."""
    found: dict[int, tuple[Any, Any]] = {}
    for path, meaning in [*INTRINSICS.items(), *OPERATIONS.items()]:
        base: Any = numba.cuda
        *parents, last = path.split(".")
        for depth, part in enumerate(parents, 1):
            base = getattr(base, part, None)
            if base is not None:
                found[id(base)] = (base, Namespace(".".join(parents[:depth])))
        if (target := getattr(base, last, None)) is not None:
            found[id(target)] = (target, meaning)
    return found
