"""What a launch left behind: findings, counters for each access, and their totals.

Plain records first, wording last. Nothing here runs a kernel: the engines fill these records in, notebooks and
checks read them. Counter names and definitions follow the Nsight Compute documentation ("Memory Tables", "Metrics
Structure"): a *request* is one memory instruction of one warp, a *sector* is 32 aligned bytes of global memory, a
*wavefront* is one pass through shared memory's 32 banks.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from utils.simt import render

SECTOR_BYTES = 32

Kind = Literal[
    "race",
    "out-of-bounds",
    "negative-index",
    "barrier-divergence",
    "uninitialised-read",
    "read-only-write",
    "warp-sync",
    "budget",
    "not-on-gpu",
]
Dim3 = tuple[int, int, int]


@dataclass(frozen=True)
class Finding:
    """One cause of trouble in a kernel, however many threads met it.

    Attributes
    ----------
    kind : str
        One of the nine kinds of the contract.
    line : int
        Line in the cell or file, counted from 1.
    source : str
        The statement at that line.
    message : str
        The whole sentence for a person: line, thread, number, and what to try.
    array : str or None
        The array's name in the kernel.
    index : tuple of int or None
        The index of the first occurrence.
    block, thread : (x, y, z) or None
        Who met it first.
    other : (line, block, thread) or None
        The second access of a race.
    count : int
        How many threads met it (blocks, for a barrier).
    """

    kind: Kind
    line: int
    source: str
    message: str
    array: str | None = None
    index: tuple[int, ...] | None = None
    block: Dim3 | None = None
    thread: Dim3 | None = None
    other: tuple[int, Dim3, Dim3] | None = None
    count: int = 1

    def __str__(self) -> str:
        return self.message


class Ratios:
    """What follows from the counters of one access, or of many."""

    requests: int
    bytes: int
    sectors: int
    wavefronts: int
    ideal_wavefronts: int

    @property
    def sectors_per_request(self) -> float:
        """Sectors that one request moves on average."""
        return _ratio(self.sectors, self.requests, 0.0)

    @property
    def efficiency(self) -> float:
        """Requested bytes over the bytes that the sectors hold (global memory)."""
        return _ratio(self.bytes, SECTOR_BYTES * self.sectors, 1.0)

    @property
    def conflict_degree(self) -> float:
        """Wavefronts over the fewest possible; 1 is conflict-free (shared memory)."""
        return _ratio(self.wavefronts, self.ideal_wavefronts, 1.0)


@dataclass(frozen=True)
class Site(Ratios):
    """The counters of one access in the source, summed over the launch.

    Attributes
    ----------
    line, source
        Where it stands, and its text, as in ``tile[ty, tx]``.
    space : {"global", "shared", "local", "constant"}
    op : {"load", "store", "atomic"}
    array : str
        The array's name in the kernel.
    requests : int
        Memory instructions, one for each warp that takes part.
    accesses : int
        Lane operations: the lanes of all requests.
    bytes : int
        Bytes that the lanes asked for; a byte asked for twice in one request counts twice.
    sectors : int
        Sectors of 32 bytes moved (global memory).
    wavefronts, ideal_wavefronts : int
        Passes through the banks, and the fewest that this many bytes could take (shared memory).
    """

    line: int
    source: str
    space: str
    op: str
    array: str
    requests: int = 0
    accesses: int = 0
    bytes: int = 0
    sectors: int = 0
    wavefronts: int = 0
    ideal_wavefronts: int = 0


@dataclass(frozen=True)
class Totals(Ratios):
    """Counters of one space and one operation, summed over all its sites (fields as in `Site`)."""

    requests: int = 0
    accesses: int = 0
    bytes: int = 0
    sectors: int = 0
    wavefronts: int = 0
    ideal_wavefronts: int = 0

    @classmethod
    def of(cls, sites: Iterable[Site]) -> Totals:
        """Add the counters of `sites` up."""
        chosen = list(sites)
        return cls(*(sum(getattr(site, name) for site in chosen) for name in cls.__dataclass_fields__))

    @property
    def bank_conflicts(self) -> int:
        """Wavefronts beyond the fewest possible."""
        return self.wavefronts - self.ideal_wavefronts


@dataclass(frozen=True)
class Report:
    """Everything one simulated launch has to say.

    Attributes
    ----------
    kernel : str
        The kernel's name.
    grid, block : (x, y, z)
        The launch configuration, in blocks and in threads.
    findings : list of Finding
        Sorted by line; empty for a clean run.
    sites : list of Site
        One for each access in the source, in source order.
    barriers : int
        Most ``syncthreads`` executed by one block.
    branches, divergent_branches : int
        Branches that a warp evaluated, and those at which its lanes parted.
    warp_statements, lane_statements : int
        Statements executed, counted once a warp and once a lane.
    engine : {"lane", "scalar"}
        Which engine ran; counters of "scalar" are approximate.
    why : str
        Why the scalar engine ran; empty otherwise.
    notes : tuple of str
        What was left out, such as race checks on an array too large to shadow.
    code, first_line : str, int
        The kernel's source, and the line on which it starts.
    """

    kernel: str
    grid: Dim3
    block: Dim3
    findings: list[Finding] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
    barriers: int = 0
    branches: int = 0
    divergent_branches: int = 0
    warp_statements: int = 0
    lane_statements: int = 0
    engine: str = "lane"
    why: str = ""
    notes: tuple[str, ...] = ()
    code: str = ""
    first_line: int = 1

    def _totals(self, space: str, op: str) -> Totals:
        return Totals.of(site for site in self.sites if site.space == space and site.op == op)

    @property
    def ok(self) -> bool:
        """Whether the launch left no findings."""
        return not self.findings

    @property
    def global_loads(self) -> Totals:
        """Loads from global memory."""
        return self._totals("global", "load")

    @property
    def global_stores(self) -> Totals:
        """Stores to global memory."""
        return self._totals("global", "store")

    @property
    def shared_loads(self) -> Totals:
        """Loads from shared memory."""
        return self._totals("shared", "load")

    @property
    def shared_stores(self) -> Totals:
        """Stores to shared memory."""
        return self._totals("shared", "store")

    @property
    def global_atomics(self) -> int:
        """Lane operations of atomics on global memory; not part of loads or stores."""
        return self._totals("global", "atomic").accesses

    @property
    def shared_atomics(self) -> int:
        """Lane operations of atomics on shared memory; not part of loads or stores."""
        return self._totals("shared", "atomic").accesses

    @property
    def branch_efficiency(self) -> float:
        """Fraction of branches at which all active lanes of a warp went the same way."""
        return 1.0 - _ratio(self.divergent_branches, self.branches, 0.0)

    @property
    def active_lanes_per_warp(self) -> float:
        """Average number of active lanes for each statement that a warp executes; 32 is full."""
        return _ratio(self.lane_statements, self.warp_statements, 0.0)

    def to_dict(self) -> dict[str, Any]:
        """Return findings and counters as plain values, for storage and comparison."""
        return asdict(self)

    def __str__(self) -> str:
        return render.report_text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return render.report_html(self)


class LaunchError(Exception):
    """The launch could not run on any GPU; `report` carries the findings that say why."""

    def __init__(self, message: str, report: Report | None = None) -> None:
        super().__init__(message)
        self.report = report

    def _render_traceback_(self) -> list[str]:
        """Show the learner's line in a notebook, and nothing of the engine; IPython asks for this."""
        shown = [f"{type(self).__name__}: {self}"]
        if self.report is not None and self.report.code:
            shown += ["", render.marked_text(self.report)]
        return shown


class KernelNameError(LaunchError, NameError):
    """A kernel uses a name that nobody defined."""


class KernelTypeError(LaunchError, TypeError):
    """A kernel combines values, or is called with arguments, whose types do not fit."""


def _ratio(part: float, whole: float, empty: float) -> float:
    return part / whole if whole else empty
