"""How control flow is written for each engine.

The lane form turns control flow into masks: every lane walks through every arm, and the runtime says which lanes
count. The scalar form leaves it to Python: one thread takes one path. All else in a program is the same for both.

Where paths join, both forms hand the variables that the paths assign to ``R.join_types``, which gives them the one
type that Numba would (see `typing_pass`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from utils.simt.program import PREFIX, on_runtime

if TYPE_CHECKING:
    from utils.simt.program import Unit

Body = Callable[[], list[ast.stmt]]
ItemBody = Callable[[ast.expr], list[ast.stmt]]


class Form:
    """What both forms share."""

    def __init__(self, unit: Unit, variables: Iterable[str]) -> None:
        self.unit = unit
        self.variables = sorted(variables)
        self.loops: list[str] = []
        self.result: ast.Constant | None = None  # the site at which a device function's returns meet

    def function(self, identifier: str, parameters: tuple[str, ...], body: list[ast.stmt]) -> ast.FunctionDef:
        """Return the whole function; `body` is lowered."""
        arguments = ast.arguments(
            [], [ast.arg("R"), *(ast.arg(PREFIX + p) for p in parameters)], None, [], [], None, []
        )
        start = [_set(PREFIX + variable, _runtime("undefined")) for variable in self.variables]
        return ast.FunctionDef(identifier, arguments, [*start, *self.frame(body)], [], None, lineno=1, col_offset=0)

    def joined(self, site: ast.Constant, *bodies: list[ast.stmt]) -> list[ast.stmt]:
        """Return the statement that gives the variables assigned in `bodies` their joint type."""
        assigned = sorted({name for body in bodies for statement in body for name in _variables(statement)})
        if not assigned:
            return []
        targets = ast.Tuple([ast.Name(n, ast.Store()) for n in assigned], ast.Store())
        values = [ast.Name(n, ast.Load()) for n in assigned]
        return [ast.Assign([targets], on_runtime("join_types", site, *values))]

    @staticmethod
    def joined_value(site: ast.Constant | None, value: ast.expr) -> ast.expr:
        """Return a value in the type that it has at `site`, whichever path it came by."""
        if site is None:
            return value
        return ast.Subscript(on_runtime("join_types", site, value), ast.Constant(0), ast.Load())

    # What a form decides

    def frame(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Wrap the body of a function."""
        raise NotImplementedError

    def after_escape(self, rest: list[ast.stmt]) -> list[ast.stmt]:
        """Write what follows a statement that may have sent threads elsewhere."""
        raise NotImplementedError

    def bind(self, variable: ast.Name, value: ast.expr) -> ast.stmt:
        """Set a variable."""
        raise NotImplementedError

    def branch(
        self, test: ast.expr, site: ast.Constant, body: list[ast.stmt], orelse: list[ast.stmt]
    ) -> list[ast.stmt]:
        """Write an if."""
        raise NotImplementedError

    def loop_while(self, site: ast.Constant, test: ast.expr, body: Body) -> list[ast.stmt]:
        """Write a while."""
        raise NotImplementedError

    def loop_range(self, site: ast.Constant, bounds: list[ast.expr], body: ItemBody) -> list[ast.stmt]:
        """Write a for over a range."""
        raise NotImplementedError

    def loop_each(self, site: ast.Constant, items: ast.expr, load: ast.Constant, body: ItemBody) -> list[ast.stmt]:
        """Write a for over a tuple or an array; `load` is the site of reading an element."""
        raise NotImplementedError

    def break_(self) -> list[ast.stmt]:
        """Write a break out of the innermost loop."""
        raise NotImplementedError

    def continue_(self) -> list[ast.stmt]:
        """Write a continue of the innermost loop."""
        raise NotImplementedError

    def leave(self, value: ast.expr) -> list[ast.stmt]:
        """Write a return."""
        raise NotImplementedError

    def short_circuit(self, word: str, parts: list[ast.expr]) -> ast.expr:
        """Write and ("both") or or ("either")."""
        raise NotImplementedError

    def choice(self, site: ast.Constant, test: ast.expr, yes: ast.expr, no: ast.expr) -> ast.expr:
        """Write ``yes if test else no``."""
        raise NotImplementedError


