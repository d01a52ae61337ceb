"""Where lanes stand: the geometry of a launch, and of the batch of blocks that runs at one time.

Blocks are padded to whole warps, so lane ``i`` of a batch belongs to warp ``i // 32`` always; padding lanes are never
active.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from utils.simt.report import Dim3

if TYPE_CHECKING:
    from utils.simt.memory import Memory

WARP = 32


@dataclass(frozen=True)
class Geometry:
    """The launch configuration, in blocks and threads."""

    grid: Dim3
    block: Dim3

    @cached_property
    def threads(self) -> int:
        """Threads of one block."""
        return self.block[0] * self.block[1] * self.block[2]

    @cached_property
    def lanes(self) -> int:
        """Lanes of one block: its threads, rounded up to whole warps."""
        return -(-self.threads // WARP) * WARP

    @cached_property
    def blocks(self) -> int:
        """Blocks of the grid."""
        return self.grid[0] * self.grid[1] * self.grid[2]

    def where(self, thread: int) -> tuple[Dim3, Dim3]:
        """Return block and thread coordinates of a thread by its number in the launch."""
        block, inside = divmod(int(thread), self.threads)
        return _unravel(block, self.grid), _unravel(inside, self.block)


def _unravel(number: int, extents: Dim3) -> Dim3:
    x, y, _ = extents
    return number % x, number // x % y, number // (x * y)


class Coordinates:
    """``x``, ``y`` and ``z`` of threadIdx, blockIdx, blockDim or gridDim: lane vectors or single values."""

    description = "a dim3"
    __slots__ = ("x", "y", "z")

    def __init__(self, x: object, y: object, z: object) -> None:
        self.x, self.y, self.z = x, y, z


@dataclass
class Batch:
    """The blocks that run together.

    Attributes
    ----------
    geometry : Geometry
    first : int
        Number of the first block.
    blocks : int
        How many blocks.
    clock : int
        Counts synchronisations; later accesses have larger values.
    block_stamp, warp_stamp : (lanes,) int64 ndarray
        The clock at the last barrier of a lane's block, and at the last synchronisation of its warp. Replaced, never
        changed, by the lane engine: who keeps one keeps that moment.
    """

    geometry: Geometry
    first: int
    blocks: int
    clock: int = 1
    block_stamp: np.ndarray = field(init=False)
    warp_stamp: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.block_stamp = np.full(self.lanes, self.clock, np.int64)
        self.warp_stamp = np.full(self.lanes, self.clock, np.int64)

    @cached_property
    def lanes(self) -> int:
        """Lanes of the batch, padding included."""
        return self.blocks * self.geometry.lanes

    @cached_property
    def warp(self) -> np.ndarray:
        """(lanes,) int64: the warp of each lane, counted within the batch."""
        return np.arange(self.lanes) >> 5

    @cached_property
    def inside(self) -> np.ndarray:
        """(lanes,) int64: each lane's number within its block; padding lanes repeat the last thread."""
        return np.tile(np.minimum(np.arange(self.geometry.lanes), self.geometry.threads - 1), self.blocks)

    @cached_property
    def local_block(self) -> np.ndarray:
        """(lanes,) int64: the block of each lane, counted within the batch."""
        return np.repeat(np.arange(self.blocks), self.geometry.lanes)

    @cached_property
    def thread(self) -> np.ndarray:
        """(lanes,) int64: the number of each lane's thread in the launch."""
        return (self.first + self.local_block) * self.geometry.threads + self.inside

    @cached_property
    def real(self) -> np.ndarray:
        """(lanes,) bool: True for threads, False for padding."""
        return np.tile(np.arange(self.geometry.lanes) < self.geometry.threads, self.blocks)

    @cached_property
    def thread_index(self) -> Coordinates:
        """ThreadIdx of each lane, int32."""
        x, y, _ = self.geometry.block
        inside = self.inside.astype(np.int32)
        return Coordinates(*self._spread(inside % x, inside // x % y, inside // (x * y), self.geometry.block))

    @cached_property
    def block_index(self) -> Coordinates:
        """BlockIdx of each lane, int32."""
        x, y, _ = self.geometry.grid
        # One value for all lanes costs less than a vector of equal ones.
        number = np.int64(self.first) if self.blocks == 1 else self.first + self.local_block
        return Coordinates(*self._spread(number % x, number // x % y, number // (x * y), self.geometry.grid))

    @staticmethod
    def _spread(x: Any, y: Any, z: Any, extents: Dim3) -> list[Any]:
        values = zip((x, y, z), extents, strict=True)
        return [value.astype(np.int32) if extent > 1 else np.int32(0) for value, extent in values]


@dataclass(frozen=True)
class Access:
    """One memory instruction, over all lanes of a batch that take part.

    Attributes
    ----------
    site : int
        Its place in the program's table of sites.
    memory : utils.simt.memory.Memory
    op : {"load", "store", "atomic"}
    address : (n,) int64 ndarray
        Elements from the start of `memory`'s storage, one for each lane.
    lanes : (n,) int64 ndarray
        The lanes, ascending.
    stamps : tuple or None
        (clock, block stamp, warp stamp) of each lane at the time; None means "as the batch has them now".
    """

    site: int
    memory: Memory
    op: str
    address: np.ndarray
    lanes: np.ndarray
    stamps: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None


class Observer:
    """What may watch a launch. Leaving one out changes no result."""

    def begin(self, batch: Batch) -> None:
        """Take note that a batch of blocks starts."""

    def restart(self) -> None:
        """Forget everything: the launch begins again, on the other engine."""

    def access(self, batch: Batch, access: Access) -> None:
        """Take note of a memory instruction."""

    def step(self, batch: Batch, lines: tuple[int, ...], mask: np.ndarray | None, active: int, warps: int) -> None:
        """Take note of statements executed by `active` lanes of `warps` warps (`mask`: (lanes,) bool, None for all)."""

    def branch(self, batch: Batch, site: int, warps: int, parted: int) -> None:
        """Take note of a branch that `warps` warps evaluated, and at which the lanes of `parted` of them parted."""

    def barrier(self, batch: Batch, site: int, mask: np.ndarray | None) -> None:
        """Take note of a block barrier (`mask`: (lanes,) bool, the lanes that arrive; None for all)."""

    def grid_barrier(self, batch: Batch) -> None:
        """Take note that the whole grid has waited for itself."""

    def counted(self, batch: Batch, statements: np.ndarray) -> None:
        """Take note of how many statements each lane executed, (lanes,) int64; only from the scalar engine."""

    def fence(self, batch: Batch, lanes: np.ndarray) -> None:
        """Take note of a memory fence."""
