"""Signatures: ``@cuda.jit("void(float32[:], int32)")``.

Numba compiles such a kernel at once, for these types; numbers that it is given become numbers of these types. Here
compiling waits for the launch, so the signature is kept until then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numba.core import sigutils

from utils.simt.arithmetic import cast
from utils.simt.memory import Memory
from utils.simt.numba_types import numpy_dtype
from utils.simt.source import is_dispatcher

Declared = tuple[tuple[Any, ...], Any]
_declared: WeakKeyDictionary[Any, Declared] = WeakKeyDictionary()  # by dispatcher: one function may have several


def remember(kernel: Any, signature: Any) -> None:
    """Keep the one signature that a kernel was declared with; several leave the choice to the arguments."""
    if isinstance(signature, list):
        signature = signature[0] if len(signature) == 1 else None
    if is_dispatcher(kernel) and signature is not None:
        arguments, result = sigutils.normalize_signature(signature)
        _declared[kernel] = tuple(arguments), result


def of(kernel: Any) -> Declared | None:
    """Return the argument types and the result type of a dispatcher; None if it was declared without."""
    return _declared.get(kernel) if is_dispatcher(kernel) else None


def conversion(kind: Any) -> Callable[[Any], Any] | None:
    """Return the conversion to a declared type; None if it is not that of a number."""
    try:
        return cast(numpy_dtype(kind))
    except (TypeError, NotImplementedError):
        return None


def converted(kernel: Any, names: tuple[str, ...], bound: list[Any]) -> list[Any]:
    """Return the arguments of a launch as the kernel's signature has them; TypeError for an array of another type."""
    declared = of(kernel)
    if declared is None or len(declared[0]) != len(bound):
        return bound
    return [_converted(name, value, kind) for name, value, kind in zip(names, bound, declared[0], strict=True)]


def _converted(name: str, value: Any, kind: Any) -> Any:
    if isinstance(value, np.generic) and value.dtype.kind in "biufc":
        convert = conversion(kind)
        return value if convert is None else convert(value)
    if isinstance(value, Memory) and value.element.kind in "biufc":
        element = getattr(kind, "dtype", None)
        expected = None if element is None else numpy_dtype(element)
        integers = expected is not None and expected.kind + value.element.kind in ("iu", "ui")
        if integers and expected is not None and expected.itemsize == value.element.itemsize:
            return value
        if expected is not None and expected.kind in "biufc" and expected != value.element:
            raise TypeError(f"argument {name} is an array of {value.element}, and the signature says {expected}")
    return value