class LaneForm(Form):
    """All lanes at once, under masks."""

    def frame(self, body: list[ast.stmt]) -> list[ast.stmt]:
        frame = self.unit.fresh()
        result = self.joined_value(self.result, on_runtime("leave", _get(frame)))
        return [_set(frame, on_runtime("enter")), *body, ast.Return(result)]

    def after_escape(self, rest: list[ast.stmt]) -> list[ast.stmt]:
        return [_if(on_runtime("running"), rest)]

    def bind(self, variable: ast.Name, value: ast.expr) -> ast.stmt:
        return _set(variable.id, on_runtime("assign", variable, value))

    def branch(
        self, test: ast.expr, site: ast.Constant, body: list[ast.stmt], orelse: list[ast.stmt]
    ) -> list[ast.stmt]:
        split = self.unit.fresh()
        shared = _assigned(body) & _mentioned(orelse)
        before, after = self.unit.fresh(), self.unit.fresh()
        made: list[ast.stmt] = [_set(split, on_runtime("split", test, site))]
        if shared:
            made.append(_set(before, _all(shared, ast.Load())))
        made.append(_if(on_runtime("then", _get(split)), body))
        if shared:  # the else arm sees what the first arm assigned as it was before
            made += [_set(after, _all(shared, ast.Load())), ast.Assign([_all(shared, ast.Store())], _get(before))]
        if orelse:
            made.append(_if(on_runtime("otherwise", _get(split)), orelse))
        if shared:
            merged = on_runtime("merge_arms", _get(split), _get(after), _all(shared, ast.Load()))
            made.append(ast.Assign([_all(shared, ast.Store())], merged))
        made.append(ast.Expr(on_runtime("join", _get(split))))
        return made + self.joined(site, body, orelse)

    def loop_while(self, site: ast.Constant, test: ast.expr, body: Body) -> list[ast.stmt]:
        loop = self.unit.fresh()
        go = ast.BoolOp(ast.And(), [on_runtime("again", _get(loop)), on_runtime("narrow", _get(loop), test)])
        return self._loop(loop, site, on_runtime("begin_loop", site), go, body)

    def loop_range(self, site: ast.Constant, bounds: list[ast.expr], body: ItemBody) -> list[ast.stmt]:
        loop = self.unit.fresh()
        begin = on_runtime("begin_range", site, *bounds)
        return self._loop(
            loop, site, begin, on_runtime("advance", _get(loop)), lambda: body(on_runtime("item", _get(loop)))
        )

    def loop_each(self, site: ast.Constant, items: ast.expr, load: ast.Constant, body: ItemBody) -> list[ast.stmt]:
        loop = self.unit.fresh()
        begin = on_runtime("begin_each", site, items, load)
        return self._loop(
            loop, site, begin, on_runtime("advance", _get(loop)), lambda: body(on_runtime("item", _get(loop)))
        )

    def _loop(self, loop: str, site: ast.Constant, begin: ast.expr, go: ast.expr, body: Body) -> list[ast.stmt]:
        self.loops.append(loop)
        inside = body()
        self.loops.pop()
        types = self.joined(site, inside)
        start: list[ast.stmt] = [*types, _set(loop, begin), ast.While(go, inside, [])]
        return [*start, ast.Expr(on_runtime("end_loop", _get(loop))), *self.joined(site, inside)]

    def break_(self) -> list[ast.stmt]:
        return [ast.Expr(on_runtime("break_", _get(self.loops[-1])))]

    def continue_(self) -> list[ast.stmt]:
        return [ast.Expr(on_runtime("continue_", _get(self.loops[-1])))]

    def leave(self, value: ast.expr) -> list[ast.stmt]:
        return [ast.Expr(on_runtime("return_", value))]

    def short_circuit(self, word: str, parts: list[ast.expr]) -> ast.expr:
        *before, made = parts
        for part in reversed(before):
            made = on_runtime(word, part, _later(made))
        return made

    def choice(self, site: ast.Constant, test: ast.expr, yes: ast.expr, no: ast.expr) -> ast.expr:
        return on_runtime("choose", site, test, _later(yes), _later(no))


