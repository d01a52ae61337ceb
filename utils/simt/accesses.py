"""Loads and stores: from an index to elements, with every check on the way."""

from __future__ import annotations

from typing import Any

import numpy as np

from utils.simt.arithmetic import cast, describe
from utils.simt.budget import ACCESS
from utils.simt.enumerations import plain
from utils.simt.memory import Memory, poison, zero
from utils.simt.report import Kind
from utils.simt.runtime import Runtime

TEXT, TIMES = "SU", "mM"
FAULTS: tuple[Kind, Kind] = ("out-of-bounds", "negative-index")


def is_empty(index: Any) -> bool:
    """Whether an index names the whole of a record or element."""
    return isinstance(index, tuple) and not index


class Accesses(Runtime):
    """What a program does with arrays.

    An engine says through `chosen` which lanes take part in what happens now, and gets told of every access through
    `observe`.
    """

    active = 1
    chosen: np.ndarray | None = None

    # What an engine provides

    def observe(self, site: int, memory: Memory, op: str, address: Any, lanes: np.ndarray | None) -> None:
        """Tell the observers of an access."""
        raise NotImplementedError

    def threads(self, lanes: np.ndarray | None) -> np.ndarray:
        """Return the launch-wide numbers of the threads in `lanes` (None: all that take part)."""
        raise NotImplementedError

    def spread(self, values: Any, lanes: np.ndarray | None, fill: Any) -> Any:
        """Return `values` of `lanes` as a lane vector, with `fill` elsewhere."""
        raise NotImplementedError

    # Loads and stores

    def load(self, base: Any, index: Any, site: int) -> Any:
        """Return ``base[index]``: an element, a view, or a part of a tuple."""
        if isinstance(base, tuple):
            return self.part(base, index)
        if isinstance(base, Memory) and not base.shape and base.element.kind == "V" and not is_empty(index):
            return self.part_of_record(base, index, site)
        memory, index = self.element(base, index)
        if memory is None or memory.element.kind == "V":
            return self.look(base, index, site)
        if not self.active:
            return zero(memory.element)
        address, lanes, outside = self.address(memory, index, site, "load")
        if outside is True:
            return poison(memory.element)
        if self.check:
            self.must_be_written(memory, address, lanes, site)
        self.observe(site, memory, "load", address, lanes)
        fill = zero(memory.element) if outside is None else poison(memory.element)
        return self.spread(memory.flat[address], lanes, fill)

    def store(self, base: Any, index: Any, value: Any, site: int) -> None:
        """Do ``base[index] = value``; what leaves the array is dropped."""
        memory, index = self.element(base, index)
        if memory is None:
            self.fill(self.look(base, index, site), value, site)
            return
        if memory.element.kind == "V":
            self.copy_record(self.look(base, index, site), value, site)
            return
        value = plain(value)
        number = isinstance(value, np.ndarray | np.generic)
        if not number or (value.dtype.kind in TEXT) != (memory.element.kind in TEXT):
            raise TypeError(f"cannot store {describe(value)} in {memory.name}, {memory.description}")
        self.must_be_writable(memory)
        if memory.element.kind not in TEXT + TIMES:
            cast(memory.element)(value.dtype.type(0))  # whether the conversion exists at all
        if not self.active:
            return
        address, lanes, outside = self.address(memory, index, site, "store")
        if outside is True:
            return
        if memory.readonly:
            self.diagnosis.add("read-only-write", site, self.threads(lanes), memory, address)
            return
        self.observe(site, memory, "store", address, lanes)
        if isinstance(value, np.ndarray) and lanes is not None:
            value = value[lanes]
        if isinstance(value, np.ndarray) and not isinstance(address, np.ndarray):
            value = value[-1]  # all threads store to one element: the last one's value stays
        memory.flat[address] = value.astype(memory.element)
        if memory.root.initialised is not None:
            memory.root.initialised[address] = True

    def look(self, base: Memory, index: tuple[Any, ...], site: int) -> Memory:
        """Return a view, or a record, and report the lanes for which it lies outside."""
        view, negative, outside = base.view(index)
        if negative is not None or outside is not None:
            threads = self.threads(None)
            flags = [self.of_threads(f, threads) for f in (outside, negative)]
            if not self.active:
                return view
            self.report_faults(site, base, index, threads, flags[0], flags[1] & ~flags[0], "load", self.chosen)
        return view

    def of_threads(self, flags: Any, threads: np.ndarray) -> np.ndarray:
        """Return flags of all lanes, or of none (None), for the threads that take part."""
        flags = np.asarray(False if flags is None else flags)
        if flags.ndim and self.chosen is not None:
            flags = flags[self.chosen]
        return np.broadcast_to(flags, threads.shape)

    def fill(self, view: Memory, value: Any, site: int) -> None:
        """Do ``array[...] = value`` for a whole view: a number, or an array of the same shape."""
        self.written_to(view)
        if isinstance(value, Memory) and value.shape != view.shape:
            raise TypeError(f"cannot store an array of shape {value.shape} in one of shape {view.shape}")
        for place in np.ndindex(*view.shape):
            index = tuple(np.int64(i) for i in place)
            self.store(view, index, self.load(value, index, site) if isinstance(value, Memory) else value, site)

    def written_to(self, memory: Memory) -> None:
        """Take note that an array is written to; the type pass does."""

    def part_of_record(self, value: Memory, index: Any, site: int) -> Any:
        """Return a field of a record by its place; `records` does."""
        raise NotImplementedError

    def copy_record(self, target: Memory, source: Any, site: int) -> None:
        """Store a record; `records` does."""
        raise NotImplementedError

    def element(self, base: Any, index: Any) -> tuple[Memory | None, Any]:
        """Check what is indexed with what; the memory is None where the result is a view."""
        if not isinstance(base, Memory):
            raise TypeError(f"{describe(base)} cannot be indexed")
        self.budget.spend(ACCESS, self.batch.lanes)
        if not isinstance(index, tuple):
            index = (index,)
        if not all(isinstance(i, np.ndarray | np.generic | slice) for i in index):
            raise TypeError(f"{base.name} is indexed with {', '.join(map(describe, index))}, not with integers")
        whole = len(index) == len(base.shape) and not any(isinstance(i, slice) for i in index)
        return (base if whole else None), index

    def part(self, values: tuple[Any, ...], index: Any) -> Any:
        """Return one part of a tuple."""
        if not getattr(values, "indexed", True):
            raise TypeError(f"{describe(values)} cannot be indexed: read its .x, .y, .z and .w")
        if not isinstance(index, np.ndarray | np.integer) or index.dtype.kind not in "iu":
            raise TypeError(f"a tuple is indexed with {describe(index)}, not with an integer")
        if isinstance(index, np.ndarray):
            self.must_be_alike(values)
            self.refuse("a tuple indexed by something that differs between threads")
        if not -len(values) <= int(index) < len(values):
            raise TypeError(f"a tuple of {len(values)} has no part {int(index)}")
        return values[int(index)]

    def address(self, memory: Memory, index: tuple[Any, ...], site: int, op: str) -> tuple[Any, Any, Any]:
        """Locate an access, and report indices that are negative or outside.

        Returns
        -------
        address : int or (n,) int64 ndarray
        lanes : (n,) int64 ndarray or None
            The lanes whose address is good; None for all that take part.
        outside : True, (m,) bool ndarray or None
            True if no lane has a good address; which lanes have none; None if all are good.
        """
        lanes = self.chosen
        address, negative, outside = memory.locate(index, lanes)
        if negative is None and memory.absent is None:
            return address, lanes, None
        threads = self.threads(lanes)
        absent = self.of_threads(memory.absent, threads)
        negative, outside = (
            np.broadcast_to(False if flags is None else flags, threads.shape) & ~absent for flags in (negative, outside)
        )
        self.report_faults(site, memory, index, threads, outside, negative & ~outside, op, lanes)
        outside = outside | absent
        if not outside.any():
            return address, lanes, None
        if outside.all():
            return address, lanes, True
        good = ~outside
        every = np.arange(self.batch.lanes) if lanes is None else lanes
        return np.broadcast_to(address, threads.shape)[good], every[good], outside

    def report_faults(
        self,
        site: int,
        memory: Memory,
        index: tuple[Any, ...],
        threads: np.ndarray,
        outside: np.ndarray,
        negative: np.ndarray,
        op: str,
        lanes: np.ndarray | None,
    ) -> None:
        """Report indices outside and below 0; the flags are those of `threads`."""
        integers = [i for i in index if not isinstance(i, slice)]
        tried = [np.broadcast_to(i if lanes is None or i.ndim == 0 else i[lanes], threads.shape) for i in integers]
        for kind, flags in zip(FAULTS, (outside, negative), strict=True):
            if flags.any():
                first = int(np.flatnonzero(flags)[0])
                at = tuple(int(i[first]) for i in tried)
                self.diagnosis.add(kind, site, threads[flags], memory, None, at, op)

    def must_be_writable(self, memory: Memory) -> None:
        """Refuse a store to an array that is frozen into the kernel."""
        if memory.space == "constant":
            raise TypeError(f"{memory.name} is a constant of the kernel: pass it as an argument to write to it")

    def must_be_written(self, memory: Memory, address: Any, lanes: np.ndarray | None, site: int) -> None:
        """Report elements that are read before anybody wrote them."""
        written = memory.root.initialised
        known = True if written is None else written[address]
        if np.all(known):
            return
        threads = self.threads(lanes)
        missing = ~np.broadcast_to(known, threads.shape)
        first = np.broadcast_to(address, threads.shape)[missing][0]
        self.diagnosis.add("uninitialised-read", site, threads[missing], memory, first)

    @staticmethod
    def must_be_alike(values: tuple[Any, ...]) -> None:
        """Refuse a tuple of several types where the place in it is not known when the kernel is compiled."""
        if len({getattr(value, "dtype", type(value)) for value in values}) > 1:
            kinds = ", ".join(map(describe, values))
            raise TypeError(f"a tuple of several types ({kinds}) can only be indexed by a number in the source")
