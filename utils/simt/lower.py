"""Lowering: from a kernel's source to a program of our own.

Only what is listed here gets through. Statements: assignment (plain, augmented, annotated, tuples), if, for, while,
return, break, continue, pass, calls. Expressions: names, numbers, tuples, subscripts and slices, listed attributes,
arithmetic, comparisons, and/or/not, conditional expressions, calls of intrinsics, types, arithmetic functions and
device functions. Decorators, defaults and annotations are dropped. Anything else raises `NotOnGpu` with its line, and
nothing of the kernel has run.

In order: read the source, resolve each name (`names`), turn each node into a call on the runtime ``R``, let a *form*
(`forms`) express control flow for one engine, compile. Local names get a prefix, so that a program can reach nothing
but the runtime, its own constants and its own variables.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from utils.simt import raises
from utils.simt.calls import Calls
from utils.simt.closures import Closure
from utils.simt.forms import Form
from utils.simt.program import Program, Unit, name, on_runtime
from utils.simt.source import KernelSource, NotOnGpu, read

ESCAPES = (ast.Return, ast.Break, ast.Continue, ast.Raise, ast.Assert)


def lower(kernel: Any, form: type[Form]) -> Program:
    """Lower `kernel` and every device function it calls for one engine.

    Raises
    ------
    NotOnGpu
        With the line and the reason; `UndefinedName` for a name that nobody defined.
    Unsupported
        If only the other engine can express it.
    """
    source = kernel if isinstance(kernel, KernelSource) else read(kernel)
    unit = Unit(form)
    return unit.finish(source, Lowering(source, unit, returns_nothing=True).compile())


class Lowering(Calls):
    """The lowering of one function."""

    def compile(self) -> Callable[..., Any]:
        """Return the lowered function, a callable of the runtime and the kernel's arguments."""
        try:
            if not self.returns_nothing:
                self.form.result = self.site(self.source.definition, "branch")
            body = self.form.function(self.source.name, self.parameters, self.block(self.source.definition.body))
            self.must_return_on_every_path()
            return self.unit.compile(self.source, body)
        except NotOnGpu as refusal:
            refusal.source = refusal.source or self.source  # the innermost function knows its own lines
            raise

    def must_return_on_every_path(self) -> None:
        """Refuse a function that returns a value on one path and falls off its end on another."""
        body = self.source.definition.body
        values = [
            n for s in body for n in ast.walk(s) if isinstance(n, ast.Return) and n.value and not _is_none(n.value)
        ]
        if values and not _always_returns(body):
            name = self.source.name
            reason = f"{name} returns a value here and nothing on another path: add a return at its end"
            raise self.refuse(values[-1], reason)

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """Lower statements; each straight run of them begins by telling the runtime its lines."""
        lowered: list[ast.stmt] = []
        run: list[ast.stmt] = []
        lines: list[int] = []

        def close() -> None:
            if lines:
                lowered.append(ast.Expr(on_runtime("step", self.unit.lines(lines))))
            lowered.extend(run)
            run.clear()
            lines.clear()

        for place, statement in enumerate(statements, 1):
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                continue  # a docstring
            self.here = self.source.line(statement)
            lines.append(self.here)
            made = self.statement(statement)
            for node in made:
                ast.copy_location(node, statement)
            run += made
            if isinstance(statement, ast.If | ast.For | ast.While):
                close()
            rest = statements[place:]
            if rest and any(isinstance(n, ESCAPES) for n in ast.walk(statement)):
                close()
                return lowered + self.form.after_escape(self.block(rest))
        close()
        return lowered or [ast.Pass()]

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        """Lower one statement."""
        match node:
            case ast.Assign():
                value = self.expression(node.value)
                if len(node.targets) == 1:
                    return self.assign(node.targets[0], value)
                holder, keep = self.keep(value)
                return [keep, *(made for target in node.targets for made in self.assign(target, holder))]
            case ast.AnnAssign(value=ast.expr() as value):
                return self.assign(node.target, self.expression(value))
            case ast.AugAssign():
                return self.augmented(node)
            case ast.Expr(value=ast.Call() as call):
                return [ast.Expr(self.call(call, used=False))]
            case ast.Expr():
                return [ast.Expr(self.expression(node.value))]
            case ast.FunctionDef() if not self.returns_nothing and node.name not in {*self.locals, *self.closures}:
                self.closures[node.name] = Closure(node, self)
                return [ast.Pass()]
            case ast.Raise():
                return [ast.Expr(raises.lowered(self, node))]
            case ast.Assert():
                failed, site = on_runtime("negate", self.expression(node.test)), self.site(node.test, "branch")
                return self.form.branch(failed, site, [ast.Expr(raises.lowered(self, node))], [])
            case ast.If(test=ast.Name(id=flag)) if type(self.numbers.get(flag)) is bool and flag not in self.stored:
                live = node.body if self.numbers[flag] else node.orelse
                return self.block(live) if live else [ast.Pass()]
            case ast.If():
                test, site = self.expression(node.test), self.site(node.test, "branch")
                return self.form.branch(
                    test, site, self.block(node.body), self.block(node.orelse) if node.orelse else []
                )
            case ast.While():
                self.no_else(node)
                site = self.site(node.test, "spin" if self.may_spin(node) else "branch")
                return self.form.loop_while(site, self.expression(node.test), lambda: self.block(node.body))
            case ast.For():
                self.no_else(node)
                return self.loop(node)
            case ast.Return(value=ast.expr() as value) if self.returns_nothing and not _is_none(value):
                raise self.refuse(node, "a kernel returns nothing: store the result in an array")
            case ast.Return():
                return self.form.leave(self.expression(node.value) if node.value else ast.Constant(None))
            case ast.Break():
                return self.form.break_()
            case ast.Continue():
                return self.form.continue_()
            case ast.Pass():
                return [ast.Pass()]
        raise self.refuse(node)

    def assign(self, target: ast.expr, value: ast.expr) -> list[ast.stmt]:
        """Lower an assignment of a lowered value."""
        match target:
            case ast.Name():
                return [self.form.bind(name(target.id), value)]
            case ast.Tuple() if not any(isinstance(part, ast.Starred) for part in target.elts):
                holder, keep = self.keep(on_runtime("unpack", value, ast.Constant(len(target.elts))))
                parts = [ast.Subscript(holder, ast.Constant(i), ast.Load()) for i in range(len(target.elts))]
                return [
                    keep,
                    *(m for t, p in zip(target.elts, parts, strict=True) for m in self.assign(t, p)),
                ]
            case ast.Attribute(attr=field) if not field.startswith("_"):
                return [self.store_field(target, target.value, field, value)]
            case ast.Subscript() if (key := self.key(target.slice)) is not None:
                return [self.store_field(target, target.value, key, value)]
            case ast.Subscript():
                site = self.site(target, "store")
                return [
                    ast.Expr(on_runtime("store", self.expression(target.value), self.index(target.slice), value, site))
                ]
        raise self.refuse(target, "only a variable, a tuple of them, an array element or a field can be assigned to")

    def store_field(self, target: ast.expr, base: ast.expr, field: str, value: ast.expr) -> ast.stmt:
        """Lower a store to a field of a record."""
        site = self.site(target, "store")
        return ast.Expr(on_runtime("store_attribute", self.expression(base), ast.Constant(field), value, site))

    def augmented(self, node: ast.AugAssign) -> list[ast.stmt]:
        """Lower ``x += y``; the index of ``a[i] += y`` is evaluated once."""
        operation, target = type(node.op).__name__, node.target
        field = target.attr if isinstance(target, ast.Attribute) else None
        field = self.key(target.slice) if isinstance(target, ast.Subscript) else field
        if field is not None and not field.startswith("_") and isinstance(target, ast.Attribute | ast.Subscript):
            base, keep_base = self.keep(self.expression(target.value))
            old = on_runtime("named_item", base, ast.Constant(field), self.site(target, "load"))
            new = self.operation(operation, old, self.expression(node.value))
            arguments = (base, ast.Constant(field), new, self.site(target, "store"))
            return [keep_base, ast.Expr(on_runtime("store_attribute", *arguments))]
        if isinstance(target, ast.Subscript):
            base, keep_base = self.keep(self.expression(target.value))
            index, keep_index = self.keep(self.index(target.slice))
            old = on_runtime("load", base, index, self.site(target, "load"))
            new = self.operation(operation, old, self.expression(node.value))
            return [
                keep_base,
                keep_index,
                ast.Expr(on_runtime("store", base, index, new, self.site(target, "store"))),
            ]
        if not isinstance(target, ast.Name):
            raise self.refuse(target, "only a variable or an array element can be assigned to")
        read_back = ast.Name(target.id, ast.Load())
        return self.assign(target, self.operation(operation, self.expression(read_back), self.expression(node.value)))

    def loop(self, node: ast.For) -> list[ast.stmt]:
        """Lower ``for x in range(...)``, or over a tuple or an array."""
        site = self.site(node, "branch")

        def body(item: ast.expr) -> list[ast.stmt]:
            first = self.assign(node.target, item)
            for made in first:
                ast.copy_location(made, node)
            return first + self.block(node.body)

        source = node.iter
        if isinstance(source, ast.Call) and not source.keywords and self.meaning(source.func) is range:
            return self.form.loop_range(site, [self.expression(a) for a in source.args], body)
        each = self.site(source, "load")
        return self.form.loop_each(site, self.expression(source), each, body)

    def keep(self, value: ast.expr) -> tuple[ast.expr, ast.stmt]:
        """Return a fresh variable and the statement that sets it."""
        fresh = self.unit.fresh()
        return ast.Name(fresh, ast.Load()), ast.Assign([ast.Name(fresh, ast.Store())], value)

    def may_spin(self, node: ast.While) -> bool:
        """Whether threads may wait here for an atomic: in the test, or in the body of an endless loop."""
        where = node if isinstance(node.test, ast.Constant) else node.test
        return any("atomic" in self.source.expression(n.func) for n in ast.walk(where) if isinstance(n, ast.Call))

    def no_else(self, node: ast.For | ast.While) -> None:
        """Refuse an else on a loop."""
        if node.orelse:
            raise self.refuse(node.orelse[0], "a loop's else is not simulated: set a flag before the break")


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _always_returns(body: list[ast.stmt]) -> bool:
    """Whether no thread comes past the end of `body`."""
    for statement in body:
        match statement:
            case ast.Return() | ast.Raise():
                return True
            case ast.If() if _always_returns(statement.body) and _always_returns(statement.orelse):
                return True
            case ast.While(test=ast.Constant(value=value)) if value and not _breaks(statement):
                return True
    return False


def _breaks(loop: ast.While) -> bool:
    return any(isinstance(node, ast.Break) for node in ast.walk(loop))