class ScalarForm(Form):
    """One thread after another, on Python's own control flow."""

    def frame(self, body: list[ast.stmt]) -> list[ast.stmt]:
        return body

    def after_escape(self, rest: list[ast.stmt]) -> list[ast.stmt]:
        return rest

    def bind(self, variable: ast.Name, value: ast.expr) -> ast.stmt:
        return _set(variable.id, value)

    def branch(
        self, test: ast.expr, site: ast.Constant, body: list[ast.stmt], orelse: list[ast.stmt]
    ) -> list[ast.stmt]:
        return [ast.If(on_runtime("truth", test), body, orelse), *self.joined(site, body, orelse)]

    def loop_while(self, site: ast.Constant, test: ast.expr, body: Body) -> list[ast.stmt]:
        go = ast.BoolOp(ast.And(), [on_runtime("turn", site), on_runtime("truth", test)])
        inside = body()
        return [*self.joined(site, inside), ast.While(go, inside, []), *self.joined(site, inside)]

    def loop_range(self, site: ast.Constant, bounds: list[ast.expr], body: ItemBody) -> list[ast.stmt]:
        return self._for(site, on_runtime("counted", site, *bounds), body)

    def loop_each(self, site: ast.Constant, items: ast.expr, load: ast.Constant, body: ItemBody) -> list[ast.stmt]:
        return self._for(site, on_runtime("each", site, items, load), body)

    def _for(self, site: ast.Constant, items: ast.expr, body: ItemBody) -> list[ast.stmt]:
        item = self.unit.fresh()
        inside = body(_get(item))
        loop = ast.For(ast.Name(item, ast.Store()), items, inside, [])
        return [*self.joined(site, inside), loop, *self.joined(site, inside)]

    def break_(self) -> list[ast.stmt]:
        return [ast.Break()]

    def continue_(self) -> list[ast.stmt]:
        return [ast.Continue()]

    def leave(self, value: ast.expr) -> list[ast.stmt]:
        return [ast.Return(self.joined_value(self.result, value))]

    def short_circuit(self, word: str, parts: list[ast.expr]) -> ast.expr:
        return ast.BoolOp(ast.And() if word == "both" else ast.Or(), parts)

    def choice(self, site: ast.Constant, test: ast.expr, yes: ast.expr, no: ast.expr) -> ast.expr:
        chosen = on_runtime("join_types", site, ast.IfExp(on_runtime("truth", test), yes, no))
        return ast.Subscript(chosen, ast.Constant(0), ast.Load())


def _all(names: set[str], context: ast.expr_context) -> ast.Tuple:
    return ast.Tuple([ast.Name(name, context) for name in sorted(names)], context)


def _assigned(body: list[ast.stmt]) -> set[str]:
    return {name for statement in body for name in _variables(statement)}


def _mentioned(body: list[ast.stmt]) -> set[str]:
    return {node.id for statement in body for node in ast.walk(statement) if isinstance(node, ast.Name)}


def _set(identifier: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(identifier, ast.Store())], value)


def _get(identifier: str) -> ast.expr:
    return ast.Name(identifier, ast.Load())


def _runtime(attribute: str) -> ast.expr:
    return ast.Attribute(_get("R"), attribute, ast.Load())


def _if(test: ast.expr, body: list[ast.stmt]) -> ast.stmt:
    return ast.If(test, body, [])


def _later(expression: ast.expr) -> ast.expr:
    return ast.Lambda(ast.arguments([], [], None, [], [], None, []), expression)


def _variables(statement: ast.stmt) -> Iterator[str]:
    """Yield the kernel's own variables that a lowered statement sets."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id.startswith(PREFIX):
            yield node.id
