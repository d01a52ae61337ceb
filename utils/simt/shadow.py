"""Shadow memory: who wrote and who read each element of an array last.

An occupant of a slot is one 64-bit number: 30 bits of lane, 24 bits of clock, 10 bits of site. One gather brings all
three.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from utils.simt.batch import Access, Batch

LANE_BITS, CLOCK_BITS, SITE_BITS = 30, 24, 10
NOBODY = -1


@dataclass(frozen=True)
class Moment:
    """One memory instruction as the race check sees it.

    Attributes
    ----------
    access : Access
    lane : (n,) int64 ndarray
        Launch-wide lane numbers, padding counted: the warp is ``lane >> 5``.
    clock : int or (n,) int64 ndarray
    block_stamp, warp_stamp : (n,) int64 ndarray
        The clock at the last synchronisation of each lane's block, and of its warp.
    """

    access: Access
    lane: np.ndarray
    clock: int | np.ndarray
    block_stamp: np.ndarray
    warp_stamp: np.ndarray

    @classmethod
    def of(cls, batch: Batch, access: Access) -> Moment:
        """Put together what is known of an access now."""
        lane = access.lanes + batch.first * batch.geometry.lanes
        if access.stamps:
            return cls(access, lane, *access.stamps)
        if access.lanes.size == batch.lanes:
            return cls(access, lane, batch.clock, batch.block_stamp, batch.warp_stamp)
        return cls(access, lane, batch.clock, batch.block_stamp[access.lanes], batch.warp_stamp[access.lanes])

    @property
    def occupants(self) -> np.ndarray:
        """(n,) int64: what the slots keep of it."""
        when_and_where = (self.clock << SITE_BITS) | self.access.site
        return (self.lane << (CLOCK_BITS + SITE_BITS)) | when_and_where


def lane_of(occupants: np.ndarray) -> np.ndarray:
    """Return who is in (n,) slots; negative for nobody."""
    return occupants >> (CLOCK_BITS + SITE_BITS)


def clock_of(occupants: np.ndarray) -> np.ndarray:
    """Return when they came."""
    return (occupants >> SITE_BITS) & ((1 << CLOCK_BITS) - 1)


def site_of(occupants: np.ndarray) -> np.ndarray:
    """Return where in the source they were."""
    return occupants & ((1 << SITE_BITS) - 1)


class Shadow:
    """What is remembered of one array: 33 bytes an element, 50 of global memory.

    `writer` is the last to write. `reader` is the last to read, `neighbour` the last other reader of its warp, and
    `stranger` the last reader of another warp. `atomic` says whether the last write was one. Blocks share global
    memory, and a barrier orders only the threads of one, so there `other_writer` and `other_reader` are the last of a
    block other than the writer's and the reader's.

    Parameters
    ----------
    elements : int
    lanes : int
        Lanes of a block, if blocks share the array; 0 if each has its own.
    """

    def __init__(self, elements: int, lanes: int = 0) -> None:
        self.lanes = lanes
        self.writer, self.reader, self.neighbour, self.stranger = (_nobody(elements) for _ in range(4))
        self.other_writer, self.other_reader = (_nobody(elements if lanes else 0) for _ in range(2))
        self.atomic, self.other_atomic = np.zeros(elements, bool), np.zeros(elements if lanes else 0, bool)
        # While nobody has written since the block's last barrier, reads need not be compared with anything.
        self.clean = False
        self.pending: list[Moment] = []

    def read(self, moment: Moment) -> None:
        """Enter readers."""
        elements, lane = moment.access.address, moment.lane
        last = self.reader[elements]
        who = lane_of(last)
        moved = np.flatnonzero((who != lane) & (last != NOBODY))
        if moved.size:
            near = who[moved] >> 5 == lane[moved] >> 5
            self.neighbour[elements[moved[near]]] = last[moved[near]]
            self.stranger[elements[moved[~near]]] = last[moved[~near]]
            if self.lanes:
                away = moved[who[moved] // self.lanes != lane[moved] // self.lanes]
                self.other_reader[elements[away]] = last[away]
        occupants = moment.occupants
        self.reader[elements] = occupants
        kept = lane_of(self.reader[elements])
        lost = np.flatnonzero(kept != lane)  # several lanes read this element just now
        if lost.size:
            near = kept[lost] >> 5 == lane[lost] >> 5
            self.neighbour[elements[lost[near]]] = occupants[lost[near]]
            self.stranger[elements[lost[~near]]] = occupants[lost[~near]]
            if self.lanes:
                away = lost[kept[lost] // self.lanes != lane[lost] // self.lanes]
                self.other_reader[elements[away]] = occupants[away]

    def write(self, moment: Moment) -> np.ndarray:
        """Enter writers; return the (n,) lanes that stay, the last one where several write to one element."""
        elements, lane, atomic = moment.access.address, moment.lane, moment.access.op == "atomic"
        occupants = moment.occupants
        if self.lanes:
            last = self.writer[elements]
            away = np.flatnonzero((last != NOBODY) & (lane_of(last) // self.lanes != lane // self.lanes))
            self.other_writer[elements[away]] = last[away]
            self.other_atomic[elements[away]] = self.atomic[elements[away]]
        self.writer[elements] = occupants
        self.atomic[elements] = atomic
        kept = lane_of(self.writer[elements])
        if self.lanes:
            away = np.flatnonzero(kept // self.lanes != lane // self.lanes)
            self.other_writer[elements[away]] = occupants[away]
            self.other_atomic[elements[away]] = atomic
        return kept


def _nobody(elements: int) -> np.ndarray:
    return np.full(elements, NOBODY, np.int64)
