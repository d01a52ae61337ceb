"""Lowering, the calls: what may be called in a kernel, and what a device function is given.

A device function may be handed another function, a type or an intrinsic, as Numba allows: it is then lowered once for
each such set, with the parameter standing for what was given. A number in the source that shapes one of its arrays is
known to it in the same way.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from types import FunctionType
from typing import Any

import numpy as np

from utils.simt import arithmetic, complexes, signatures
from utils.simt.closures import Closure, defaults_of
from utils.simt.expressions import MISSING, Expressions
from utils.simt.names import BUILTINS, Intrinsic, among, is_type
from utils.simt.numba_types import numpy_dtype
from utils.simt.operations import Operation
from utils.simt.program import name, on_runtime
from utils.simt.source import KernelSource, is_dispatcher, python_function
from utils.simt.static import array_arguments, known, plain_array

METHODS = ("conjugate", "view", "reshape", "copy", "bit_count", "sync")
ON_RUNTIME = {
    "len": "length", "enumerate": "enumerated", "zip": "zipped", "range": "counting", "print": "print_",
    "tuple": "parts",
}  # fmt: skip
GRID_SYNC = Intrinsic("grid_sync", syncs=True)


class Calls(Expressions):
    """The lowering of calls."""

    def call(self, node: ast.Call, used: bool) -> ast.expr:
        """Lower a call; what may be called is resolved now, never while the kernel runs."""
        if any(k.arg is None for k in node.keywords):
            raise self.refuse(node, "a call in a kernel cannot spread arguments with **")
        called, meaning = self.source.expression(node.func), self.meaning(node.func)
        if meaning is MISSING:
            return self.method(node, called)
        if type(meaning) is Closure:
            return self.closure(node, meaning)
        if any(isinstance(a, ast.Starred) for a in node.args) and not (operation_of(meaning) or is_dispatcher(meaning)):
            raise self.refuse(node, "a call in a kernel cannot spread arguments with *")
        if type(meaning) is Intrinsic and not meaning.value:
            return self.intrinsic(node, meaning, used)
        if is_dispatcher(meaning):
            return self.device_function(node, meaning)
        arguments = [self.expression(argument) for argument in node.args]
        keywords = [ast.keyword(k.arg, self.expression(k.value)) for k in node.keywords]
        if method := ON_RUNTIME.get(meaning.__name__ if among(meaning, BUILTINS.values()) else ""):
            if keywords:
                raise self.refuse(node, f"{called}() takes no named arguments in a kernel")
            return on_runtime(method, *arguments)
        if type(meaning) is np.ufunc and (operation := operation_of(meaning)):
            inputs = ast.Constant(meaning.nin)
            return on_runtime("ufunc", self.unit.constant(operation), inputs, self.site(node, "array"), *arguments)
        if operation := operation_of(meaning):
            return ast.Call(self.unit.constant(operation), arguments, keywords)
        hint = ", it does not exist on a GPU"
        if type(meaning) is FunctionType:
            hint = ": put @cuda.jit(device=True) above it"
        raise self.refuse(node, f"{called}() cannot be called in a kernel{hint}")

    def method(self, node: ast.Call, called: str) -> ast.expr:
        """Lower the call of a value's method."""
        if isinstance(node.func, ast.Attribute) and node.func.attr in METHODS and not node.keywords:
            if node.func.attr == "sync":
                self.unit.note(GRID_SYNC)
            value = self.expression(node.func.value)
            arguments = [self.argument(argument) for argument in node.args]
            return on_runtime(f"method_{node.func.attr}", self.site(node, "sync"), value, *arguments)
        hint = ": write the loop" if isinstance(node.func, ast.Attribute) else ""
        raise self.refuse(node, f"{called}() cannot be called in a kernel{hint}")

    def argument(self, node: ast.expr) -> ast.expr:
        """Lower a method's argument: a type, or a value."""
        meaning = self.meaning(node) if isinstance(node, ast.Name | ast.Attribute) else MISSING
        return self.unit.constant(numpy_dtype(meaning)) if is_type(meaning) else self.expression(node)

    def intrinsic(self, node: ast.Call, meaning: Intrinsic, used: bool) -> ast.expr:
        """Lower a call of something in `numba.cuda`."""
        self.unit.note(meaning)
        if meaning.array:
            shape, dtype = array_arguments(self, node)
            return on_runtime(meaning.method, shape, dtype, self.site(node, "array"))
        if meaning.method == "constant_array":
            value: Any = self.meaning(node.args[0]) if len(node.args) == 1 else MISSING
            if not issubclass(type(value), np.ndarray):
                raise self.refuse(node, "cuda.const.array_like takes a NumPy array defined outside the kernel")
            shown = ast.Constant(self.source.expression(node.args[0]))
            return on_runtime("constant_array", self.unit.constant(plain_array(value)), shown)
        arguments = [self.expression(argument) for argument in node.args]
        keywords = [ast.keyword(k.arg, self.expression(k.value)) for k in node.keywords]
        if meaning.site:
            arguments.insert(0, self.site(node, "atomic" if meaning.method.startswith("atomic") else "sync"))
        if meaning.method.startswith("atomic"):
            keywords.append(ast.keyword("used", ast.Constant(used)))
        made = on_runtime(meaning.method, *arguments)
        made.keywords = keywords
        return made

    # Device functions

    def device_function(self, node: ast.Call, dispatcher: Any) -> ast.expr:
        """Lower a call of a device function."""
        line, function = self.source.line(node), python_function(dispatcher)
        source = self.unit.source(function)
        given, static = self.given_to(node, source.parameters)
        shaping = {p: known(self, given[p]) for p in shapes(source) if p in given and p not in static}
        shaping |= {p: self.flag(given[p]) for p in flags(source) if p in given and p not in static}
        numbers = {p: value for p, value in shaping.items() if value is not None}
        lowered = self.unit.function(function, line, source, type(self), static, numbers, defaults_of(function))
        made = self.applied(node, lowered, source.parameters, source.definition.args.vararg, static)
        declared = signatures.of(dispatcher)
        if declared is None or static:
            return made
        _, *arguments = made.args
        kinds = zip(arguments, declared[0], strict=False)
        made.args[1:] = [self.converted(a, kind) for a, kind in kinds] + arguments[len(declared[0]) :]
        return self.converted(made, declared[1])

    def closure(self, node: ast.Call, function: Closure) -> ast.expr:
        """Lower a call of a function inside this one, or inside the one that handed it on."""
        _, static = self.given_to(node, function.parameters)
        around = {**function.surroundings(), **static}
        lowered = self.unit.function(
            function.node, self.source.line(node), function.source, type(self), around, {}, function.defaults()
        )
        made = self.applied(node, lowered, function.parameters, function.node.args.vararg, static)
        made.keywords += function.captured(self)
        return made

    def given_to(self, node: ast.Call, parameters: tuple[str, ...]) -> tuple[dict[str, ast.expr], dict[str, Any]]:
        """Return what each parameter is given, and what those stand for that are given no values."""
        given = dict(zip(parameters, node.args, strict=False))
        given |= {keyword.arg or "": keyword.value for keyword in node.keywords}
        standing = {p: self.standing(argument) for p, argument in given.items()}
        return given, {p: meaning for p, meaning in standing.items() if meaning is not MISSING}

    def applied(
        self, node: ast.Call, lowered: ast.expr, parameters: tuple[str, ...], rest: ast.arg | None, static: Any
    ) -> ast.Call:
        """Return the call of a lowered function; what goes into ``*args`` goes in as one tuple."""
        positional = [a for p, a in zip(parameters, node.args, strict=False) if p not in static]
        more = node.args[len(parameters) :]
        keywords = [
            ast.keyword(name(k.arg or "").id, self.expression(k.value)) for k in node.keywords if k.arg not in static
        ]
        if rest:
            keywords.append(ast.keyword(name(rest.arg).id, ast.Tuple([self.expression(a) for a in more], ast.Load())))
        else:
            positional += more  # too many: Python's own error says so
        return ast.Call(lowered, [ast.Name("R", ast.Load()), *map(self.expression, positional)], keywords)

    def converted(self, value: ast.expr, kind: Any) -> ast.expr:
        """Lower the conversion of a number to a declared type."""
        convert = signatures.conversion(kind)
        return value if convert is None else ast.Call(self.unit.constant(convert), [value], [])

    def flag(self, node: ast.expr) -> bool | None:
        """Return ``True`` or ``False`` where it stands in the source, or was passed on from there."""
        value = node.value if isinstance(node, ast.Constant) else None
        if isinstance(node, ast.Name) and node.id not in self.stored:
            value = self.numbers.get(node.id)
        return value if type(value) is bool else None

    def standing(self, node: ast.expr) -> Any:
        """Return the function, type or intrinsic that an argument stands for; MISSING for a value."""
        if not isinstance(node, ast.Name | ast.Attribute):
            return MISSING
        meaning = self.meaning(node)
        if type(meaning) is Intrinsic:
            return MISSING if meaning.value else meaning
        if type(meaning) is Closure or is_dispatcher(meaning) or operation_of(meaning):
            return meaning
        return MISSING


