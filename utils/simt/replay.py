"""Telling the observers of what single threads did, as warps would have done it.

The scalar engine meets accesses one thread at a time. They are kept until the block's barrier and then put together:
the k-th time that the lanes of a warp came by one place in the source, between the same two synchronisations, counts
as one instruction of the warp. That is close to what lockstep does, and exact where the lanes do not diverge.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from utils.simt.batch import WARP, Access, Batch, Observer
from utils.simt.memory import Memory

Key = tuple[int, int, int, str, int, int]  # warp, clock, site, op, memory, time around


class Replay:
    """The accesses of one block since its last barrier."""

    def __init__(self, batch: Batch, observers: list[Observer]) -> None:
        self.batch, self.observers = batch, observers
        self._start()

    def _start(self) -> None:
        self.requests: dict[Key, list[tuple[int, int, int, int]]] = {}
        self.times: dict[tuple[int, int, int, str], int] = defaultdict(int)
        self.memories: dict[int, Memory] = {}

    def note(self, site: int, memory: Memory, op: str, address: int, lane: int) -> None:
        """Keep an access of one lane."""
        batch = self.batch
        clock = batch.clock
        stamp = int(batch.warp_stamp[lane])
        time = self.times[lane, stamp, site, op]
        self.times[lane, stamp, site, op] = time + 1
        array = id(memory.root)  # each thread may have a view of its own
        self.memories[array] = memory
        key = (lane // WARP, stamp, site, op, array, time)
        self.requests.setdefault(key, []).append((lane, address, clock, int(batch.block_stamp[lane])))

    def flush(self) -> None:
        """Tell the observers, in the order in which each warp first came by."""
        for (_, stamp, site, op, memory, _), entries in self.requests.items():
            lanes, address, clock, block_stamp = np.array(sorted(entries), np.int64).T
            stamps = (clock, block_stamp, np.full(lanes.size, stamp))
            access = Access(site, self.memories[memory], op, address, lanes, stamps)
            for observer in self.observers:
                observer.access(self.batch, access)
        self._start()
