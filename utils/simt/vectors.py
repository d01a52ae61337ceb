"""Vector types: ``cuda.float32x4`` and the like, under both of their names.

A vector is built from numbers and other vectors, as many components as it has, and read as ``.x .y .z .w``.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from utils.simt.arithmetic import cast, describe
from utils.simt.operations import Operation
from utils.simt.structures import Fields

LETTERS = ("x", "y", "z", "w")
ELEMENTS = (
    "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64",
)  # fmt: skip


class Vector(Fields):
    """A vector's components, as a kernel holds it."""

    indexed = False


def constructor(name: str, element: np.dtype, count: int) -> Operation:
    """Return the function ``cuda.<name>(…)``."""
    convert = cast(element)

    def make(*parts: Any) -> Vector:
        components: list[Any] = []
        for part in parts:
            components += list(part) if type(part) is Vector else [part]
        if len(components) != count:
            raise TypeError(f"cuda.{name} has {count} components, and {len(components)} are given")
        for component in components:
            if not isinstance(component, np.ndarray | np.generic):
                raise TypeError(f"cuda.{name} is made of numbers and vectors, not of {describe(component)}")
        return Vector(map(convert, components), LETTERS[:count], name)

    make.__name__ = f"vector_{name}"
    return Operation(name, make)


def _operations() -> dict[str, Operation]:
    """Return the constructors by name, also by the names of CUDA C: ``float4`` is ``float32x4``."""
    found: dict[str, Operation] = {}
    stubs = import_module("numba.cuda.stubs")._vector_type_stubs
    aliases = {stub.__name__: stub.aliases for stub in stubs}
    for element in ELEMENTS:
        for count in range(1, 5):
            name = f"{element}x{count}"
            made = constructor(name, np.dtype(element), count)
            for known in (name, *aliases.get(name, ())):
                found[known] = made
    return found


OPERATIONS = _operations()
