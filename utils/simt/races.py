"""Observer: races, by shadow memory and a synchronisation clock.

Two accesses of different threads to one element, at least one of them a write and not both atomic, are a race unless
something orders them:

- a barrier of the block between them, for threads of one block;
- a ``syncwarp``, shuffle or vote between them, for lanes of one warp;
- a fence and an atomic (see `fences`), for threads of different blocks.

A few readers and writers an element are enough to find *a* race where there is one: what the slots forget was ordered
with, or is as guilty as, what they keep.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from utils.simt.batch import Access, Batch, Observer
from utils.simt.diagnosis import Diagnosis
from utils.simt.fences import Fences
from utils.simt.memory import Memory
from utils.simt.shadow import LANE_BITS, NOBODY, SITE_BITS, Moment, Shadow, clock_of, lane_of, site_of

MOST_ELEMENTS = 1 << 23
MOST_PENDING = 256  # reads kept back at a time


class Races(Observer):
    """Finds races and reports them to a `Diagnosis`.

    Parameters
    ----------
    diagnosis : Diagnosis
    fenced : bool
        Whether the program has memory fences.
    constant : collection of Memory
        Global arrays that the kernel writes nowhere: reading them races with nothing.
    """

    def __init__(self, diagnosis: Diagnosis, fenced: bool, constant: set[int]) -> None:
        self.diagnosis = diagnosis
        self.geometry = diagnosis.geometry
        self.constant = constant
        self.shadows: dict[int, tuple[Memory, Shadow | None]] = {}
        self.fences = Fences(self.geometry) if fenced else None
        self.too_large = self.geometry.blocks * self.geometry.lanes >= 1 << LANE_BITS
        if self.too_large or len(diagnosis.sites) >= 1 << SITE_BITS:
            diagnosis.note("the launch is too large to be checked for races")
            self.too_large = True

    def begin(self, batch: Batch) -> None:
        # Shared memory starts afresh with each batch; global memory is remembered.
        self.shadows = {key: kept for key, kept in self.shadows.items() if kept[0].space == "global"}

    def fence(self, batch: Batch, lanes: np.ndarray) -> None:
        if self.fences:
            self.fences.fence(batch, lanes)

    def barrier(self, batch: Batch, site: int, mask: np.ndarray | None) -> None:
        everyone = mask is None or bool(np.array_equal(mask, batch.real))
        for memory, shadow in self.shadows.values():
            if shadow is not None and memory.space == "shared":
                if not everyone:
                    self._catch_up(shadow)
                shadow.pending.clear()
                shadow.clean = everyone

    def grid_barrier(self, batch: Batch) -> None:
        self.shadows.clear()  # what comes later is ordered after all that was

    def access(self, batch: Batch, access: Access) -> None:
        memory: Memory = access.memory
        if memory.space in ("local", "constant") or id(memory.root) in self.constant or self.too_large:
            return
        shadow = self._shadow(memory.root)
        if shadow is None:
            return
        moment = Moment.of(batch, access)
        if access.op != "load":
            self._catch_up(shadow)
            self._write(shadow, moment)
            if access.op == "atomic" and self.fences and memory.space == "global":
                self.fences.atomic(memory, access, moment)
        elif shadow.clean and len(shadow.pending) < MOST_PENDING:
            shadow.pending.append(moment)
        else:
            self._catch_up(shadow)
            self._read(shadow, moment)

    def _catch_up(self, shadow: Shadow) -> None:
        shadow.clean = False
        for moment in shadow.pending:
            self._read(shadow, moment)
        shadow.pending.clear()

    def _shadow(self, memory: Memory) -> Shadow | None:
        found = self.shadows.get(id(memory))
        if found is None:
            shadow = self._new(memory) if memory.flat.size <= MOST_ELEMENTS else None
            if shadow is None:
                self.diagnosis.note(f"{memory.name} has more than {MOST_ELEMENTS:,} elements: not checked for races")
            # The memory is kept, too: its id must not pass to another array.
            found = self.shadows[id(memory)] = (memory, shadow)
        return found[1]

    def _new(self, memory: Memory) -> Shadow:
        return Shadow(memory.flat.size, self.geometry.lanes if memory.space == "global" else 0)

    def _read(self, shadow: Shadow, moment: Moment) -> None:
        for writers in (shadow.writer, shadow.other_writer):
            self._compare(writers, moment)
        shadow.read(moment)

    def _write(self, shadow: Shadow, moment: Moment) -> None:
        atomic = moment.access.op == "atomic"
        for writers, by_atomic in ((shadow.writer, shadow.atomic), (shadow.other_writer, shadow.other_atomic)):
            excused = by_atomic[moment.access.address] if atomic and by_atomic.size else None
            self._compare(writers, moment, excused)
        for readers in (shadow.reader, shadow.neighbour, shadow.stranger, shadow.other_reader):
            self._compare(readers, moment)
        kept = shadow.write(moment)
        lost = np.flatnonzero(kept != moment.lane)  # two lanes store to one element at once
        if lost.size and not atomic:
            self._report(moment, lost, kept[lost], np.full(lost.size, moment.access.site))

    def _compare(self, earlier: np.ndarray, moment: Moment, excused: np.ndarray | None = None) -> None:
        """Report the lanes of `moment` that nothing orders with who is in the slots `earlier`."""
        if not earlier.size:  # nobody can be there: the array is not shared between blocks
            return
        occupants = earlier[moment.access.address]
        suspects = (occupants != NOBODY) & (lane_of(occupants) != moment.lane)
        if excused is not None:
            suspects &= ~excused
        at = np.flatnonzero(suspects)
        if not at.size:
            return
        occupants, me = occupants[at], moment.lane[at]
        before, clock = lane_of(occupants), clock_of(occupants)
        same_warp = before >> 5 == me >> 5
        racing = clock >= np.where(
            same_warp, np.maximum(moment.block_stamp[at], moment.warp_stamp[at]), moment.block_stamp[at]
        )
        if moment.access.memory.space == "global":
            same_block = before // self.geometry.lanes == me // self.geometry.lanes
            racing |= ~same_block
            if self.fences:
                racing &= same_block | ~self.fences.orders(before, clock, me)
        if racing.any():
            self._report(moment, at[racing], before[racing], site_of(occupants[racing]))

    def _report(self, moment: Moment, at: np.ndarray, others: np.ndarray, sites: np.ndarray) -> None:
        access = moment.access
        for site, chosen in _by_value(sites):
            lanes = moment.lane[at[chosen]]
            me, other = int(lanes[0]), int(others[chosen][0])
            self.diagnosis.add(
                "race",
                access.site,
                self._thread(lanes),
                access.memory,
                access.address[at[chosen][0]],
                other=(site, int(self._thread(np.array(other)))),
                detail="same warp" if me >> 5 == other >> 5 else None,
            )

    def _thread(self, lane: np.ndarray) -> np.ndarray:
        """Return the launch-wide thread numbers of lane numbers."""
        block, inside = np.divmod(lane, self.geometry.lanes)
        return block * self.geometry.threads + inside


def _by_value(values: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Yield each value of (n,) `values` and where it stands."""
    for value in np.unique(values):
        yield int(value), np.flatnonzero(values == value)
