"""Observer: what the memory system and the schedulers of a GPU would count.

Definitions are those of the Nsight Compute documentation. A request is one memory instruction of one warp. A sector is
32 aligned bytes of global memory; a request moves each sector that any of its lanes touches once. A wavefront is one
pass through the 32 banks of shared memory, 4 bytes each: lanes that touch different words of one bank need a pass
each, lanes that touch the same word share one. Accesses of 8 bytes are served by half warps, of 16 by quarter warps.

Counts are for each access in the source. Not modelled: hits in caches, latency, and what the compiler merges.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from utils.simt.batch import Access, Batch, Observer
from utils.simt.memory import Memory
from utils.simt.program import SiteInfo
from utils.simt.report import SECTOR_BYTES, Site

BANKS, BANK_BYTES = 32, 4
HALF = 1 << 40  # keeps addresses that count from the first lane's positive; a multiple of every bank count
REQUESTS, ACCESSES, BYTES, SECTORS, WAVEFRONTS, IDEAL = range(6)


@dataclass(frozen=True)
class Pattern:
    """The last access at a site, and what it cost: loops come by with the same pattern again and again.

    Attributes
    ----------
    lanes, address : (n,) int64 ndarray
        Who, and which element, counted from the first lane's.
    start : int
        Bytes from the start of a sector (of a bank's word) to the first lane's element.
    counts : (6,) int64 ndarray
    """

    lanes: np.ndarray
    address: np.ndarray
    start: int
    counts: np.ndarray

    def matches(self, lanes: np.ndarray, address: np.ndarray, start: int) -> bool:
        """Whether another access costs the same."""
        same_lanes = lanes is self.lanes or np.array_equal(lanes, self.lanes)
        return start == self.start and same_lanes and np.array_equal(address, self.address)


def count_request(batch: Batch, access: Access, address: np.ndarray, start: int, unit: int) -> np.ndarray:
    """Return the (6,) counters of one access; `address`, in units of `unit` bytes, and `start` as in `Pattern`."""
    counts = np.zeros(6, np.int64)
    warp = batch.warp if access.lanes.size == batch.lanes else batch.warp[access.lanes]
    size = access.memory.element.itemsize
    counts[REQUESTS] = distinct(warp)
    counts[ACCESSES] = warp.size
    counts[BYTES] = warp.size * size
    if access.memory.space == "global":
        counts[SECTORS] = distinct(pair(warp, HALF + (start + address * unit) // SECTOR_BYTES))
        if size > SECTOR_BYTES:  # a large structure covers more sectors than the one it starts in
            counts[SECTORS] += warp.size * (size // SECTOR_BYTES - 1)
    elif access.memory.space == "shared":
        whole = unit == size and size >= BANK_BYTES
        word = address if whole else (start + address * unit) // max(BANK_BYTES, size)
        counts[WAVEFRONTS], counts[IDEAL] = bank_wavefronts(warp, access.lanes & 31, HALF + word, size)
    return counts


class Traffic(Observer):
    """Counts requests, sectors, wavefronts, barriers, branches and active lanes."""

    def __init__(self, sites: list[SiteInfo]) -> None:
        self.sites = sites
        self.counts: dict[tuple[int, str, str, str], np.ndarray] = {}
        self.last: dict[tuple[int, str, str, str], Pattern] = {}
        self.branches = self.divergent = 0
        self.warp_statements = self.lane_statements = 0
        self.barriers = 0
        self.waits = np.zeros(0, np.int64)

    def begin(self, batch: Batch) -> None:
        self._end_batch()
        self.waits = np.zeros(batch.blocks, np.int64)

    def barrier(self, batch: Batch, site: int, mask: np.ndarray | None) -> None:
        if mask is None:
            self.waits += 1
        else:
            self.waits += mask.reshape(batch.blocks, -1).any(1)

    def step(self, batch: Batch, lines: tuple[int, ...], mask: np.ndarray | None, active: int, warps: int) -> None:
        self.warp_statements += warps * len(lines)
        self.lane_statements += active * len(lines)

    def counted(self, batch: Batch, statements: np.ndarray) -> None:
        # Without lockstep the longest lane stands for its warp.
        self.warp_statements += int(statements.reshape(-1, 32).max(1).sum())
        self.lane_statements += int(statements.sum())

    def branch(self, batch: Batch, site: int, warps: int, parted: int) -> None:
        self.branches += warps
        self.divergent += parted

    def access(self, batch: Batch, access: Access) -> None:
        memory: Memory = access.memory
        key = (access.site, memory.space, access.op, memory.name)
        if key not in self.counts:
            self.counts[key] = np.zeros(6, np.int64)
            self.last[key] = Pattern(np.zeros(0, np.int64), np.zeros(0, np.int64), 0, np.zeros(6, np.int64))
        address = access.address
        if memory.space == "shared" and batch.blocks > 1:
            address = address - batch.local_block[access.lanes] * memory.root.size_of_one
        unit = memory.element.itemsize
        if memory.root.pitch:  # a field: its elements stand as far apart as the records
            address, unit = memory.root.bytes_of(address), 1
        first = int(address[0]) if address.size else 0
        address = address - first
        # Sectors depend on where a request starts within one, banks do not: moving all lanes only renames them.
        start = (memory.root.base + first * unit) % SECTOR_BYTES if memory.space == "global" else 0
        last = self.last[key]
        if not last.matches(access.lanes, address, start):
            counted = count_request(batch, access, address, start, unit)
            last = self.last[key] = Pattern(access.lanes, address, start, counted)
        self.counts[key] += last.counts

    def site_records(self) -> list[Site]:
        """Return a `Site` for each access that ran, in source order."""
        made = []
        for (site, space, op, array), counts in self.counts.items():
            info = self.sites[site]
            made.append((info.line, site, array, Site(info.line, info.source, space, op, array, *map(int, counts))))
        return [record for *_, record in sorted(made, key=lambda item: item[:3])]

    def finish(self) -> None:
        """Close the last batch."""
        self._end_batch()

    def _end_batch(self) -> None:
        self.barriers = max(self.barriers, int(self.waits.max(initial=0)))


def pair(major: np.ndarray, minor: np.ndarray) -> np.ndarray:
    """Return one sortable key for each pair; `minor` below 2**48."""
    return (major << 48) | minor


def distinct(keys: np.ndarray) -> int:
    """Return how many different values (n,) int64 `keys` has; fast where they are sorted already."""
    if not keys.size:
        return 0
    changes = np.count_nonzero(keys[1:] != keys[:-1])
    if changes and not np.all(keys[1:] >= keys[:-1]):
        keys = np.sort(keys)
        changes = np.count_nonzero(keys[1:] != keys[:-1])
    return int(changes) + 1


def bank_wavefronts(warp: np.ndarray, lane: np.ndarray, unit: np.ndarray, size: int) -> tuple[int, int]:
    """Count the passes through the banks.

    Parameters
    ----------
    warp, lane, unit : (n,) int64 ndarray
        Who accesses which element, by ascending warp and lane; of elements below 4 bytes, which 4-byte word.
    size : int
        Bytes of an element.

    Returns
    -------
    wavefronts, ideal : int
        Passes needed, and the fewest for as many lanes.
    """
    parts = max(1, size // BANK_BYTES)  # so many groups of lanes take turns
    banks = BANKS // parts
    group = warp * parts + lane // banks
    ideal = distinct(group)
    if unit.size:
        stride = np.diff(unit)
        if np.all((stride == 0) | (stride == 1) | (group[1:] != group[:-1])):
            return ideal, ideal  # neighbours take neighbouring words: no two words in one bank
    keys = np.unique(pair(group, unit))
    _, passes = np.unique(pair(keys >> 48, (keys & ((1 << 48) - 1)) % banks), return_counts=True)
    owner = np.unique(pair(keys >> 48, (keys & ((1 << 48) - 1)) % banks)) >> 48
    starts = np.flatnonzero(np.r_[True, owner[1:] != owner[:-1]])
    return int(np.maximum.reduceat(passes, starts).sum()), ideal
