"""Observer: everything a launch did, for pictures. Meant for small launches: it forgets nothing."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from utils.simt.batch import WARP, Access, Batch, Observer
from utils.simt.program import SiteInfo
from utils.simt.report import Dim3, Report


@dataclass(frozen=True)
class Request:
    """One memory instruction of one warp.

    Attributes
    ----------
    line, source, array, space, op
        As in `Site`.
    block : (x, y, z)
    warp : int
        Within the block.
    lanes : (k,) int64 ndarray
        The active lanes, 0 to 31.
    addresses : (k,) int64 ndarray
        Bytes from the start of the array (of the block's copy, for shared memory).
    itemsize : int
        Bytes of an element.
    step : int
        Instructions are numbered in the order in which they ran.
    """

    line: int
    source: str
    array: str
    space: str
    op: str
    block: Dim3
    warp: int
    lanes: np.ndarray
    addresses: np.ndarray
    itemsize: int
    step: int


@dataclass(frozen=True)
class WarpStep:
    """One statement executed by one warp; `mask` is a (32,) bool ndarray of its active lanes."""

    line: int
    block: Dim3
    warp: int
    mask: np.ndarray


@dataclass(frozen=True)
class Trace:
    """All that a launch did.

    Attributes
    ----------
    report : Report
    requests : list of Request
    lanes : list of WarpStep
        Statement by statement, in the order in which they ran.
    """

    report: Report
    requests: list[Request] = field(repr=False)
    lanes: list[WarpStep] = field(repr=False)


class Recorder(Observer):
    """Keeps each request and each statement."""

    def __init__(self) -> None:
        self.sites: list[SiteInfo] = []
        self.restart()

    def restart(self) -> None:
        self.requests: list[Request] = []
        self.lanes: list[WarpStep] = []
        self.steps = 0

    def access(self, batch: Batch, access: Access) -> None:
        memory, size = access.memory, access.memory.element.itemsize
        address = access.address
        if memory.space == "shared" and batch.blocks > 1:
            address = address - batch.local_block[access.lanes] * memory.root.size_of_one
        info = self.sites[access.site]
        warp = batch.warp[access.lanes]
        for number in np.unique(warp):
            here = warp == number
            first = int(access.lanes[here][0])
            request = Request(
                line=info.line,
                source=info.source,
                array=memory.name,
                space=memory.space,
                op=access.op,
                block=batch.geometry.where(batch.thread[first])[0],
                warp=int(number) % (batch.geometry.lanes // WARP),
                lanes=access.lanes[here] & 31,
                addresses=memory.root.bytes_of(address[here]),
                itemsize=size,
                step=self.steps,
            )
            self.requests.append(request)
        self.steps += 1

    def step(self, batch: Batch, lines: tuple[int, ...], mask: np.ndarray | None, active: int, warps: int) -> None:
        masks = (batch.real if mask is None else mask).reshape(-1, WARP)
        per_block = batch.geometry.lanes // WARP
        for line in lines:
            for number in np.flatnonzero(masks.any(1)):
                block = batch.geometry.where(batch.thread[number * WARP])[0]
                self.lanes.append(WarpStep(line, block, int(number) % per_block, masks[number].copy()))
