"""One simulated launch, from a kernel and its arguments to a `Report`.

The lane engine runs it, in batches of blocks so that memory stays bounded. What it refuses, also half way through,
the scalar engine runs from the start, on the arrays as they were.
"""

from __future__ import annotations

import weakref
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from utils.simt import arguments, cooperative, errors, limits, signatures
from utils.simt.batch import Batch, Geometry, Observer
from utils.simt.budget import Budget, BudgetSpent
from utils.simt.diagnosis import Diagnosis
from utils.simt.enumerations import Member
from utils.simt.forms import LaneForm, ScalarForm
from utils.simt.lane_runtime import LaneRuntime
from utils.simt.lower import lower
from utils.simt.memory import Memory
from utils.simt.program import Program
from utils.simt.races import Races
from utils.simt.report import KernelTypeError, Report
from utils.simt.source import KernelSource, NotOnGpu, Unsupported, python_function, read
from utils.simt.traffic import Traffic
from utils.simt.typing_pass import Inferred, infer

LANES_AT_ONCE = 16384  # large enough to spread Python's cost over many lanes, small enough for a CPU's cache
BYTES_AT_ONCE = 1 << 28  # of local arrays
SCHEDULES = ("lockstep", "ascending", "descending")


@dataclass
class Compiled:
    """A kernel, read and lowered once."""

    source: KernelSource
    lanes: Program
    scalar: Program | None = None

    def for_threads(self) -> Program:
        """Return the scalar form, lowered at first use."""
        if self.scalar is None:
            self.scalar = lower(self.source, ScalarForm)
        return self.scalar


_compiled: weakref.WeakKeyDictionary[Any, Compiled] = weakref.WeakKeyDictionary()


def compiled(kernel: Any) -> Compiled:
    """Return `kernel` lowered; as with Numba, what its globals were at the first launch stays."""
    if isinstance(kernel, KernelSource):
        return Compiled(kernel, lower(kernel, LaneForm))
    function = python_function(kernel)
    if function is None:
        raise TypeError(f"a kernel is a function under @cuda.jit, not {type(kernel).__name__}")
    if function not in _compiled:
        source = read(function)
        try:
            _compiled[function] = Compiled(source, lower(source, LaneForm))
        except RecursionError:
            raise NotOnGpu(
                source.first_line, "an expression is nested too deeply: split it over several lines"
            ) from None
    return _compiled[function]


def run(
    kernel: Any,
    grid: Any,
    block: Any,
    args: Sequence[Any],
    *,
    shared_bytes: int = 0,
    readonly: Collection[str] = (),
    count: bool = False,
    check: bool = False,
    schedule: str = "lockstep",
    watch: Sequence[Observer] = (),
    debug: bool = False,
) -> Report:
    """Run one launch.

    Parameters
    ----------
    kernel : dispatcher, function or KernelSource
    grid, block : int or tuple of int
        Blocks of the grid and threads of a block.
    args : sequence
        The kernel's arguments; its stores are seen in them afterwards.
    shared_bytes : int
        Dynamic shared memory for each block, bytes.
    readonly : collection of str
        Parameters that must not be written to.
    count, check : bool
        Whether to count traffic, and whether to look for races and uninitialised reads.
    schedule : {"lockstep", "ascending", "descending"}
        The last two run the scalar engine, with its warps in that order.
    watch : sequence of Observer
        Further observers.
    debug : bool
        Whether an exception in the kernel is raised on the host.

    Raises
    ------
    LaunchError
        If no GPU could run it.
    """
    if schedule not in SCHEDULES:
        raise ValueError(f"schedule is one of {', '.join(SCHEDULES)}, not {schedule!r}")
    launch = accept(kernel, grid, block, args, shared_bytes, readonly, count, check, watch, debug)
    with np.errstate(all="ignore"):  # overflow and division by zero are silent on a GPU
        return launch.run(schedule)


def accept(
    kernel: Any,
    grid: Any,
    block: Any,
    args: Sequence[Any],
    shared_bytes: int = 0,
    readonly: Collection[str] = (),
    count: bool = False,
    check: bool = False,
    watch: Sequence[Observer] = (),
    debug: bool = False,
) -> Launch:
    """Read and lower a kernel and bind its arguments; LaunchError if no GPU could run it. Parameters as for `run`."""
    geometry = Geometry(limits.dimensions(grid, "grid"), limits.dimensions(block, "block"))
    try:
        made = compiled(kernel)
    except NotOnGpu as refusal:
        raise errors.not_on_gpu(kernel, geometry, refusal) from None
    if objection := limits.objection(geometry.grid, geometry.block, shared_bytes):
        raise errors.impossible_launch(made.source, geometry, objection)
    try:
        bound = arguments.bind(made.source.parameters, tuple(args), made.source.name, readonly)
        bound = signatures.converted(kernel, made.source.parameters, bound)
    except TypeError as error:
        raise errors.impossible_launch(made.source, geometry, str(error), KernelTypeError) from None
    return Launch(made, geometry, bound, shared_bytes, count, check, list(watch), debug)


