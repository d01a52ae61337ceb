"""Lowering, the expressions: what may stand in a kernel, and what each name in it means."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from utils.simt import arithmetic, enumerations
from utils.simt.closures import Closure
from utils.simt.names import (
    ATTRIBUTES,
    BUILTINS,
    MODULES,
    Intrinsic,
    Namespace,
    among,
    as_static,
    dotted,
    of_module,
)
from utils.simt.program import Unit, name, on_runtime
from utils.simt.source import KernelSource, NotOnGpu, UndefinedName
from utils.simt.static import literal, number, plain_array

NOT_HERE: dict[type[ast.AST], str] = {
    ast.ListComp: "a list comprehension makes a list, and a kernel has no lists: write a loop",
    ast.List: "a kernel has no lists: use cuda.local.array, or a tuple",
    ast.Dict: "a kernel has no dictionaries",
    ast.Set: "a kernel has no sets",
    ast.GeneratorExp: "a kernel has no generators: write a loop",
    ast.Lambda: "a kernel has no lambda: write a function under @cuda.jit(device=True)",
    ast.JoinedStr: "a kernel has no strings",
    ast.Import: "a kernel cannot import: import at the top of the notebook",
    ast.ImportFrom: "a kernel cannot import: import at the top of the notebook",
    ast.Try: "a kernel cannot catch exceptions",
    ast.With: "a kernel has no 'with'",
    ast.FunctionDef: "a function inside a kernel cannot be compiled: move it out, under @cuda.jit(device=True)",
    ast.Global: "a kernel cannot change a global",
    ast.Nonlocal: "a kernel cannot change a variable outside it",
}
MISSING: Any = object()
IDENTITY = {"Is": enumerations.same, "IsNot": enumerations.different}


class Expressions:
    """The lowering of one function's expressions; `unit` holds what all functions of a program share."""

    def __init__(
        self,
        source: KernelSource,
        unit: Unit,
        returns_nothing: bool = False,
        static: Mapping[str, Any] | None = None,
        numbers: Mapping[str, Any] | None = None,
    ) -> None:
        self.returns_nothing = returns_nothing
        self.given, self.numbers = static or {}, numbers or {}
        self.parameters = tuple(p for p in source.parameters if p not in self.given)
        self.source = source
        self.unit = unit
        arguments = source.definition.args
        rest = arguments.vararg
        if (rest and returns_nothing) or arguments.kwarg or arguments.kwonlyargs:
            raise NotOnGpu(source.first_line, f"{source.name} takes *args, **kwargs or keyword-only parameters")
        if rest:  # of a device function: they come as one tuple
            self.parameters += (rest.arg,)
        self.closures: dict[str, Closure] = {}
        stored = {n.id for n in ast.walk(source.definition) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        self.stored = stored
        self.locals = stored | set(self.parameters)
        self.form = unit.form(unit, stored - set(self.parameters))
        self.here = source.first_line

    def expression(self, node: ast.expr) -> ast.expr:
        """Lower one expression."""
        made = self.expression_of(node)
        return ast.copy_location(made, node)

    def expression_of(self, node: ast.expr) -> ast.expr:
        """Lower `node` by its kind; anything not listed is refused."""
        match node:
            case ast.Constant():
                return self.value(node, node.value)
            case ast.Name() if node.id in self.locals:
                return name(node.id)
            case ast.Name():
                return self.static(node, self.meaning(node))
            case ast.Attribute():
                return self.attribute(node)
            case ast.Tuple() if not any(isinstance(part, ast.Starred) for part in node.elts):
                return ast.Tuple([self.expression(part) for part in node.elts], ast.Load())
            case ast.Subscript() if (meaning := self.meaning(node)) is not MISSING:
                return self.static(node, meaning)
            case ast.Subscript() if (key := self.key(node.slice)) is not None:
                base, site = self.expression(node.value), self.site(node, "load")
                return on_runtime("named_item", base, ast.Constant(key), site)
            case ast.Subscript():
                return on_runtime("load", self.expression(node.value), self.index(node.slice), self.site(node, "load"))
            case ast.BinOp():
                return self.operation(type(node.op).__name__, self.expression(node.left), self.expression(node.right))
            case ast.UnaryOp(op=ast.Not()):
                return on_runtime("negate", self.expression(node.operand))
            case ast.UnaryOp():
                constant = literal(node)
                if constant is not None:
                    return self.value(node, constant)
                return ast.Call(
                    self.unit.constant(arithmetic.unary(type(node.op).__name__)),
                    [self.expression(node.operand)],
                    [],
                )
            case ast.BoolOp():
                word = "both" if isinstance(node.op, ast.And) else "either"
                made = self.form.short_circuit(word, [self.expression(value) for value in node.values])
                if all(isinstance(value, ast.Compare | ast.BoolOp) for value in node.values):
                    return made  # a bool, whichever part decides
                return self.form.joined_value(self.site(node, "branch"), made)
            case ast.Compare():
                return self.comparison(node)
            case ast.IfExp():
                parts = [self.expression(part) for part in (node.test, node.body, node.orelse)]
                return self.form.choice(self.site(node, "branch"), *parts)
            case ast.Call():
                return self.call(node, used=True)
            case ast.Starred():  # only in calls of functions of arithmetic
                return ast.Starred(on_runtime("parts", self.expression(node.value)), ast.Load())
        raise self.refuse(node)

    def operation(self, operation: str, left: ast.expr, right: ast.expr) -> ast.expr:
        """Lower a binary operation on lowered operands."""
        if operation in IDENTITY:
            return ast.Call(self.unit.constant(IDENTITY[operation]), [left, right], [])
        if operation not in arithmetic.BINARY:
            raise NotOnGpu(self.here, f"the operator {operation} does not exist in a kernel")
        return ast.Call(self.unit.constant(arithmetic.binary(operation)), [left, right], [])

    def comparison(self, node: ast.Compare) -> ast.expr:
        """Lower ``a < b < c``; each operand is evaluated once."""
        operands = [self.expression(part) for part in [node.left, *node.comparators]]
        held: list[ast.NamedExpr] = []
        for operand in operands[1:-1]:
            holder = self.unit.fresh()
            held.append(ast.NamedExpr(ast.Name(holder, ast.Store()), operand))
        rights = [*held, operands[-1]]
        lefts = [operands[0], *(ast.Name(h.target.id, ast.Load()) for h in held)]
        parts = [self.operation(type(op).__name__, a, b) for op, a, b in zip(node.ops, lefts, rights, strict=True)]
        return parts[0] if len(parts) == 1 else self.form.short_circuit("both", parts)

    def attribute(self, node: ast.Attribute) -> ast.expr:
        """Lower ``module.name`` or one of the listed attributes of a value."""
        meaning = self.meaning(node)
        if meaning is not MISSING:
            return self.static(node, meaning)
        if node.attr.startswith("_"):
            raise self.refuse(node, f".{node.attr} does not exist in a kernel")
        arguments = [self.expression(node.value), ast.Constant(node.attr)]
        if node.attr not in ATTRIBUTES:  # then it is a field, and reading one may be an access
            arguments.append(self.site(node, "load"))
        return on_runtime("attribute", *arguments)

    def key(self, node: ast.expr) -> str | None:
        """Return the name of ``record["name"]``; None if it is no text known to the compiler."""
        known = node.value if isinstance(node, ast.Constant) else None
        if isinstance(node, ast.Name | ast.Attribute):
            known = self.meaning(node)
        return known if type(known) is str else None

    def index(self, node: ast.expr) -> ast.expr:
        """Lower what stands between the brackets."""
        if isinstance(node, ast.Slice):
            parts = [self.expression(p) if p else ast.Constant(None) for p in (node.lower, node.upper, node.step)]
            return on_runtime("span", *parts)
        if isinstance(node, ast.Tuple):
            return ast.Tuple([self.index(part) for part in node.elts], ast.Load())
        return self.expression(node)

    def call(self, node: ast.Call, used: bool) -> ast.expr:
        """Lower a call; `calls` does."""
        raise NotImplementedError

    # Helpers

    def meaning(self, node: ast.expr) -> Any:
        """Return what a name or dotted name outside the kernel stands for; MISSING if it is a run-time value."""
        if isinstance(node, ast.Name) and node.id not in self.locals:
            if node.id in self.closures:
                return self.closures[node.id]
            if node.id in self.given:
                return self.given[node.id]
            if node.id in self.source.free:
                return as_static(self.source.free[node.id])
            if node.id in BUILTINS:
                return BUILTINS[node.id]
            if hasattr(builtins, node.id):
                raise self.refuse(node, f"{node.id} does not exist in a kernel")
            raise UndefinedName(self.source.line(node), f"name '{node.id}' is not defined")
        if isinstance(node, ast.Attribute):
            base = self.meaning(node.value)
            if enumerations.is_enumeration(base):
                return enumerations.members(base).get(node.attr, MISSING)
            if type(base) is ModuleType and not among(base, MODULES):
                return as_static(of_module(base, node.attr))
            if type(base) is Namespace or among(base, MODULES):
                try:
                    return as_static(dotted(base, node.attr))
                except KeyError:
                    raise self.refuse(node, f"{self.source.expression(node)} does not exist in a kernel") from None
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name | ast.Attribute):
            base = self.meaning(node.value)
            if enumerations.is_enumeration(base) and (key := self.key(node.slice)) is not None:
                return enumerations.members(base).get(key, MISSING)
        return MISSING

    def static(self, node: ast.expr, meaning: Any) -> ast.expr:
        """Lower a resolved name that is used as a value."""
        if type(meaning) is Intrinsic and meaning.value:
            return ast.Attribute(ast.Name("R", ast.Load()), meaning.method, ast.Load())
        if issubclass(type(meaning), np.ndarray):
            return on_runtime(
                "constant_array",
                self.unit.constant(plain_array(meaning)),
                ast.Constant(self.source.expression(node)),
            )
        return self.value(node, meaning)

    def value(self, node: ast.expr, value: Any) -> ast.expr:
        """Lower a constant: a number, a text, or a tuple of numbers."""
        if value is None:
            return ast.Constant(None)
        if type(value) in (str, bytes):
            return self.unit.constant(np.array(value)[()])
        try:
            return self.unit.constant(number(value))
        except (TypeError, OverflowError) as error:
            raise self.refuse(node, f"{self.source.expression(node)} {error}") from None

    def site(self, node: ast.AST, op: str) -> ast.Constant:
        """Register an access of the source; its number goes into the program."""
        return ast.Constant(self.unit.site(self.source, node, op))

    def refuse(self, node: ast.AST, reason: str = "") -> NotOnGpu:
        """Return the error for a node that is not on the list."""
        if not reason:
            shown = type(node).__name__
            reason = NOT_HERE.get(type(node), f"{shown} does not exist in a kernel")
        return NotOnGpu(self.source.line(node) if hasattr(node, "lineno") else self.here, reason)
