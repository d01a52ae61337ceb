"""Lowering, functions inside device functions: compiled like these, with the variables they see as arguments.

Called where it is defined, such a function sees the variables of that moment. Handed to a device function it may only
see numbers that are known when the kernel is compiled, as Numba has it.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from utils.simt.program import name
from utils.simt.source import KernelSource
from utils.simt.static import known, literal, number

if TYPE_CHECKING:
    from utils.simt.expressions import Expressions


@dataclass(frozen=True, eq=False)
class Closure:
    """A function inside a kernel, and the lowering of the function around it."""

    node: ast.FunctionDef
    outer: Expressions

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of its own parameters, without ``*args``."""
        return tuple(a.arg for a in [*self.node.args.posonlyargs, *self.node.args.args])

    @property
    def seen(self) -> list[str]:
        """The variables around it that it reads."""
        names = [n for statement in self.node.body for n in ast.walk(statement) if isinstance(n, ast.Name)]
        own = {n.id for n in names if isinstance(n.ctx, ast.Store)} | set(self.parameters)
        if self.node.args.vararg:
            own.add(self.node.args.vararg.arg)
        return sorted({n.id for n in names} & self.outer.locals - own)

    @property
    def source(self) -> KernelSource:
        """It as a function of its own: what it sees comes as further parameters."""
        own = self.node.args
        parameters = [*own.posonlyargs, *own.args, *map(ast.arg, self.seen)]
        arguments = ast.arguments([], parameters, own.vararg, own.kwonlyargs, [], own.kwarg, [])
        definition = ast.FunctionDef(self.node.name, arguments, self.node.body, [], None)
        return replace(self.outer.source, name=self.node.name, definition=ast.copy_location(definition, self.node))

    def surroundings(self) -> dict[str, Any]:
        """Return the functions and types that it knows from around it."""
        return {**self.outer.given, **self.outer.closures}

    def captured(self, caller: Expressions) -> list[ast.keyword]:
        """Return the arguments for what it sees, where `caller` calls it."""
        if caller is self.outer:
            return [ast.keyword(name(n).id, name(n)) for n in self.seen]
        numbers = {n: known(self.outer, ast.Name(n, ast.Load())) for n in self.seen}
        unknown = [n for n, value in numbers.items() if value is None]
        if unknown:
            reason = f"{self.node.name} is handed on, so {unknown[0]} in it must be a number the compiler knows"
            raise self.outer.refuse(self.node, reason)
        return [ast.keyword(name(n).id, caller.value(ast.Name(n), value)) for n, value in numbers.items()]

    def defaults(self) -> dict[str, Any]:
        """Return the defaults of its parameters that are numbers in the source."""
        given = self.node.args.defaults
        return numbers_of(self.parameters, [literal(node) for node in given])


def defaults_of(function: Any) -> dict[str, Any]:
    """Return the defaults of a device function's parameters: values that Python has evaluated already."""
    values = function.__defaults__ or ()
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    return numbers_of(names, values)


def numbers_of(names: Sequence[str], defaults: Sequence[Any]) -> dict[str, Any]:
    """Return the defaults of the last of `names`; none at all if one is no number: then each must be given."""
    try:
        values = [None if value is None else number(value) for value in defaults]
    except (TypeError, OverflowError):
        return {}
    return dict(zip(names[len(names) - len(values) :], values, strict=True))
