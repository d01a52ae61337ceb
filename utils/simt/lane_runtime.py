"""The lane engine, complete: what of `numba.cuda` looks at lanes one by one."""

from __future__ import annotations

from typing import Any

import numpy as np

from utils.simt import control, printing
from utils.simt.batch import WARP
from utils.simt.control import union
from utils.simt.cooperative import GridGroup, must_be_grid
from utils.simt.lane_intrinsics import LaneIntrinsics
from utils.simt.warps import SHUFFLES, VOTES, as_bits, mode_of, must_span_warp


class LaneRuntime(LaneIntrinsics):
    """The runtime of the lane engine."""

    exited: control.Mask = None

    # Threads that end early

    def raise_(self, site: int, kind: type, message: str) -> None:
        """End the active lanes, in this function and in every one that called it."""
        if not self.active:
            return
        here = self.full_mask()
        self.diagnosis.raised(site, kind, message, self.batch.thread[here])
        self.exited = union(self.exited, here)
        self.returned = union(self.returned, here)
        self.alive -= self.active
        self.take_out()

    def leave(self, frame: tuple[Any, ...]) -> Any:
        result = super().leave(frame)
        if self.exited is not None and self.active:
            ended = self.exited & self.full_mask()
            if ended.any():
                self.returned, self.gone = union(self.returned, ended), union(self.gone, ended)
                self.alive -= int(np.count_nonzero(ended))
                self.set_mask(self.full_mask() & ~ended)
        return result

    # The grid

    def this_grid(self) -> GridGroup:
        """Return ``cuda.cg.this_grid()``."""
        return GridGroup()

    def method_sync(self, site: int, value: Any) -> None:
        """Wait for the whole grid, which is one batch then."""
        must_be_grid(value)
        if self.batch.blocks not in (0, self.batch.geometry.blocks):
            self.refuse("the grid waits for itself")
        self.syncthreads(site)
        for observer in self.observers:
            observer.grid_barrier(self.batch)

    # Printing

    def print_(self, *values: Any) -> None:
        """Print one line for each active lane, in the order of the threads."""
        lanes = self.every if self.chosen is None else self.chosen
        printing.show([printing.line(values, int(lane)) for lane in lanes])

    # Warps

    def activemask(self) -> Any:
        """Return the active lanes of the warp, as bits; uint32."""
        bits = (self.full_mask().reshape(-1, WARP) * (np.int64(1) << np.arange(WARP))).sum(1)
        return np.repeat(bits, WARP).astype(np.uint32)

    def lanemask_lt(self) -> Any:
        """Return the lanes below this one, as bits; uint32."""
        return ((np.int64(1) << (self.every & 31)) - 1).astype(np.uint32)

    def nanosleep(self, nanoseconds: Any) -> None:
        """Let time pass: there is no time here."""

    def _matches(self, site: int, mask: Any, value: Any) -> tuple[np.ndarray, np.ndarray]:
        self.syncwarp(site, mask)
        bits = as_bits(self._vector(value)).reshape(-1, WARP)
        asked = self._vector(mask).astype(np.int64).reshape(-1, WARP)
        named = (asked[:, :, None] >> np.arange(WARP) & 1).astype(bool) & self.full_mask().reshape(-1, 1, WARP)
        return (bits[:, :, None] == bits[:, None, :]) & named, named

    def match_any_sync(self, site: int, mask: Any, value: Any) -> Any:
        """Return the lanes of `mask` that hold the same value, as bits; int32."""
        alike, _ = self._matches(site, mask, value)
        bits = (alike * (np.int64(1) << np.arange(WARP))).sum(2)
        return bits.ravel().astype(np.uint32).view(np.int32)

    def match_all_sync(self, site: int, mask: Any, value: Any) -> Any:
        """Return `mask` if all its lanes hold one value, else 0; and whether they do. (int32, bool)."""
        alike, named = self._matches(site, mask, value)
        held = (alike == named).all(2).ravel()
        bits = (named * (np.int64(1) << np.arange(WARP))).sum(2).ravel()
        return np.where(held, bits, 0).astype(np.uint32).view(np.int32), held

    def vote_sync_intrinsic(self, site: int, mask: Any, mode: Any, predicate: Any) -> Any:
        """Vote as `mode` says: 0 all, 1 any, 2 equal, 3 ballot. (int32, bool)."""
        asked = VOTES[mode_of(mode, VOTES)]
        found = getattr(self, asked)(site, mask, predicate)
        if asked == "ballot_sync":
            return found.view(np.int32), found != 0
        return np.zeros(self.batch.lanes, np.int32), found

    def shfl_sync_intrinsic(self, site: int, mask: Any, mode: Any, value: Any, index: Any, clamp: Any) -> Any:
        """Shuffle as `mode` says: 0 by lane, 1 up, 2 down, 3 xor. (value, whether it came from another lane)."""
        asked = SHUFFLES[mode_of(mode, SHUFFLES)]
        must_span_warp(asked, clamp)
        lane, step = self.every & 31, self._vector(index).astype(np.int64)
        inside = {"shfl_up_sync": lane >= step, "shfl_down_sync": lane + step < WARP}.get(asked, step < WARP)
        return getattr(self, asked)(site, mask, value, index), inside
