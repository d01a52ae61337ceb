"""What must be known when a kernel is compiled: numbers, and the shapes and types of shared and local arrays."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import numpy as np

from utils.simt import enumerations
from utils.simt.arithmetic import cast
from utils.simt.names import NUMPY_SCALARS, among, is_type
from utils.simt.numba_types import numpy_dtype
from utils.simt.program import on_runtime

if TYPE_CHECKING:
    from utils.simt.expressions import Expressions

NOT_TAKEN = "a kernel works with numbers, tuples of them, and arrays"


def number(value: Any) -> Any:
    """Return a constant with the type Numba gives it: int64 (uint64 above its range), float64, its own.

    Raises
    ------
    TypeError, OverflowError
        If it is no number or tuple of numbers, or does not fit into 64 bits.
    """
    kind = type(value)  # exactly: a subclass may bring code of its own
    if among(kind, NUMPY_SCALARS) and value.dtype.kind in "biufcmM":
        return value
    if kind is bool:
        return np.bool_(value)
    if issubclass(kind, int) and not enumerations.is_enumeration(kind):
        value = int.__index__(value)
        if -(2**63) <= value < 2**63:
            return np.int64(value)
        if value < 2**64 and value > 0:
            return np.uint64(value)
        raise OverflowError("does not fit into 64 bits")
    if issubclass(kind, float) and not enumerations.is_enumeration(kind):
        return np.float64(float.__float__(value))
    if kind is complex:
        return np.complex128(value)
    if (member := enumerations.member(value)) is not None:
        return member
    if kind is tuple:
        return tuple(number(part) for part in value)
    raise TypeError(f"is a {kind.__name__}: {NOT_TAKEN}")


def plain_array(value: np.ndarray) -> np.ndarray:
    """Return `value` as a plain ndarray of the same memory, without the methods of a subclass."""
    return np.ndarray.view(value, np.ndarray)


def literal(node: ast.expr) -> Any:
    """Return the number of ``5`` or ``-5``; None for any other expression."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = literal(node.operand)
        return None if inner is None or isinstance(inner, bool) else -inner
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float | complex):
        return node.value
    return None


def array_arguments(lowering: Expressions, node: ast.Call) -> tuple[ast.expr, ast.expr]:
    """Return shape and dtype of ``cuda.shared.array(...)`` or ``cuda.local.array(...)``, as constants."""
    given = dict(zip(("shape", "dtype", "alignment"), node.args, strict=False))
    for keyword in node.keywords:
        given[keyword.arg or ""] = keyword.value
    if "shape" not in given or "dtype" not in given or not given.keys() <= {"shape", "dtype", "alignment"}:
        raise lowering.refuse(node, "an array in a kernel needs a shape and a dtype, as in (256, float32)")
    shape = _shape(lowering, given["shape"])
    if shape is None:
        called = lowering.source.expression(given["shape"])
        raise lowering.refuse(
            node,
            f"the shape {called} is not known when the kernel is compiled: "
            "work it out before the kernel, and use that name here",
        )
    if any(extent < 0 for extent in shape):
        raise lowering.refuse(node, f"the shape {shape} has a negative extent")
    return lowering.unit.constant(shape), _dtype(lowering, given["dtype"])


def _shape(lowering: Expressions, node: ast.expr) -> tuple[int, ...] | None:
    value = known(lowering, node)
    if isinstance(value, tuple):
        return value if all(isinstance(v, int) for v in value) else None
    return (value,) if isinstance(value, int) else None


def known(lowering: Expressions, node: ast.expr) -> Any:
    """Return an int or a tuple of ints that Numba knows at compile time; None otherwise."""
    if isinstance(node, ast.Tuple):
        parts = tuple(known(lowering, part) for part in node.elts)
        return parts if all(isinstance(part, int) for part in parts) else None
    if isinstance(node, ast.Name) and node.id in lowering.locals:
        return _assigned_once(lowering, node.id)
    value = literal(node)
    if value is None and isinstance(node, ast.Name | ast.Attribute):
        value = lowering.meaning(node)
    try:
        found = number(value)
    except (TypeError, OverflowError):
        return None
    if isinstance(found, tuple):
        return tuple(int(v) for v in found) if all(isinstance(v, np.integer) for v in found) else None
    return int(found) if isinstance(found, np.integer) else None


def _assigned_once(lowering: Expressions, identifier: str) -> Any:
    stores = [
        n
        for n in ast.walk(lowering.source.definition)
        if isinstance(n, ast.Name) and n.id == identifier and isinstance(n.ctx, ast.Store)
    ]
    if identifier in lowering.parameters:
        return None if stores else lowering.numbers.get(identifier)
    for statement in ast.walk(lowering.source.definition):
        if isinstance(statement, ast.Assign) and statement.targets == stores:
            return known(lowering, statement.value)
    return None


def _dtype(lowering: Expressions, node: ast.expr) -> ast.expr:
    if isinstance(node, ast.Attribute) and node.attr == "dtype":
        return on_runtime("attribute", lowering.expression(node.value), ast.Constant("dtype"))
    try:
        value = node.value if isinstance(node, ast.Constant) else lowering.meaning(node)
        if isinstance(value, str) or is_type(value):
            cast(value)  # its zero must exist: a dtype of bytes or text has none
            return lowering.unit.constant(numpy_dtype(value))
    except TypeError:
        pass
    raise lowering.refuse(node, f"{lowering.source.expression(node)} is not the type of an array element")
