"""Observer: races, by shadow memory and a synchronisation clock.

Each element remembers who wrote it last and three who read it last, and when. Two accesses of different threads to one
element, at least one of them a write and not both atomic, are a race unless something orders them:

- a barrier of the block between them, for threads of one block;
- a ``syncwarp``, shuffle or vote between them, for lanes of one warp;
- a fence and an atomic (see `fences`), for threads of different blocks.

Three readers are enough to find *a* race where there is one: the latest reader, the latest other reader of its warp,
and the latest reader of another warp. What they forget was ordered with, or is as guilty as, what they keep.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from utils.simt.batch import WARP, Access, Batch, Observer
from utils.simt.diagnosis import Diagnosis
from utils.simt.fences import Fences
from utils.simt.memory import Memory

MOST_ELEMENTS = 1 << 23
NOBODY = -1


class Slots:
    """Somebody for each element: who (thread), when (clock), where in the source (site)."""

    def __init__(self, elements: int) -> None:
        self.thread = np.full(elements, NOBODY, np.int32)
        self.clock = np.zeros(elements, np.int32)
        self.site = np.zeros(elements, np.int16)

    def copy_from(self, other: Slots, elements: np.ndarray) -> None:
        """Take over another slot's occupants."""
        self.thread[elements] = other.thread[elements]
        self.clock[elements] = other.clock[elements]
        self.site[elements] = other.site[elements]

    def put(self, elements: np.ndarray, thread: Any, clock: Any, site: int) -> None:
        """Enter occupants; where an element comes twice, the last one stays."""
        self.thread[elements], self.clock[elements], self.site[elements] = thread, clock, site


class Shadow:
    """What is remembered of one array: about 41 bytes an element."""

    def __init__(self, elements: int) -> None:
        self.writer, self.reader = Slots(elements), Slots(elements)
        self.neighbour, self.stranger = Slots(elements), Slots(elements)
        self.atomic = np.zeros(elements, bool)


@dataclass(frozen=True)
class Now:
    """One memory instruction as the race check sees it; arrays of shape (n,), one entry for each lane."""

    site: int
    memory: Memory
    address: np.ndarray
    thread: np.ndarray
    clock: np.ndarray
    block_stamp: np.ndarray
    warp_stamp: np.ndarray


