"""``raise`` and ``assert`` in a kernel.

A thread that raises ends there. Without ``debug=True`` a GPU tells nobody; with it the launch raises on the host. The
exception is described by the kernel's source: no code of its class runs.
"""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from utils.simt.program import on_runtime
from utils.simt.report import Dim3
from utils.simt.source import is_dispatcher

if TYPE_CHECKING:
    from utils.simt.expressions import Expressions


class ThreadEnded(BaseException):
    """One thread of the scalar engine has raised."""


@dataclass(frozen=True)
class Raised:
    """An exception in a kernel.

    Attributes
    ----------
    line : int
    kind : type
        Its class.
    message : str
    block, thread : (x, y, z)
        The first thread that raised it.
    threads : int
        How many did.
    """

    line: int
    kind: type[Exception]
    message: str
    block: Dim3
    thread: Dim3
    threads: int

    def exception(self) -> Exception:
        """Return the exception for the host, worded as Numba words it."""
        where = f"tid={list(self.thread)} ctaid={list(self.block)}"
        text = f"{where}: {self.message}" if self.message else where
        return Exception.__new__(self.kind, text)

    def note(self) -> str:
        """Return what a report says."""
        threads = "1 thread" if self.threads == 1 else f"{self.threads} threads"
        return (
            f"line {self.line}: {threads} raised {self.kind.__name__} and ended there; "
            "a GPU tells the host only of kernels under @cuda.jit(debug=True, opt=False)"
        )


def lowered(lowering: Expressions, node: ast.Raise | ast.Assert) -> ast.expr:
    """Return the call that ends the threads that come here."""
    kind, message = _exception(lowering, node)
    return on_runtime("raise_", lowering.site(node, "branch"), lowering.unit.constant(kind), ast.Constant(message))


def _exception(lowering: Expressions, node: ast.Raise | ast.Assert) -> tuple[type, str]:
    if isinstance(node, ast.Assert):
        return AssertionError, _message(lowering, [node.msg] if node.msg else [])
    raised: Any = node.exc
    if raised is None or node.cause is not None:
        raise lowering.refuse(node, "a kernel can only raise a new exception, as in raise ValueError('...')")
    arguments: list[ast.expr] = []
    if isinstance(raised, ast.Call) and not raised.keywords:
        raised, arguments = raised.func, raised.args
    kind: Any = None
    if isinstance(raised, ast.Name) and raised.id not in lowering.locals:
        kind = lowering.source.free.get(raised.id, vars(builtins).get(raised.id))
    elif isinstance(raised, ast.Attribute):
        kind = lowering.meaning(raised)
    if type(kind) is not type or not issubclass(kind, Exception):
        raise lowering.refuse(node, f"{lowering.source.expression(raised)} is no exception a kernel can raise")
    return kind, _message(lowering, arguments)


def _message(lowering: Expressions, arguments: list[ast.expr]) -> str:
    parts = []
    for argument in arguments:
        known = argument.value if isinstance(argument, ast.Constant) else lowering.meaning(argument)
        if type(known) not in (str, int, float, bool):
            raise lowering.refuse(argument, "what an exception in a kernel says must be known when it is compiled")
        parts.append(str(known))
    return ", ".join(parts)


def tells_the_host(kernel: Any) -> bool:
    """Whether a kernel was compiled with ``debug=True``."""
    if not is_dispatcher(kernel):
        return False
    options = getattr(kernel, "targetoptions", None)
    return bool(options.get("debug")) if isinstance(options, dict) else bool(getattr(kernel, "_debug", False))