@dataclass
class Launch:
    """A launch whose kernel and arguments are accepted."""

    made: Compiled
    geometry: Geometry
    bound: list[Any]
    shared_bytes: int
    count: bool
    check: bool
    watch: list[Observer]
    debug: bool = False

    def run(self, schedule: str) -> Report:
        """Run it on the engine that `schedule` asks for, or on the one that can."""
        reason = "" if schedule == "lockstep" else f"asked for {schedule} warps"
        saved: list[tuple[Memory, np.ndarray]] = []
        inferred = Inferred()
        try:
            inferred = self.infer()
            if self.made.lanes.spins or inferred.may_refuse:
                saved = self._save()
            if not reason:
                return self._run(self.made.lanes, inferred, "")
        except Unsupported as refusal:
            reason = reason or refusal.reason
            for memory, contents in saved:
                memory.flat[...] = contents
            for observer in self.watch:
                observer.restart()
        return self._run(self.made.for_threads(), inferred, reason, schedule == "descending")

    def _save(self) -> list[tuple[Memory, np.ndarray]]:
        return [(m.root, m.flat.copy()) for m in arguments.memories(self.bound) if not m.readonly]

    def _constant(self, inferred: Inferred) -> set[int]:
        """Return the global arrays, by id of their root, that the kernel never writes."""
        memories = arguments.memories(self.bound)
        if inferred.written is None:
            return set()
        written = {id(m.root) for m in memories if m.name.partition(".")[0] in inferred.written}
        return {id(m.root) for m in memories} - written

    def infer(self) -> Inferred:
        """Return what is known before the kernel runs; LaunchError for a type error."""
        program = self.made.lanes
        key = tuple(_signature(argument) for argument in self.bound)
        if key not in program.inferred:
            with errors.explained(self.made.source, self.geometry):
                program.inferred[key] = infer(program, self.bound, self.geometry)
        return program.inferred[key]

    def _run(self, program: Program, inferred: Inferred, why: str, descending: bool = False) -> Report:
        lanes = program is self.made.lanes
        diagnosis = Diagnosis(program.sites, self.geometry)
        traffic = Traffic(program.sites) if self.count else None
        observers: list[Observer] = [*self.watch]
        if traffic:
            observers.append(traffic)
        if self.check:
            observers.append(Races(diagnosis, program.fences, self._constant(inferred)))
        budget = Budget()
        lanes_at_once = min(LANES_AT_ONCE, BYTES_AT_ONCE // max(1, inferred.local_bytes))
        at_once = max(1, lanes_at_once // self.geometry.lanes) if lanes else 1
        if program.grid_waits:
            at_once = self._whole_grid(lanes)
        clock = 1
        try:
            with errors.explained(self.made.source, self.geometry):
                for first in range(0, self.geometry.blocks, at_once):
                    batch = Batch(self.geometry, first, min(at_once, self.geometry.blocks - first), clock)
                    for observer in observers:
                        observer.begin(batch)
                    budget.renew()
                    self._run_batch(program, inferred.types, batch, diagnosis, observers, budget, descending, lanes)
                    clock = batch.clock + 1
        except BudgetSpent as spent:
            diagnosis.extra.append(errors.endless(self.made.source, spent))
        raised = sorted(diagnosis.exceptions.values(), key=lambda one: one.line)
        if raised and self.debug:
            raise raised[0].exception()
        diagnosis.notes += [one.note() for one in raised]
        return self._report(diagnosis, traffic, lanes, why)

    def _whole_grid(self, lanes: bool) -> int:
        """Return the number of blocks of a grid that waits for itself."""
        blocks = self.geometry.blocks
        reason = cooperative.objection(blocks, self.geometry.threads)
        if not lanes and blocks > 1:
            reason = "not simulated: a grid of several blocks that waits for itself, one thread after another"
        if reason:
            raise errors.impossible_launch(self.made.source, self.geometry, reason)
        return blocks

    def _run_batch(
        self,
        program: Program,
        types: Any,
        batch: Batch,
        diagnosis: Diagnosis,
        observers: list[Observer],
        budget: Budget,
        descending: bool,
        lanes: bool,
    ) -> None:
        common = (program, batch, diagnosis, self.check, self.shared_bytes, budget)
        if lanes:
            runtime = LaneRuntime(*common, observers=observers)
            runtime.types = types
            program.run(runtime, *self.bound)
            return
        from utils.simt.scalar_intrinsics import (
            ScalarRuntime,
        )  # it needs greenlet, which the lane engine does not

        block = ScalarRuntime(*common, observers=observers, descending=descending)
        block.types = types
        block.run_block(self.bound)

    def _report(self, diagnosis: Diagnosis, traffic: Traffic | None, lanes: bool, why: str) -> Report:
        source = self.made.source
        counts: dict[str, Any] = {}
        if traffic:
            traffic.finish()
            counts = {
                "sites": traffic.site_records(),
                "barriers": traffic.barriers,
                "branches": traffic.branches,
                "divergent_branches": traffic.divergent,
                "warp_statements": traffic.warp_statements,
                "lane_statements": traffic.lane_statements,
            }
        return Report(
            kernel=source.name,
            grid=self.geometry.grid,
            block=self.geometry.block,
            findings=diagnosis.findings(),
            engine="lane" if lanes else "scalar",
            why=why,
            notes=tuple(diagnosis.notes),
            code=source.text,
            first_line=source.first_line,
            **counts,
        )


def _signature(argument: Any) -> Any:
    if isinstance(argument, Memory):
        return argument.element, len(argument.shape)
    if isinstance(argument, tuple):
        return tuple(_signature(part) for part in argument)
    return argument.kind if isinstance(argument, Member) else argument.dtype
