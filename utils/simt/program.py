"""What lowering makes: a program, with its table of sites and its constants."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from utils.simt.names import Intrinsic
from utils.simt.source import KernelSource, NotOnGpu, read

if TYPE_CHECKING:
    from utils.simt.forms import Form

PREFIX = "v_"
MOST_NESTED = 8  # calls of one device function inside each other, each time with other functions as arguments


@dataclass(frozen=True)
class SiteInfo:
    """One access, branch or barrier of the source.

    Attributes
    ----------
    line : int
        In the file or cell.
    source, statement : str
        The expression, and the line it stands on.
    op : {"load", "store", "atomic", "branch", "spin", "sync", "array"}
    """

    line: int
    source: str
    statement: str
    op: str


@dataclass
class Program:
    """A lowered kernel, ready for one engine.

    Attributes
    ----------
    source : KernelSource
    run : callable
        ``run(runtime, *arguments)``; holds no state of its own.
    sites : list of SiteInfo
        The number of a site is its place in this list, the same for both engines.
    waits : bool
        Whether threads wait for each other anywhere.
    atomics, fences, grid_waits : bool
        Whether there are atomics, and memory fences, and whether the grid waits for itself.
    inferred : dict
        For each signature, what `typing_pass` found out.
    """

    source: KernelSource
    run: Callable[..., Any]
    sites: list[SiteInfo]
    waits: bool = False
    atomics: bool = False
    fences: bool = False
    grid_waits: bool = False
    inferred: dict[Any, Any] = field(default_factory=dict)

    @property
    def spins(self) -> bool:
        """Whether threads may wait for each other in a loop."""
        return any(site.op == "spin" for site in self.sites)


class Unit:
    """What the functions of one program share while it is lowered."""

    def __init__(self, form: type[Form]) -> None:
        self.form = form
        self.sites: list[SiteInfo] = []
        self.used: list[Intrinsic] = []
        self.namespace: dict[str, Any] = {"__builtins__": {}}
        self.sources: dict[Any, KernelSource] = {}
        self.functions: dict[Any, tuple[ast.expr, Mapping[str, Any]]] = {}
        self.open: list[Any] = []
        self.count = 0

    def fresh(self) -> str:
        """Return a variable name that nothing else uses."""
        self.count += 1
        return f"t{self.count}"

    def site(self, source: KernelSource, node: ast.AST, op: str) -> int:
        """Register a site and return its number."""
        line = source.line(node)
        shown = source.expression(node) if isinstance(node, ast.expr) else source.statement(line)
        self.sites.append(SiteInfo(line, shown, source.statement(line), op))
        return len(self.sites) - 1

    def constant(self, value: Any) -> ast.expr:
        """Give `value` a name in the program's namespace."""
        key = f"k{len(self.namespace)}"
        self.namespace[key] = value
        return ast.Name(key, ast.Load())

    @staticmethod
    def lines(lines: list[int]) -> ast.expr:
        """Return a tuple of line numbers."""
        return ast.Tuple([ast.Constant(line) for line in lines], ast.Load())

    def note(self, intrinsic: Intrinsic) -> None:
        """Remember that the program uses `intrinsic`."""
        self.used.append(intrinsic)

    def source(self, function: Any) -> KernelSource:
        """Return a device function, read once."""
        if function not in self.sources:
            self.sources[function] = read(function)
        return self.sources[function]

    def function(
        self,
        function: Any,
        line: int,
        source: KernelSource,
        lowering: Callable[..., Any],
        static: Mapping[str, Any],
        numbers: Mapping[str, Any],
        defaults: Mapping[str, Any],
    ) -> ast.expr:
        """Return the lowered form of a device function, lowering it at its first call.

        Parameters
        ----------
        function : function or node
            Which one it is.
        line : int
            Of the call.
        source : KernelSource
        lowering : type
            The lowering of one function.
        static, numbers : mapping of str to object
            What parameters stand for: functions and types, which are no arguments any more; and known numbers.
        defaults : mapping of str to object
            The numbers that parameters are when nothing is given for them.
        """
        key = (function, tuple((p, id(meaning)) for p, meaning in static.items()), tuple(numbers.items()))
        inside = [opened for opened in self.open if opened[0] is function]
        if key in inside or len(inside) >= MOST_NESTED:
            raise NotOnGpu(line, f"{source.name} calls itself: the simulated GPU takes no recursion, write a loop")
        if key not in self.functions:
            self.open.append(key)
            made = lowering(source, self, static=static, numbers=numbers).compile()
            made.__defaults__ = _defaults(made, defaults)
            self.functions[key] = self.constant(made), static  # kept: an id must not pass to another object
            self.open.pop()
        return self.functions[key][0]

    def compile(self, source: KernelSource, definition: ast.FunctionDef) -> Callable[..., Any]:
        """Compile a lowered definition under the learner's file name and line numbers."""
        module = ast.Module([definition], [])
        ast.fix_missing_locations(module)
        ast.increment_lineno(module, source.first_line - 1)
        for node in ast.walk(module):
            if isinstance(node, ast.expr | ast.stmt):
                node.end_lineno = node.lineno  # or Python names the last line of a statement that spans several
                node.col_offset = node.end_col_offset = 0
        # Only nodes that lowering made are in the module, and the namespace has no builtins.
        exec(compile(module, source.filename, "exec"), self.namespace)
        return self.namespace.pop(definition.name)

    def finish(self, source: KernelSource, run: Callable[..., Any]) -> Program:
        """Return the program."""
        methods = {intrinsic.method for intrinsic in self.used}
        return Program(
            source,
            run,
            self.sites,
            waits=any(intrinsic.syncs for intrinsic in self.used),
            atomics=any(method.startswith("atomic") for method in methods),
            fences="threadfence" in methods,
            grid_waits="grid_sync" in methods,
        )


def _defaults(function: Any, known: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the defaults of a lowered function's last parameters; those that are always given have None."""
    parameters = function.__code__.co_varnames[1 : function.__code__.co_argcount]
    first = next((i for i, p in enumerate(parameters) if p.removeprefix(PREFIX) in known), len(parameters))
    return tuple(known.get(p.removeprefix(PREFIX)) for p in parameters[first:])


def name(identifier: str) -> ast.Name:
    """Return a local variable of the kernel under the name it has in the program."""
    return ast.Name(PREFIX + identifier, ast.Load())


def on_runtime(method: str, *arguments: ast.expr) -> ast.Call:
    """Return a call of a method of the runtime."""
    return ast.Call(ast.Attribute(ast.Name("R", ast.Load()), method, ast.Load()), list(arguments), [])
