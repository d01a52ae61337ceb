"""Number types where Numba brings no CUDA target.

With NUMBA_ENABLE_CUDASIM set, only the CPU's rules can be asked. They are the same but for the functions below.
"""

from __future__ import annotations

import math
import operator
from importlib.util import find_spec
from typing import Any

import numpy as np

NUMBA_CUDA = find_spec("numba_cuda") is not None  # the package has functions that the built-in target lacks
HALF, SINGLE, DOUBLE = map(np.dtype, (np.float16, np.float32, np.float64))
BOOL = np.dtype(bool)
TO_FLOAT = (math.ceil, math.floor, math.trunc)
OF_TWO = (math.fmod, math.remainder, *([math.nextafter] if NUMBA_CUDA else []))
OF_ONE = [math.exp2] if NUMBA_CUDA and hasattr(math, "exp2") else []
ARITHMETIC = (operator.add, operator.sub, operator.mul, operator.truediv, operator.neg, abs)
COMPARISONS = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)
MATH_OF_HALF = (
    math.ceil, math.floor, math.trunc, math.cos, math.exp, math.fabs, math.log, math.log10, math.log2, math.sin,
    math.sqrt,
)  # fmt: skip


def correction(function: Any, dtypes: tuple[np.dtype, ...]) -> tuple[tuple[np.dtype, ...], Any] | None:
    """Return what the CUDA target answers where the CPU's answer is another one; None if it is the same.

    Parameters and the value are those of `utils.simt.numba_types.signature`.
    """
    if any(dtype.kind not in "biuf" for dtype in dtypes):
        return None
    if all(dtype == HALF for dtype in dtypes):
        if any(function is known for known in (*ARITHMETIC, *MATH_OF_HALF, *OF_ONE)):
            return dtypes, HALF
        if any(function is known for known in COMPARISONS):
            return dtypes, BOOL
    small = all(dtype.kind == "f" and dtype.itemsize <= 4 for dtype in dtypes)
    kind = SINGLE if small else DOUBLE
    if any(function is known for known in OF_TWO) and len(dtypes) == 2:
        return (kind, kind), kind
    if any(function is known for known in (*TO_FLOAT, *OF_ONE)) and len(dtypes) == 1:
        return (kind,), kind
    if function is math.modf and len(dtypes) == 1:
        kind = SINGLE if dtypes[0] == SINGLE else DOUBLE
        return (kind,), (kind, kind)
    return None
