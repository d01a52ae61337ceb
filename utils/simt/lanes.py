"""The lane engine: control flow as masks over all lanes of a batch.

A value is a vector with one element for each lane, or one NumPy scalar that all lanes share. `mask` says which lanes
are active (None: all). An ``if`` runs both arms, each under its part of the mask; a loop runs until no lane is left in
it; ``break``, ``continue`` and ``return`` take lanes out of the mask until the loop, its next turn, or the function
ends. That is how a GPU without independent thread scheduling runs a warp, and here the whole batch is one warp.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from utils.simt.arithmetic import unify
from utils.simt.arrays import Arrays
from utils.simt.batch import WARP, Batch, Observer
from utils.simt.control import Loop, Mask, Split, range_bounds, truth, union
from utils.simt.enumerations import Member
from utils.simt.iteration import each
from utils.simt.memory import Memory
from utils.simt.source import Unsupported
from utils.simt.structures import alike, rebuilt

SPINS = 2000  # turns without any lane leaving, after which a loop that waits on an atomic counts as stuck


class LaneControl(Arrays):
    """Masks and control flow."""

    def __init__(self, *arguments: Any, observers: list[Observer]) -> None:
        super().__init__(*arguments)
        self.observers = observers
        batch: Batch = self.batch
        self.threadIdx, self.blockIdx = batch.thread_index, batch.block_index
        self.laneid = (np.arange(batch.lanes) & 31).astype(np.int32)
        self.every = np.arange(batch.lanes)
        self.gone: Mask = None
        self.returned: Mask = None
        self.result: Any = self.undefined
        self.none = np.zeros(batch.lanes, bool)
        padded = batch.geometry.threads != batch.geometry.lanes
        self.set_mask(batch.real if padded else None)
        self.alive = self.active

    # The mask

    def set_mask(self, mask: Mask) -> None:
        """Make `mask` the active lanes."""
        self.active = self.batch.lanes if mask is None else int(np.count_nonzero(mask))
        self.mask = None if self.active == self.batch.lanes else mask
        self._chosen: np.ndarray | None = None
        self._warps = -1

    @property
    def warps(self) -> int:
        """How many warps have an active lane."""
        if self._warps < 0:
            here = self.full_mask().reshape(-1, WARP)
            self._warps = int(here.any(1).sum())
        return self._warps

    @property
    def chosen(self) -> np.ndarray | None:  # type: ignore[override]
        """The active lanes by number, ascending; None for all."""
        if self.mask is None:
            return None
        if self._chosen is None:
            self._chosen = np.flatnonzero(self.mask)
        return self._chosen

    def full_mask(self) -> np.ndarray:
        """Return the mask as a vector, also where every lane is active."""
        return np.ones(self.batch.lanes, bool) if self.mask is None else self.mask

    def take_out(self) -> None:
        """Remove the active lanes from what follows, up to the construct that brings them back."""
        here = self.full_mask()
        self.gone = here if self.gone is None else self.gone | here
        self.set_mask(self.none)

    def bring_back(self, mask: Mask) -> None:
        """Go back to `mask`, less the lanes that are gone."""
        self.set_mask(mask if self.gone is None else (~self.gone if mask is None else mask & ~self.gone))

    def running(self) -> bool:
        """Whether any lane is left to run the rest of a block."""
        return self.active > 0

    # Statements

    def step(self, lines: tuple[int, ...]) -> None:
        """Count the statements on `lines`, which all active lanes run."""
        self.budget.spend(len(lines), self.batch.lanes)
        for observer in self.observers:
            observer.step(self.batch, lines, self.mask, self.active, self.warps)

    def assign(self, old: Any, new: Any) -> Any:
        """Return a variable's value after ``old = new`` in the active lanes."""
        if self.active == self.alive or old is self.undefined or new is old:
            return new
        if not self.active:
            return old
        try:
            return self.select(self.full_mask(), new, old)
        except TypeError:  # the type pass has seen that nobody reads what the other lanes had
            return new

    def select(self, mask: np.ndarray, yes: Any, no: Any) -> Any:
        """Return `yes` where `mask` holds and `no` elsewhere, in the type that unifies them."""
        if isinstance(yes, tuple) and isinstance(no, tuple) and alike(yes, no):
            return rebuilt(yes, (self.select(mask, a, b) for a, b in zip(yes, no, strict=True)))
        if yes is no or no is self.undefined or (yes is None and no is None):
            return yes
        if isinstance(yes, Memory) and isinstance(no, Memory):
            raise Unsupported("threads choose between arrays")
        if isinstance(yes, Member) and isinstance(no, Member) and yes.kind is no.kind:
            return Member(yes.kind, self.select(mask, yes.number, no.number))
        dtype = unify(yes, no)
        return np.where(mask, yes.astype(dtype), no.astype(dtype))

    # Branches

    def split(self, test: Any, site: int) -> Split:
        """Begin an if."""
        if not isinstance(test, np.ndarray):
            held = bool(truth(test))
            self.note_branch(site, held)
            return Split(self.mask, True, held, not held)
        taken = test if test.dtype == bool else test.astype(bool)
        if self.mask is None:
            split = Split(None, False, taken, ~taken)
        else:
            split = Split(self.mask, False, taken & self.mask, self.mask & ~taken)
        self.note_branch(site, split.yes)
        return split

    def then(self, split: Split) -> bool:
        """Enter the first arm; False if no lane does."""
        if split.uniform:
            return bool(split.yes)
        self.set_mask(split.yes)
        return self.active > 0

    def otherwise(self, split: Split) -> bool:
        """Enter the else arm; False if no lane does."""
        if split.uniform:
            return bool(split.no)
        self.set_mask(split.no)
        return self.active > 0

    def join(self, split: Split) -> None:
        """End an if."""
        if not split.uniform or self.gone is not None:
            self.bring_back(split.entry)

    def merge_arms(self, split: Split, first: tuple[Any, ...], second: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return variables after an if: as the first arm left them where it ran, as the second did elsewhere."""
        if split.uniform:
            return first if split.yes else second
        return tuple(self.merged(split.yes, a, b) for a, b in zip(first, second, strict=True))

    def merged(self, mask: np.ndarray, yes: Any, no: Any) -> Any:
        """Return a variable that has a value on both paths, or on one."""
        return no if yes is self.undefined else self.select(mask, yes, no)

    def note_branch(self, site: int, taken: Any) -> None:
        """Tell the observers at how many warps' branches lanes parted; `taken` is a mask, or the same for all."""
        if self.observers and self.active:
            parted = 0
            if isinstance(taken, np.ndarray):
                took = taken.reshape(-1, WARP).sum(1)
                came = self.full_mask().reshape(-1, WARP).sum(1)
                parted = int(np.count_nonzero((took > 0) & (took < came)))
            for observer in self.observers:
                observer.branch(self.batch, site, self.warps, parted)

    # Loops

    def begin_loop(self, site: int) -> Loop:
        """Begin a while."""
        loop = Loop(site, entry=self.mask, live=self.mask, outer_gone=self.gone)
        self.gone = None
        return loop

    def again(self, loop: Loop) -> bool:
        """Begin a turn of a while: lanes that continued come back. False if no lane is left."""
        if self.gone is not None:
            self.gone = union(loop.broke, self.returned)
            self.bring_back(loop.live)
        self.budget.spend(1, self.batch.lanes)
        return self.active > 0

    def narrow(self, loop: Loop, test: Any) -> bool:
        """Keep the lanes for which the test holds; False if none is left."""
        if not isinstance(test, np.ndarray):
            held = bool(truth(test))
            self.note_branch(loop.site, held)
            self.watch_for_spinning(loop, self.active if held else 0)
            return held
        taken = test if test.dtype == bool else test.astype(bool)
        stay = taken if self.mask is None else taken & self.mask
        self.note_branch(loop.site, stay)
        before = self.active
        self.set_mask(stay)
        loop.live = self.mask
        self.watch_for_spinning(loop, before)
        return self.active > 0

    def watch_for_spinning(self, loop: Loop, before: int) -> None:
        """Give up on a loop in which lanes wait for a lane that lockstep holds back."""
        loop.stuck = loop.stuck + 1 if self.active == before else 0
        if loop.stuck > SPINS and self.program.sites[loop.site].op == "spin":
            raise Unsupported("threads wait in a loop for another thread")

    def begin_range(self, site: int, *bounds: Any) -> Loop:
        """Begin a for over range(stop), range(start, stop) or range(start, stop, step)."""
        loop = self.begin_loop(site)
        start, stop, step = range_bounds(bounds)
        if not any(isinstance(bound, np.ndarray) for bound in (start, stop, step)):
            loop.items = iter(range(int(start), int(stop), int(step)))
            return loop
        loop.now, loop.stop, loop.step = start - step, stop, step
        return loop

    def begin_each(self, site: int, items: Any, load: int) -> Loop:
        """Begin a for over a tuple or a one-dimensional array."""
        loop = self.begin_loop(site)
        loop.items = each(self, items, load)
        return loop

    def advance(self, loop: Loop) -> bool:
        """Begin a turn of a for; False when it is over for every lane."""
        if self.gone is not None:
            self.gone = union(loop.broke, self.returned)
            self.bring_back(loop.live)
        self.budget.spend(1, self.batch.lanes)
        if loop.items is not None:
            loop.now = next(loop.items, None) if self.active else None
            self.note_branch(loop.site, loop.now is not None)
            return loop.now is not None
        loop.now = loop.now + loop.step
        return self.narrow(loop, np.where(loop.step > 0, loop.now < loop.stop, loop.now > loop.stop))

    def item(self, loop: Loop) -> Any:
        """Return the loop variable of this turn."""
        return np.int64(loop.now) if isinstance(loop.now, int) else loop.now

    def end_loop(self, loop: Loop) -> None:
        """End a loop: the lanes that left it come back, unless they returned."""
        self.gone = union(loop.outer_gone, self.returned)
        self.bring_back(loop.entry)

    def break_(self, loop: Loop) -> None:
        """Take the active lanes out of the loop."""
        loop.broke = union(loop.broke, self.full_mask())
        self.take_out()

    def continue_(self, loop: Loop) -> None:
        """Take the active lanes out of this turn."""
        self.take_out()

    # Functions

    def enter(self) -> tuple[Any, ...]:
        """Begin a function, for the lanes that call it."""
        frame = (self.mask, self.gone, self.returned, self.result, self.alive)
        self.gone = self.returned = None
        self.result, self.alive = self.undefined, self.active
        return frame

    def return_(self, value: Any) -> None:
        """Return `value` from the function in the active lanes."""
        here = self.full_mask()
        self.result = value if self.result is self.undefined else self.select(here, value, self.result)
        self.returned = union(self.returned, here)
        self.alive -= self.active
        self.take_out()

    def leave(self, frame: tuple[Any, ...]) -> Any:
        """End a function; the lanes that called it go on with what it returned."""
        result = self.result
        mask, self.gone, self.returned, self.result, self.alive = frame
        self.set_mask(mask)
        return None if result is self.undefined else result
