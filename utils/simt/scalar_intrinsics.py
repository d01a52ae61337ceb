"""The intrinsics of `numba.cuda` for one thread at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from utils.simt import control, printing
from utils.simt.atomics import Atomic
from utils.simt.batch import WARP
from utils.simt.cooperative import GridGroup, must_be_grid
from utils.simt.lane_intrinsics import FULL, add_atomics, grid_extent, grid_position
from utils.simt.memory import poison
from utils.simt.raises import ThreadEnded
from utils.simt.scalar import ScalarControl
from utils.simt.warps import SHUFFLES, VOTES, as_bits, mode_of, must_span_warp


class ScalarRuntime(ScalarControl):
    """The scalar engine's runtime; each method does for the current thread what `LaneRuntime`'s does for all."""

    def grid(self, dimensions: Any) -> Any:
        """Return the thread's place in the grid."""
        return grid_position(self, dimensions)

    def gridsize(self, dimensions: Any) -> Any:
        """Return the threads of the grid along each dimension."""
        return grid_extent(self, dimensions)

    def syncthreads(self, site: int) -> None:
        """Wait for the block."""
        self.wait("block", site)

    def syncthreads_count(self, site: int, predicate: Any) -> Any:
        """Wait, and return for how many threads the predicate holds."""
        return np.int32(sum(self.wait("block", site, self.truth(control.predicate(predicate)))))

    def syncthreads_and(self, site: int, predicate: Any) -> Any:
        """Wait, and return whether the predicate holds for all threads."""
        return np.int32(all(self.wait("block", site, self.truth(control.predicate(predicate)))))

    def syncthreads_or(self, site: int, predicate: Any) -> Any:
        """Wait, and return whether the predicate holds for any thread."""
        return np.int32(any(self.wait("block", site, self.truth(control.predicate(predicate)))))

    def threadfence(self, site: int) -> None:
        """Order this thread's earlier writes before its later ones."""
        self.replay.flush()
        for observer in self.observers:
            observer.fence(self.batch, np.array([self.lane]))

    def syncwarp(self, site: int, mask: Any = FULL) -> None:
        """Wait for the lanes in `mask`."""
        self.wait("warp", site, (mask, None))

    def _shuffle(self, site: int, mask: Any, value: Any, source: int) -> Any:
        values = self.wait("warp", site, (mask, value))
        if source in values:
            return values[source]
        detail = ("read", self.lane % WARP, source)
        self.diagnosis.add("warp-sync", site, self.threads(None), detail=detail)
        return poison(value.dtype)

    def shfl_sync(self, site: int, mask: Any, value: Any, lane: Any) -> Any:
        """Return `value` of lane `lane`."""
        return self._shuffle(site, mask, value, int(lane) & 31)

    def shfl_up_sync(self, site: int, mask: Any, value: Any, delta: Any) -> Any:
        """Return `value` of the lane `delta` below."""
        own = self.lane % WARP
        return self._shuffle(site, mask, value, own - int(delta) if own >= int(delta) else own)

    def shfl_down_sync(self, site: int, mask: Any, value: Any, delta: Any) -> Any:
        """Return `value` of the lane `delta` above."""
        own = self.lane % WARP
        return self._shuffle(site, mask, value, own + int(delta) if own + int(delta) < WARP else own)

    def shfl_xor_sync(self, site: int, mask: Any, value: Any, bits: Any) -> Any:
        """Return `value` of the lane whose number differs by `bits`."""
        own = self.lane % WARP
        return self._shuffle(site, mask, value, own ^ int(bits) if own ^ int(bits) < WARP else own)

    def ballot_sync(self, site: int, mask: Any, predicate: Any) -> Any:
        """Return the lanes for which the predicate holds, as bits."""
        votes = self.wait("warp", site, (mask, self.truth(control.vote(predicate))))
        return np.uint32(sum(1 << lane for lane, held in votes.items() if held and int(mask) >> lane & 1))

    def any_sync(self, site: int, mask: Any, predicate: Any) -> Any:
        """Return whether the predicate holds in any lane of `mask`."""
        return np.bool_(self.ballot_sync(site, mask, predicate) != 0)

    def all_sync(self, site: int, mask: Any, predicate: Any) -> Any:
        """Return whether the predicate holds in all lanes of `mask`."""
        votes = self.wait("warp", site, (mask, self.truth(control.vote(predicate))))
        return np.bool_(all(held for lane, held in votes.items() if int(mask) >> lane & 1))

    def eq_sync(self, site: int, mask: Any, predicate: Any) -> Any:
        """Return whether the predicate is the same in all lanes of `mask`."""
        votes = self.wait("warp", site, (mask, self.truth(control.vote(predicate))))
        return np.bool_(len({held for lane, held in votes.items() if int(mask) >> lane & 1}) <= 1)

    def activemask(self) -> Any:
        """Return the lanes that run together: here, this one alone."""
        return np.uint32(1 << self.lane % WARP)

    def lanemask_lt(self) -> Any:
        """Return the lanes below this one, as bits."""
        return np.uint32((1 << self.lane % WARP) - 1)

    def nanosleep(self, nanoseconds: Any) -> None:
        """Let time pass."""

    def match_any_sync(self, site: int, mask: Any, value: Any) -> Any:
        """Return the lanes of `mask` that hold the same value, as bits."""
        mine = as_bits(value)
        values = self.wait("warp", site, (mask, mine))
        found = sum(1 << lane for lane, other in values.items() if other == mine and int(mask) >> lane & 1)
        return np.uint32(found).view(np.int32)

    def match_all_sync(self, site: int, mask: Any, value: Any) -> Any:
        """Return `mask` if all its lanes hold one value, else 0; and whether they do."""
        values = self.wait("warp", site, (mask, as_bits(value)))
        named = {lane: other for lane, other in values.items() if int(mask) >> lane & 1}
        held = len(set(map(int, named.values()))) == 1
        return np.uint32(sum(1 << lane for lane in named) if held else 0).view(np.int32), np.bool_(held)

    def vote_sync_intrinsic(self, site: int, mask: Any, mode: Any, predicate: Any) -> Any:
        """Vote as `mode` says."""
        asked = VOTES[mode_of(mode, VOTES)]
        found = getattr(self, asked)(site, mask, predicate)
        return (found.view(np.int32), np.bool_(found != 0)) if asked == "ballot_sync" else (np.int32(0), found)

    def shfl_sync_intrinsic(self, site: int, mask: Any, mode: Any, value: Any, index: Any, clamp: Any) -> Any:
        """Shuffle as `mode` says."""
        asked = SHUFFLES[mode_of(mode, SHUFFLES)]
        must_span_warp(asked, clamp)
        lane, step = self.lane % WARP, int(index)
        inside = {"shfl_up_sync": lane >= step, "shfl_down_sync": lane + step < WARP}.get(asked, step < WARP)
        return getattr(self, asked)(site, mask, value, index), np.bool_(inside)

    def this_grid(self) -> GridGroup:
        """Return ``cuda.cg.this_grid()``."""
        return GridGroup()

    def method_sync(self, site: int, value: Any) -> None:
        """Wait for the grid, which is one block here."""
        must_be_grid(value)
        self.syncthreads(site)

    def print_(self, *values: Any) -> None:
        """Print a line."""
        printing.show([printing.line(values, self.lane)])

    def raise_(self, site: int, kind: type, message: str) -> None:
        """End this thread."""
        self.diagnosis.raised(site, kind, message, self.threads(None))
        raise ThreadEnded

    def atomic(self, site: int, operation: Atomic, base: Any, index: Any, operands: tuple[Any, ...], used: bool) -> Any:
        """Update one element and return its old value."""
        memory, index = self.element(base, index)
        if memory is None:
            raise TypeError(f"an atomic on {base.name} needs as many indices as it has dimensions")
        self.must_be_writable(memory)
        address, _, outside = self.address(memory, index, site, "atomic")
        if outside is True:
            return poison(memory.element)
        if memory.readonly:
            self.diagnosis.add("read-only-write", site, self.threads(None), memory, address)
            return memory.element.type(0)
        written = memory.root.initialised
        if written is not None:
            self.must_be_written(memory, address, None, site)
            written[address] = True
        self.observe(site, memory, "atomic", address, None)
        values = [np.array([value]).astype(memory.element) for value in operands]
        return operation.one_by_one(memory.flat, np.array([address]), values)[0]


add_atomics(ScalarRuntime)
