"""Which writes a fence and an atomic have published, and to whom.

The "last block" pattern: every block writes its part, fences, and counts itself in with an atomic; the block that
counts last reads all parts. What orders the reads after the writes is the pair of fence and atomic. So an atomic on an
element publishes what its block did before its latest fence, and learns what earlier atomics on that element
published. Knowledge is kept for each block, as the clock up to which it knows each other block's accesses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from utils.simt.batch import Access, Batch, Geometry
from utils.simt.memory import Memory

if TYPE_CHECKING:
    from utils.simt.shadow import Moment


class Fences:
    """What each block has published, and what it knows of the others."""

    def __init__(self, geometry: Geometry) -> None:
        self.geometry = geometry
        self.fenced: dict[int, int] = {}
        self.knows: dict[int, dict[int, int]] = {}
        self.published: dict[tuple[int, int], dict[int, int]] = {}

    def fence(self, batch: Batch, lanes: np.ndarray) -> None:
        """Take note of a fence: it covers what the thread's block has done up to now."""
        batch.clock += 1
        for thread in batch.thread[lanes]:
            self.fenced[int(thread) // self.geometry.threads] = batch.clock

    def atomic(self, memory: Memory, access: Access, moment: Moment) -> None:
        """Take note of atomics, in lane order."""
        for address, lane in zip(access.address.tolist(), moment.lane.tolist(), strict=True):
            block = lane // self.geometry.lanes
            board = self.published.setdefault((id(memory.root), address), {})
            knows = self.knows.setdefault(block, {})
            _learn(knows, board)
            if block in self.fenced:
                _learn(board, knows)
                _learn(board, {block: self.fenced[block]})

    def orders(self, before: np.ndarray, clock: np.ndarray, me: np.ndarray) -> np.ndarray:
        """Return (n,) bool: whether lane `me` knows of what lane `before` did at `clock`."""
        lanes = self.geometry.lanes
        return np.array(
            [
                self.knows.get(mine // lanes, {}).get(theirs // lanes, -1) >= then
                for theirs, then, mine in zip(before.tolist(), clock.tolist(), me.tolist(), strict=True)
            ],
            bool,
        )


def _learn(knowledge: dict[int, int], news: dict[int, int]) -> None:
    for block, clock in news.items():
        knowledge[block] = max(clock, knowledge.get(block, clock))