class Races(Observer):
    """Finds races and reports them to a `Diagnosis`."""

    def __init__(self, diagnosis: Diagnosis, fenced: bool) -> None:
        self.diagnosis = diagnosis
        self.geometry = diagnosis.geometry
        self.shadows: dict[int, tuple[Memory, Shadow | None]] = {}
        self.fences = Fences(self.geometry) if fenced else None

    def begin(self, batch: Batch) -> None:
        # Shared memory starts afresh with each batch; global memory is remembered.
        self.shadows = {key: kept for key, kept in self.shadows.items() if kept[0].space == "global"}

    def fence(self, batch: Batch, lanes: np.ndarray) -> None:
        if self.fences:
            self.fences.fence(batch, lanes)

    def access(self, batch: Batch, access: Access) -> None:
        memory: Memory = access.memory
        if memory.space in ("local", "constant"):
            return
        shadow = self._shadow(memory.root)
        if shadow is None:
            return
        lanes = access.lanes
        stamps = access.stamps or (
            np.full(lanes.size, batch.clock), batch.block_stamp[lanes], batch.warp_stamp[lanes]
        )  # fmt: skip
        now = Now(access.site, memory, access.address, batch.thread[lanes], *stamps)
        if access.op == "load":
            self._load(shadow, now)
        else:
            self._store(shadow, now, access.op == "atomic")
            if access.op == "atomic" and self.fences and memory.space == "global":
                self.fences.atomic(memory, now)

    def _shadow(self, memory: Memory) -> Shadow | None:
        found = self.shadows.get(id(memory))
        if found is None:
            shadow = Shadow(memory.flat.size) if memory.flat.size <= MOST_ELEMENTS else None
            if shadow is None:
                self.diagnosis.note(
                    f"{memory.name} has more than {MOST_ELEMENTS:,} elements: not checked for races"
                )
            # The memory is kept, too: its id must not pass to another array.
            found = self.shadows[id(memory)] = (memory, shadow)
        return found[1]

    def _load(self, shadow: Shadow, now: Now) -> None:
        self._compare(shadow.writer, now)
        elements, thread = now.address, now.thread
        last = shadow.reader.thread[elements]
        others = (last != thread) & (last != NOBODY)
        if others.any():
            moved = elements[others]
            near = self._warp(last[others]) == self._warp(thread[others])
            shadow.neighbour.copy_from(shadow.reader, moved[near])
            shadow.stranger.copy_from(shadow.reader, moved[~near])
        shadow.reader.put(elements, thread, now.clock, now.site)
        kept = shadow.reader.thread[elements]
        lost = kept != thread  # several lanes read this element just now
        if lost.any():
            near = lost & (self._warp(kept) == self._warp(thread))
            far = lost & ~near
            shadow.neighbour.put(elements[near], thread[near], now.clock[near], now.site)
            shadow.stranger.put(elements[far], thread[far], now.clock[far], now.site)

    def _store(self, shadow: Shadow, now: Now, atomic: bool) -> None:
        elements = now.address
        self._compare(shadow.writer, now, shadow.atomic[elements] if atomic else None)
        for readers in (shadow.reader, shadow.neighbour, shadow.stranger):
            self._compare(readers, now)
        shadow.writer.put(elements, now.thread, now.clock, now.site)
        shadow.atomic[elements] = atomic
        if not atomic:
            kept = shadow.writer.thread[elements]
            lost = np.flatnonzero(kept != now.thread)  # two lanes store to one element at once
            if lost.size:
                self._report(now, lost, kept[lost], np.full(lost.size, now.site))

    def _compare(self, earlier: Slots, now: Now, excused: np.ndarray | None = None) -> None:
        """Report the lanes of `now` that nothing orders with who is in `earlier`."""
        thread = earlier.thread[now.address]
        suspects = (thread != NOBODY) & (thread != now.thread)
        if excused is not None:
            suspects &= ~excused
        if not suspects.any():
            return
        at = np.flatnonzero(suspects)
        before, me = thread[at], now.thread[at]
        clock = earlier.clock[now.address[at]]
        same_block = before // self.geometry.threads == me // self.geometry.threads
        same_warp = same_block & (self._warp(before) == self._warp(me))
        ordered_since = np.where(
            same_warp, np.maximum(now.block_stamp[at], now.warp_stamp[at]), now.block_stamp[at]
        )
        racing = ~same_block | (clock >= ordered_since)
        if now.memory.space == "global" and self.fences:
            racing &= same_block | ~self.fences.orders(before, clock, me)
        at = at[racing]
        if at.size:
            self._report(now, at, before[racing], earlier.site[now.address[at]])

    def _report(self, now: Now, at: np.ndarray, others: np.ndarray, sites: np.ndarray) -> None:
        for site, chosen in _by_value(sites):
            lanes, first = at[chosen], at[chosen][0]
            me, other = int(now.thread[first]), int(others[chosen][0])
            detail = "same warp" if self._warp(np.array(me)) == self._warp(np.array(other)) else None
            self.diagnosis.add(
                "race",
                now.site,
                now.thread[lanes],
                now.memory,
                now.address[first],
                other=(site, other),
                detail=detail,
            )

    def _warp(self, thread: np.ndarray) -> np.ndarray:
        """Return (n,) numbers that differ where the warps of (n,) threads do."""
        block, inside = np.divmod(thread, self.geometry.threads)
        return block * (self.geometry.lanes // WARP) + inside // WARP


def _by_value(values: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Yield each value of (n,) `values` and where it stands."""
    for value in np.unique(values):
        yield int(value), np.flatnonzero(values == value)
