"""Type inference by running a lowered kernel over no lanes at all.

A value without lanes still has a dtype, and every operation of a program computes its result's dtype as Numba would.
So the lane program itself is the type checker: run it once with zero lanes, go through both arms of every branch and
once around every loop, and see which types meet where control flow joins. A variable gets the type that unifies them,
and the run is repeated until nothing changes. Errors of type come out before the launch, as they do when Numba
compiles.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from utils.simt import printing
from utils.simt.accesses import is_empty
from utils.simt.arithmetic import describe
from utils.simt.atomics import Atomic
from utils.simt.batch import Batch, Geometry, Observer
from utils.simt.budget import Budget
from utils.simt.control import Loop, Split
from utils.simt.diagnosis import Diagnosis
from utils.simt.iteration import example
from utils.simt.lane_runtime import LaneRuntime
from utils.simt.memory import Memory
from utils.simt.numba_types import unified
from utils.simt.program import Program

MOST_ROUNDS = 8


@dataclass(frozen=True)
class Inferred:
    """What is known of a kernel before it runs.

    Attributes
    ----------
    types : dict
        For each join (a site), the dtype of each variable by its place.
    written : set of str or None
        Names of the arrays that the kernel writes to anywhere; None if unknown.
    may_refuse : bool
        Whether the lane engine may give up half way: a place in a tuple, or an end of a slice, may turn out to differ
        between threads.
    local_bytes : int
        Bytes of a thread's local arrays.
    """

    types: dict[int, dict[int, np.dtype]] = field(default_factory=dict)
    written: set[str] | None = None
    may_refuse: bool = False
    local_bytes: int = 0


def infer(program: Program, arguments: list[Any], geometry: Geometry) -> Inferred:
    """Return the types of variables where control flow joins, and which arrays are written.

    Parameters
    ----------
    program : Program
        In the lane form.
    arguments : list
        Memories and NumPy scalars, as for a launch; no element is read or written.
    geometry : Geometry

    Returns
    -------
    Inferred
    """
    seen: dict[int, dict[int, np.dtype]] = {}
    written: set[str] = set()
    nobody = Batch(geometry, 0, 0)
    for _ in range(MOST_ROUNDS):
        before = {site: dict(types) for site, types in seen.items()}
        diagnosis = Diagnosis(program.sites, geometry)
        runtime = TypePass(program, nobody, diagnosis, False, 0, Budget(), observers=[])
        runtime.seen, runtime.written = seen, written
        with np.errstate(all="ignore"):
            program.run(runtime, *arguments)
        if seen == before:
            break
    return Inferred(seen, written, runtime.may_refuse, runtime.local_bytes)


@dataclass(frozen=True)
class Clash:
    """A variable with one type on one path and another type on another, which nothing unifies."""

    description: str


class TypePass(LaneRuntime):
    """A runtime that goes everywhere and does nothing."""

    seen: dict[int, dict[int, np.dtype]]
    written: set[str]
    depth = 0
    may_refuse = False

    def __init__(self, *arguments: Any, observers: list[Observer]) -> None:
        super().__init__(*arguments, observers=observers)
        self.clashes: dict[int, tuple[Any, Clash]] = {}

    def running(self) -> bool:
        return True

    def assign(self, old: Any, new: Any) -> Any:
        # Inside a branch the variable may keep its old value: what follows sees either.
        if self.depth == 0 or old is self.undefined or isinstance(old, Clash) or new is old or new is None:
            return new
        try:
            return self.select(self.none, new, old)
        except TypeError as clash:  # no error unless what comes of it is read where the paths have joined
            self.clashes[id(new)] = new, Clash(str(clash))
            return new

    def select(self, mask: np.ndarray, yes: Any, no: Any) -> Any:
        if yes is None or no is None:
            return no if yes is None else yes
        merged = super().select(mask, yes, no)
        # A value that every lane shares stays one, or a constant index would seem to vary.
        shared = isinstance(yes, np.generic) and isinstance(no, np.generic)
        return yes.astype(merged.dtype) if shared else merged

    def join_types(self, site: int, *values: Any) -> tuple[Any, ...]:
        types = self.seen.setdefault(site, {})
        joined = list(values)
        for i, value in enumerate(values):
            if id(value) in self.clashes:
                joined[i] = self.clashes[id(value)][1]
                continue
            if not isinstance(value, np.ndarray | np.generic):
                continue
            known = types.get(i)
            types[i] = value.dtype if known is None else unified(known, value.dtype)
            joined[i] = value.astype(types[i])
        return tuple(joined)

    def split(self, test: Any, site: int) -> Split:
        if not isinstance(test, np.ndarray | np.generic):
            raise TypeError(f"{describe(test)} is neither true nor false in a kernel")
        self.depth += 1
        return Split(None, True, True, True)

    def then(self, split: Split) -> bool:
        return True

    def otherwise(self, split: Split) -> bool:
        return True

    def join(self, split: Split) -> None:
        self.depth -= 1

    def merge_arms(self, split: Split, first: tuple[Any, ...], second: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(self.merged(self.none, a, b) for a, b in zip(first, second, strict=True))

    def begin_loop(self, site: int) -> Loop:
        self.depth += 1
        return Loop(site, now=0)

    def begin_range(self, site: int, *bounds: Any) -> Loop:
        loop = super().begin_range(site, *bounds)
        varies = any(isinstance(bound, np.ndarray) for bound in bounds)
        loop.items = iter([np.zeros(0, np.int64) if varies else np.int64(0)])
        return loop

    def begin_each(self, site: int, items: Any, load: int) -> Loop:
        loop = self.begin_loop(site)
        first = example(self, items, load)
        loop.items = iter([] if first is None else [first])
        return loop

    def advance(self, loop: Loop) -> bool:
        loop.now = next(loop.items, None) if loop.items is not None else None
        return loop.now is not None

    def again(self, loop: Loop) -> bool:
        loop.now += 1
        return loop.now == 1

    def narrow(self, loop: Loop, test: Any) -> bool:
        return True

    def end_loop(self, loop: Loop) -> None:
        self.depth -= 1

    def break_(self, loop: Loop) -> None:
        """Go on: the code after a break must have types, too."""

    def continue_(self, loop: Loop) -> None:
        """Go on."""

    def enter(self) -> tuple[Any, ...]:
        frame = (self.result, self.depth)
        self.result, self.depth = self.undefined, 0
        return frame

    def return_(self, value: Any) -> None:
        self.result = value if self.result is self.undefined else self.select(self.none, value, self.result)

    def leave(self, frame: tuple[Any, ...]) -> Any:
        result = self.result
        self.result, self.depth = frame
        return None if result is self.undefined else result

    def short_circuit(self, first: Any, second: Any, go_on: bool) -> Any:
        return self.select(self.none, second(), first)

    def choose(self, site: int, test: Any, yes: Any, no: Any) -> Any:
        value = self.select(self.none, yes(), no())
        return self.join_types(site, value)[0]

    def raise_(self, site: int, kind: type, message: str) -> None:
        """Go on: the code after it must have types, too."""

    def print_(self, *values: Any) -> None:
        for value in values:
            printing.must_be_printable(value)

    def load(self, base: Any, index: Any, site: int) -> Any:
        if isinstance(base, tuple):
            return self.part(base, index)
        if isinstance(base, Memory) and not base.shape and base.element.kind == "V" and not is_empty(index):
            return self.part_of_record(base, index, site)
        memory, index = self.element(base, index)
        return np.zeros(0, memory.element) if memory is not None and memory.element.kind != "V" else base.view(index)[0]

    def part(self, values: tuple[Any, ...], index: Any) -> Any:
        self.may_refuse = True
        return super().part(values, index)

    def span(self, start: Any, stop: Any, step: Any) -> slice:
        self.may_refuse = True
        return super().span(start, stop, step)

    def store(self, base: Any, index: Any, value: Any, site: int) -> None:
        super().store(base, index, value, site)
        self.written_to(base)

    def written_to(self, memory: Any) -> None:
        # A field is written, so the array it belongs to is.
        self.written.add(getattr(memory, "name", "").partition(".")[0])

    def atomic(self, site: int, operation: Atomic, base: Any, *rest: Any) -> Any:
        self.written_to(base)
        return super().atomic(site, operation, base, *rest)
