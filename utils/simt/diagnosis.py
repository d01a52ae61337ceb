"""Collecting what went wrong: one entry for each cause, however often it happens."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from utils.simt import wording
from utils.simt.batch import Geometry
from utils.simt.memory import Memory
from utils.simt.program import SiteInfo
from utils.simt.raises import Raised
from utils.simt.report import Finding, Kind

MOST_THREADS = 1 << 20


@dataclass
class Cause:
    """The first occurrence of a finding, and who else met it.

    Attributes
    ----------
    kind, site, memory
        What, where in the source, and in which array.
    index : tuple of int or None
    thread : int
        The launch-wide number of the first thread.
    other : (site, thread) or None
        The second access of a race.
    detail : Any
        What the wording of this kind needs besides.
    met : (n,) int64 ndarray
        All threads (or blocks) that met it.
    """

    kind: Kind
    site: int
    memory: Memory | None
    index: tuple[int, ...] | None
    thread: int
    other: tuple[int, int] | None = None
    detail: Any = None
    met: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))


class Diagnosis:
    """The findings of one launch, as they come in."""

    def __init__(self, sites: list[SiteInfo], geometry: Geometry) -> None:
        self.sites, self.geometry = sites, geometry
        self.causes: dict[Any, Cause] = {}
        self.notes: list[str] = []
        self.extra: list[Finding] = []
        self.exceptions: dict[int, Raised] = {}

    def note(self, text: str) -> None:
        """Say what was not looked at."""
        if text not in self.notes:
            self.notes.append(text)

    def add(
        self,
        kind: Kind,
        site: int,
        threads: np.ndarray,
        memory: Memory | None = None,
        address: Any = None,
        index: tuple[int, ...] | None = None,
        detail: Any = None,
        other: tuple[int, int] | None = None,
    ) -> None:
        """Record that `threads` met a finding.

        Parameters
        ----------
        kind : str
        site : int
            Where in the source.
        threads : (n,) int64 ndarray
            Launch-wide numbers, the first one being the example.
        memory, address, index
            The array, and where in it: an address of its storage, or an index as written.
        detail : Any
            For the wording.
        other : (site, thread) or None
            The other access of a race.
        """
        info = self.sites[site]
        lines = frozenset({info.line, self.sites[other[0]].line}) if other else info.line
        place = info.source if kind in ("out-of-bounds", "negative-index") else None
        key = (kind, lines, place, memory.name if memory else None)
        cause = self.causes.get(key)
        if cause is None:
            if index is None and memory is not None and address is not None:
                index = memory.index_of(int(np.ravel(address)[0]))
            cause = self.causes[key] = Cause(kind, site, memory, index, int(threads[0]), other, detail)
        if cause.met.size < MOST_THREADS:
            cause.met = np.union1d(cause.met, threads)

    def raised(self, site: int, kind: type[Exception], message: str, threads: np.ndarray) -> None:
        """Record that `threads` raised an exception and ended."""
        earlier = self.exceptions.get(site)
        count = int(threads.size) + (earlier.threads if earlier else 0)
        block, thread = self.geometry.where(int(threads[0]))
        if earlier:
            block, thread = earlier.block, earlier.thread
        self.exceptions[site] = Raised(self.sites[site].line, kind, message, block, thread, count)

    def findings(self) -> list[Finding]:
        """Return the findings, by line."""
        made = [*self.extra, *(self._finding(cause) for cause in self.causes.values())]
        return sorted(made, key=lambda f: (f.line, f.kind, f.array or "", f.message))

    def _finding(self, cause: Cause) -> Finding:
        info = self.sites[cause.site]
        block, thread = self.geometry.where(cause.thread)
        other = None
        if cause.other:
            other = (self.sites[cause.other[0]].line, *self.geometry.where(cause.other[1]))
        finding = Finding(
            kind=cause.kind,
            line=info.line,
            source=info.statement,
            message="",
            array=cause.memory.name if cause.memory else None,
            index=cause.index,
            block=block,
            thread=thread,
            other=other,
            count=int(cause.met.size),
        )
        message = wording.sentence(finding, cause, self.sites)
        return Finding(**{**finding.__dict__, "message": message})
