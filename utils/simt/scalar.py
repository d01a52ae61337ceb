"""The second engine: one thread after another.

Each thread is a greenlet that runs the kernel in its scalar form until it ends or has to wait. It takes what lockstep
cannot do (a spin lock, arrays chosen by a branch), and it shows what lockstep hides: with the warps in ascending or
descending order, a race has another outcome.

One turn of the scheduler: every thread that can run does, in warp order. When all wait or have ended, first the warps
whose lanes are all where they should be go on, then those that wait for a lane that never comes (a finding), and last
the block's barrier, whoever has arrived.
"""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from typing import Any

import numpy as np
from greenlet import greenlet

from utils.simt.arrays import Arrays
from utils.simt.batch import WARP, Coordinates, Observer
from utils.simt.control import range_bounds, truth
from utils.simt.iteration import each
from utils.simt.memory import Memory
from utils.simt.raises import ThreadEnded
from utils.simt.replay import Replay

TURNS = 64  # of a loop, before a thread that may be waiting for another lets it run


class ScalarControl(Arrays):
    """One block, thread by thread.

    Parameters
    ----------
    descending : bool
        Whether the last warp runs first.
    """

    def __init__(self, *arguments: Any, observers: list[Observer], descending: bool) -> None:
        super().__init__(*arguments)
        self.observers, self.descending = observers, descending
        geometry = self.batch.geometry
        x, y, _ = geometry.block
        lanes = range(geometry.threads)
        self.places = [Coordinates(np.int32(t % x), np.int32(t // x % y), np.int32(t // (x * y))) for t in lanes]
        gx, gy, _ = geometry.grid
        first = self.batch.first
        self.blockIdx = Coordinates(np.int32(first % gx), np.int32(first // gx % gy), np.int32(first // (gx * gy)))
        self.lane = 0
        self.turns = 0
        self.statements = np.zeros(self.batch.lanes, np.int64)
        self.replay = Replay(self.batch, observers)
        self.hub: greenlet = greenlet.getcurrent()
        self.fibres: list[greenlet] = []
        self.waiting: dict[int, tuple[str, int, Any]] = {}
        self.ended: set[int] = set()

    # The scheduler

    def run_block(self, arguments: list[Any]) -> None:
        """Run every thread of the block to its end."""
        geometry = self.batch.geometry
        warps = range(0, geometry.threads, WARP)
        order = [
            lane
            for start in (reversed(warps) if self.descending else warps)
            for lane in range(start, min(start + WARP, geometry.threads))
        ]
        if self.program.waits or self.program.spins:
            self._run_fibres(order, arguments)
        else:
            for lane in order:
                self._become(lane)
                self._run_thread(self, *arguments)
        self.replay.flush()
        for observer in self.observers:
            observer.counted(self.batch, self.statements)

    def _run_fibres(self, order: list[int], arguments: list[Any]) -> None:
        self.hub = greenlet.getcurrent()
        self.fibres = [greenlet(self._run_quietly) for _ in range(self.batch.geometry.threads)]
        ready: deque[tuple[int, tuple[Any, ...]]] = deque((lane, (self, *arguments)) for lane in order)
        while ready:
            lane, message = ready.popleft()
            self._become(lane)
            told = self.fibres[lane].switch(*message)
            if self.fibres[lane].dead:
                self.ended.add(lane)
            elif told[0] == "spin":
                ready.append((lane, (None,)))
            else:
                self.waiting[lane] = told
            if not ready and self.waiting:
                released = self._release()
                ready.extend((lane, (released[lane],)) for lane in order if lane in released)

    def _run_quietly(self, *arguments: Any) -> None:
        with np.errstate(all="ignore"):  # a greenlet does not inherit this from who starts it
            self._run_thread(*arguments)

    def _run_thread(self, *arguments: Any) -> None:
        with suppress(ThreadEnded):  # a thread that raises ends; the others go on
            self.program.run(*arguments)

    def _become(self, lane: int) -> None:
        self.lane = lane
        self.threadIdx, self.laneid = self.places[lane], np.int32(lane % WARP)
        self.turns = 0

    def wait(self, kind: str, site: int, value: Any = None) -> Any:
        """Stop this thread until the scheduler lets it go on; return what the scheduler says."""
        lane = self.lane
        answer = self.hub.switch((kind, site, value))
        self._become(lane)
        return answer

    def _release(self) -> dict[int, Any]:
        groups: dict[tuple[int, int], list[int]] = {}
        for lane, (kind, site, _) in sorted(self.waiting.items()):
            if kind == "warp":
                groups.setdefault((lane // WARP, site), []).append(lane)
        complete = {key: lanes for key, lanes in groups.items() if not self._absent(lanes)}
        if groups:
            released: dict[int, Any] = {}
            for (_, site), lanes in (complete or groups).items():
                released.update(self._release_warp(site, lanes))
            return released
        return self._release_block()

    def _absent(self, lanes: list[int]) -> list[int]:
        """Return the lanes that the masks of `lanes` name and that are not among them."""
        start = lanes[0] // WARP * WARP
        named = 0
        for lane in lanes:
            named |= int(self.waiting[lane][2][0])
        warp = range(start, min(start + WARP, self.batch.geometry.threads))
        return [k for k in warp if named >> (k - start) & 1 and k not in lanes]

    def _release_warp(self, site: int, lanes: list[int]) -> dict[int, Any]:
        absent = self._absent(lanes)
        if absent:
            mask = int(self.waiting[lanes[0]][2][0]) & 0xFFFFFFFF
            threads = self.batch.thread[np.array(absent)]
            self.diagnosis.add("warp-sync", site, threads, detail=("mask", mask, absent[0] % WARP))
        self.batch.clock += 1
        start = lanes[0] // WARP * WARP
        self.batch.warp_stamp[start : start + WARP] = self.batch.clock
        values = {lane % WARP: self.waiting[lane][2][1] for lane in lanes}
        for lane in lanes:
            del self.waiting[lane]
        return dict.fromkeys(lanes, values)

    def _release_block(self) -> dict[int, Any]:
        threads = self.batch.geometry.threads
        by_site: dict[int, list[int]] = {}
        for lane, (_, site, _) in self.waiting.items():
            by_site.setdefault(site, []).append(lane)
        self.replay.flush()
        self.batch.clock += 1
        self.batch.block_stamp[:] = self.batch.clock
        mask = np.zeros(self.batch.lanes, bool)
        mask[list(self.waiting)] = True
        for observer in self.observers:
            observer.barrier(self.batch, min(by_site), mask)
        released = {}
        for site, lanes in by_site.items():
            if len(lanes) < threads:
                missing = min(set(range(threads)) - set(lanes))
                detail = (len(lanes), threads, missing in self.ended)
                self.diagnosis.add("barrier-divergence", site, self.batch.thread[[missing]], detail=detail)
            values = [self.waiting[lane][2] for lane in lanes]
            released.update(dict.fromkeys(lanes, values))
        self.waiting.clear()
        return released

    # What Runtime asks of an engine

    def observe(self, site: int, memory: Memory, op: str, address: Any, lanes: np.ndarray | None) -> None:
        if self.observers:
            self.replay.note(site, memory, op, int(address), self.lane)

    def threads(self, lanes: np.ndarray | None) -> np.ndarray:
        return self.batch.thread[[self.lane]]

    def spread(self, values: Any, lanes: np.ndarray | None, fill: Any) -> Any:
        return values

    def allocate(self, site: int, shape: tuple[int, ...], dtype: np.dtype, space: str) -> Memory:
        return self.new_array(site, shape, dtype, space, 1)

    # What the scalar form of a program calls

    def step(self, lines: tuple[int, ...]) -> None:
        """Count the statements on `lines`."""
        self.budget.spend(len(lines), 0)
        self.statements[self.lane] += len(lines)

    def truth(self, test: Any) -> bool:
        """Return a test as a Python bool."""
        return bool(truth(test))

    def negate(self, value: Any) -> Any:
        """Evaluate ``not value``."""
        return np.bool_(not truth(value))

    def turn(self, site: int) -> bool:
        """Begin a turn of a while; now and then let other threads run."""
        self.budget.spend(1, 0)
        self.turns += 1
        if self.turns % TURNS == 0 and self.program.sites[site].op == "spin":
            self.wait("spin", site)
        return True

    def counted(self, site: int, *bounds: Any) -> Any:
        """Yield the numbers of a range, as int64."""
        for number in range(*map(int, range_bounds(bounds))):
            self.budget.spend(1, 0)
            yield np.int64(number)

    def each(self, site: int, items: Any, load: int) -> Any:
        """Yield the parts of a tuple or the elements of an array."""
        return each(self, items, load)
