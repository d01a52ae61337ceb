"""A kernel as data: its text, where it stands, and the value of each free name.

The learner's function object is only read here, never called. What a free name stood for is looked up once, when the
kernel is first launched, as Numba does: changing a global afterwards does not change a compiled kernel.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

from numba.core.dispatcher import Dispatcher

from utils.simt import texts

DISPATCHERS = ("CUDADispatcher", "FakeCUDAKernel")  # under whichever of Numba's modules they live


class NotOnGpu(Exception):
    """The kernel holds something that no GPU runs; `line` says where."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line
        self.reason = reason
        self.source: KernelSource | None = None


class UndefinedName(NotOnGpu):
    """The kernel uses a name that nobody defined."""


class Unsupported(Exception):
    """The lane engine cannot run this, though a GPU can: the scalar engine takes over."""

    def __init__(self, reason: str, line: int = 0) -> None:
        super().__init__(reason)
        self.line = line
        self.reason = reason


@dataclass(frozen=True)
class KernelSource:
    """A kernel or device function, read but not run.

    Attributes
    ----------
    name : str
    text : str
        Its source, decorators included, with the common indentation removed.
    first_line : int
        The line of the file or cell on which `text` starts.
    filename : str
        What Python calls the file or cell; tracebacks find the text through it.
    free : mapping of str to object
        The value of each global and closure name that the text mentions.
    """

    name: str
    text: str
    first_line: int
    filename: str
    free: Mapping[str, Any]
    definition: ast.FunctionDef = field(repr=False)

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of the parameters, in order."""
        arguments = self.definition.args
        return tuple(a.arg for a in [*arguments.posonlyargs, *arguments.args])

    def line(self, node: ast.AST) -> int:
        """Return the line of `node` in the file or cell."""
        return self.first_line + getattr(node, "lineno", 1) - 1

    def statement(self, line: int) -> str:
        """Return the text of a line of the file or cell, without indentation and comment."""
        lines = self.text.splitlines()
        number = line - self.first_line
        if 0 <= number < len(lines):
            return lines[number].strip()
        return linecache.getline(self.filename, line).strip()  # of a device function in the same file or cell

    def expression(self, node: ast.AST) -> str:
        """Return the text of an expression on one line."""
        return " ".join((ast.get_source_segment(self.text, node) or ast.unparse(node)).split())


def is_dispatcher(value: Any) -> bool:
    """Whether `value` is what ``@cuda.jit`` or ``@njit`` makes."""
    kind = type(value)  # not isinstance: that would ask the object itself
    return issubclass(kind, Dispatcher) or kind.__name__ in DISPATCHERS


def python_function(kernel: Any) -> FunctionType | None:
    """Return the Python function behind a dispatcher or a plain function; None if there is none."""
    if is_dispatcher(kernel):
        kernel = kernel.py_func if hasattr(kernel, "py_func") else kernel.fn
    return kernel if type(kernel) is FunctionType else None


def read(kernel: Any) -> KernelSource:
    """Read the source of `kernel`, a ``@cuda.jit`` dispatcher or a plain function.

    Raises
    ------
    TypeError
        If it is no function.
    NotOnGpu
        If it has no source, or is a lambda, a generator or a coroutine.
    """
    function = python_function(kernel)
    if function is None:
        raise TypeError(f"a kernel is a function under @cuda.jit, not {type(kernel).__name__}")
    try:
        lines, first_line = _lines(function)
    except (OSError, TypeError):
        raise NotOnGpu(1, f"the source of {function.__name__} cannot be found: define it in a cell or file") from None
    text = textwrap.dedent("".join(lines))
    try:
        definition = ast.parse(text).body[0]
    except (SyntaxError, IndexError):
        definition = None
    if not isinstance(definition, ast.FunctionDef):
        raise NotOnGpu(max(first_line, 1), f"{function.__name__} is not a plain 'def': a kernel must be one")
    mentioned = {node.id for node in ast.walk(definition) if isinstance(node, ast.Name)}
    return KernelSource(
        name=function.__name__,
        text=text,
        first_line=max(first_line, 1),
        filename=function.__code__.co_filename,
        free={name: value for name, value in _surroundings(function).items() if name in mentioned},
        definition=definition,
    )


def _lines(function: FunctionType) -> tuple[list[str], int]:
    try:
        return texts.lines_of(function.__code__)
    except OSError:
        return inspect.getsourcelines(function)


def _surroundings(function: FunctionType) -> dict[str, Any]:
    names = dict(function.__globals__)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            names[name] = cell.cell_contents
        except ValueError:  # the closure's variable has no value yet
            names.pop(name, None)
    return names