def operation_of(meaning: Any) -> Any:
    """Return what computes `meaning`, a type, operation or function of arithmetic; None for anything else."""
    if meaning is MISSING:
        return None
    if type(meaning) is Operation:
        return meaning.compute
    if meaning is complex:
        return complexes.make
    if is_type(meaning):
        return arithmetic.cast(meaning)
    return arithmetic.function(meaning)


def shapes(source: KernelSource) -> Iterable[str]:
    """Return the parameters of a function from which it makes the shape of a shared or local array."""
    return [p for p in source.parameters if p in _inside_arrays(source)]


def flags(source: KernelSource) -> Iterable[str]:
    """Return the parameters on which alone a function branches: Numba compiles only the arm that a constant takes."""
    tests = [n.test for n in ast.walk(source.definition) if isinstance(n, ast.If)]
    tested = {test.id for test in tests if isinstance(test, ast.Name)}
    return [p for p in source.parameters if p in tested]


def _inside_arrays(source: KernelSource) -> set[str]:
    calls = (n for n in ast.walk(source.definition) if isinstance(n, ast.Call))
    arrays = [n for n in calls if isinstance(n.func, ast.Attribute) and n.func.attr == "array"]
    return {n.id for call in arrays for n in ast.walk(call) if isinstance(n, ast.Name)}
