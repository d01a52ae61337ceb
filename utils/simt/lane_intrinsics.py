"""The intrinsics of `numba.cuda` over all lanes at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from utils.simt import control
from utils.simt.arithmetic import describe
from utils.simt.atomics import OPERATIONS, Atomic
from utils.simt.batch import WARP, Access
from utils.simt.choices import LaneChoices
from utils.simt.memory import Memory, poison

FULL = np.int64(0xFFFFFFFF)


class LaneIntrinsics(LaneChoices):
    """Control flow from `LaneControl` and `LaneChoices`, and the core of what `numba.cuda` offers."""

    # What Runtime asks of an engine

    def observe(self, site: int, memory: Memory, op: str, address: Any, lanes: np.ndarray | None) -> None:
        if self.observers:
            lanes = self.every if lanes is None else lanes
            if not isinstance(address, np.ndarray):
                lanes = self.every if self.chosen is None else self.chosen
                address = np.full(lanes.size, address, np.int64)
            access = Access(site, memory, op, address, lanes)
            for observer in self.observers:
                observer.access(self.batch, access)

    def threads(self, lanes: np.ndarray | None) -> np.ndarray:
        lanes = self.chosen if lanes is None else lanes
        return self.batch.thread if lanes is None else self.batch.thread[lanes]

    def spread(self, values: Any, lanes: np.ndarray | None, fill: Any) -> Any:
        if lanes is None or not isinstance(values, np.ndarray):
            return values
        whole = np.full(self.batch.lanes, fill, values.dtype)
        whole[lanes] = values
        return whole

    def allocate(self, site: int, shape: tuple[int, ...], dtype: np.dtype, space: str) -> Memory:
        copies = self.batch.blocks if space == "shared" else self.batch.lanes
        made = self.new_array(site, shape, dtype, space, copies)
        if copies > 1:
            owner = self.batch.local_block if space == "shared" else self.every
            made.offset = owner * made.size_of_one
        return made

    def refuse(self, reason: str) -> None:
        from utils.simt.source import Unsupported

        raise Unsupported(reason)

    # Indices

    def grid(self, dimensions: Any) -> Any:
        """Return the thread's place in the grid, in one, two or three dimensions; int64."""
        return grid_position(self, dimensions)

    def gridsize(self, dimensions: Any) -> Any:
        """Return the threads of the grid along each dimension; int64."""
        return grid_extent(self, dimensions)

    # Barriers

    def syncthreads(self, site: int) -> None:
        """Wait for the block; report a barrier that not all of its threads reach."""
        batch, per_block = self.batch, self.batch.geometry.lanes
        batch.clock += 1
        for observer in self.observers:
            observer.barrier(batch, site, self.mask)
        if self.mask is None or self.active == int(np.count_nonzero(batch.real)):
            batch.block_stamp = np.full(batch.lanes, batch.clock)
            return
        here = self.mask.reshape(batch.blocks, per_block)
        arrived = here.sum(1)
        batch.block_stamp = np.where(np.repeat(arrived > 0, per_block), batch.clock, batch.block_stamp)
        broken = np.flatnonzero((arrived > 0) & (arrived < batch.geometry.threads))
        if broken.size:
            missing = (batch.real.reshape(here.shape) & ~here)[broken].argmax(1) + broken * per_block
            first = missing[0]
            returned = self.returned is not None and bool(self.returned[first])
            detail = (int(arrived[broken[0]]), batch.geometry.threads, returned)
            self.diagnosis.add("barrier-divergence", site, batch.thread[missing], detail=detail)

    def syncthreads_count(self, site: int, predicate: Any) -> Any:
        """Wait, and return for how many threads of the block the predicate holds; int32."""
        held = self._held(control.predicate(predicate))
        self.syncthreads(site)
        return self._over_block(held).astype(np.int32)

    def syncthreads_or(self, site: int, predicate: Any) -> Any:
        """Wait, and return whether the predicate holds for any thread of the block; int32."""
        return (self.syncthreads_count(site, predicate) > 0).astype(np.int32)

    def syncthreads_and(self, site: int, predicate: Any) -> Any:
        """Wait, and return whether the predicate holds for all threads of the block; int32."""
        held = self.syncthreads_count(site, predicate)
        return (held == self._over_block(self.full_mask())).astype(np.int32)

    def _over_block(self, flags: np.ndarray) -> np.ndarray:
        counts = flags.reshape(self.batch.blocks, self.batch.geometry.lanes).sum(1)
        return np.repeat(counts, self.batch.geometry.lanes)

    def _held(self, predicate: Any) -> np.ndarray:
        return self._vector(predicate).astype(bool) & self.full_mask()

    def _vector(self, value: Any) -> np.ndarray:
        if not isinstance(value, np.ndarray | np.generic):
            raise TypeError(f"a number is needed here, not {describe(value)}")
        return value if isinstance(value, np.ndarray) else np.full(self.batch.lanes, value)

    def threadfence(self, site: int) -> None:
        """Order this thread's earlier writes before its later ones, as other threads see them."""
        for observer in self.observers:
            observer.fence(self.batch, self.every if self.chosen is None else self.chosen)

    # Warps

    def syncwarp(self, site: int, mask: Any = FULL) -> None:
        """Wait for the lanes in `mask`; report lanes it names that do not come."""
        batch = self.batch
        batch.clock += 1
        here = self.full_mask().reshape(-1, WARP)
        batch.warp_stamp = np.where(np.repeat(here.any(1), WARP), batch.clock, batch.warp_stamp)
        bits = self._vector(mask).astype(np.int64).reshape(-1, WARP)
        asked = np.where(here, bits, 0).max(1, initial=0)
        named = (asked[:, None] >> np.arange(WARP) & 1).astype(bool)
        absent = (named & batch.real.reshape(-1, WARP) & ~here).ravel()
        if absent.any():
            lanes = np.flatnonzero(absent)
            detail = ("mask", int(asked[lanes[0] // WARP]) & 0xFFFFFFFF, int(lanes[0] % WARP))
            self.diagnosis.add("warp-sync", site, batch.thread[lanes], detail=detail)

    def _shuffle(self, site: int, mask: Any, value: Any, source: np.ndarray, own: np.ndarray) -> Any:
        """Return `value` of lane `source` of the same warp; of the lane itself where `own` holds."""
        self.syncwarp(site, mask)
        vector = self._vector(value)
        here = self.full_mask()
        lane = self.every & 31
        target = (self.every & ~31) + np.where(own, lane, source)
        absent = here & ~here[target]
        if absent.any():
            lanes = np.flatnonzero(absent)
            detail = ("read", int(lanes[0] % WARP), int(target[lanes[0]] % WARP))
            self.diagnosis.add("warp-sync", site, self.batch.thread[lanes], detail=detail)
        return np.where(here[target], vector[target], poison(vector.dtype))

    def shfl_sync(self, site: int, mask: Any, value: Any, lane: Any) -> Any:
        """Return `value` of lane `lane`."""
        source = self._vector(lane).astype(np.int64) & 31
        return self._shuffle(site, mask, value, source, self.none)

    def shfl_up_sync(self, site: int, mask: Any, value: Any, delta: Any) -> Any:
        """Return `value` of the lane `delta` below; the lane's own where there is none."""
        source = (self.every & 31) - self._vector(delta).astype(np.int64)
        return self._shuffle(site, mask, value, source, source < 0)

    def shfl_down_sync(self, site: int, mask: Any, value: Any, delta: Any) -> Any:
        """Return `value` of the lane `delta` above; the lane's own where there is none."""
        source = (self.every & 31) + self._vector(delta).astype(np.int64)
        return self._shuffle(site, mask, value, source, source > 31)

    def shfl_xor_sync(self, site: int, mask: Any, value: Any, bits: Any) -> Any:
        """Return `value` of the lane whose number differs by `bits`."""
        source = (self.every & 31) ^ self._vector(bits).astype(np.int64)
        return self._shuffle(site, mask, value, source, source > 31)

    def ballot_sync(self, site: int, mask: Any, predicate: Any) -> Any:
        """Return the lanes for which the predicate holds, as bits; uint32."""
        self.syncwarp(site, mask)
        named = (self._vector(mask).astype(np.int64) >> (self.every & 31) & 1).astype(bool)
        held = (self._held(control.vote(predicate)) & named).reshape(-1, WARP)
        bits = (held * (np.int64(1) << np.arange(WARP))).sum(1)
        return np.repeat(bits, WARP).astype(np.uint32)

    def any_sync(self, site: int, mask: Any, predicate: Any) -> Any:
        """Return whether the predicate holds in any lane of `mask`; bool."""
        return self.ballot_sync(site, mask, predicate) != 0

    def all_sync(self, site: int, mask: Any, predicate: Any) -> Any:
        """Return whether the predicate holds in all lanes of `mask`; bool."""
        return self.ballot_sync(site, mask, predicate) == self.ballot_sync(site, mask, np.bool_(True))

    def eq_sync(self, site: int, mask: Any, predicate: Any) -> Any:
        """Return whether the predicate is the same in all lanes of `mask`; bool."""
        return self.all_sync(site, mask, predicate) | ~self.any_sync(site, mask, predicate)

    # Atomics

    def atomic(self, site: int, operation: Atomic, base: Any, index: Any, operands: tuple[Any, ...], used: bool) -> Any:
        """Update one element in each lane, in lane order; return the old values if they are `used`."""
        memory, index = self.element(base, index)
        if memory is None:
            raise TypeError(f"an atomic on {base.name} needs as many indices as it has dimensions")
        nothing = memory.element.type(0)
        self.must_be_writable(memory)
        address, lanes, outside = self.address(memory, index, site, "atomic")
        if outside is True:
            return poison(memory.element)
        if memory.readonly:
            self.diagnosis.add("read-only-write", site, self.threads(lanes), memory, address)
            return nothing
        written = memory.root.initialised
        if written is not None:
            self.must_be_written(memory, address, lanes, site)
            written[address] = True
        self.observe(site, memory, "atomic", address, lanes)
        lanes = (self.every if self.chosen is None else self.chosen) if lanes is None else lanes
        if not isinstance(address, np.ndarray):
            lanes = self.every if self.chosen is None else self.chosen
            address = np.full(lanes.size, address)
        values = [self._vector(v)[lanes].astype(memory.element) for v in operands]
        plain = isinstance(memory.flat, np.ndarray)
        if not used and plain and operation.ufunc is not None and operation.at_once(memory.flat[address]):
            operation.ufunc.at(memory.flat, address, values[0])
            return None
        old = operation.one_by_one(memory.flat, address, values)
        return self.spread(old, lanes if lanes.size < self.batch.lanes else None, nothing)


def _atomic(name: str) -> Any:
    operation = OPERATIONS[name]

    def method(self: Any, site: int, base: Any, index: Any, *operands: Any, used: bool = True) -> Any:
        if len(operands) != operation.operands:
            raise TypeError(f"cuda.atomic.{name} takes an array, an index and {operation.operands} value(s)")
        if operation.integers and isinstance(base, Memory) and base.element.kind not in "iu":
            raise TypeError(f"cuda.atomic.{name} works on integers, not on {base.element}")
        if isinstance(base, Memory) and (base.element.kind not in "iuf" or base.element.itemsize not in (4, 8)):
            raise TypeError(f"cuda.atomic.{name} works on numbers of 32 or 64 bits, not on {base.element}")
        return self.atomic(site, operation, base, index, operands, used)

    method.__name__ = f"atomic_{name}"
    method.__doc__ = f"Do ``cuda.atomic.{name}``."
    return method


def _compare_and_swap(self: Any, site: int, base: Any, *operands: Any, used: bool = True) -> Any:
    """Do ``cuda.atomic.compare_and_swap``: ``cas`` on the first element."""
    if not isinstance(base, Memory) or len(base.shape) != 1:
        raise TypeError("cuda.atomic.compare_and_swap takes a one-dimensional array")
    return self.atomic_cas(site, base, np.int64(0), *operands, used=used)


def add_atomics(runtime: Any) -> None:
    """Give a runtime one method for each atomic; it brings `atomic` itself."""
    for name in OPERATIONS:
        setattr(runtime, f"atomic_{name}", _atomic(name))
    runtime.atomic_compare_and_swap = _compare_and_swap


add_atomics(LaneIntrinsics)


def grid_position(runtime: Any, dimensions: Any) -> Any:
    """Return ``cuda.grid(dimensions)``."""
    block, inside, extent = runtime.blockIdx, runtime.threadIdx, runtime.blockDim
    axes = [
        getattr(block, a).astype(np.int64) * int(getattr(extent, a)) + getattr(inside, a) for a in _axes(dimensions)
    ]
    return axes[0] if len(axes) == 1 else tuple(axes)


def grid_extent(runtime: Any, dimensions: Any) -> Any:
    """Return ``cuda.gridsize(dimensions)``."""
    axes = [np.int64(getattr(runtime.gridDim, a)) * getattr(runtime.blockDim, a) for a in _axes(dimensions)]
    return axes[0] if len(axes) == 1 else tuple(axes)


def _axes(dimensions: Any) -> str:
    if not isinstance(dimensions, np.integer) or not 1 <= dimensions <= 3:
        raise TypeError("cuda.grid and cuda.gridsize take 1, 2 or 3")
    return "xyz"[: int(dimensions)]
