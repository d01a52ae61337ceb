"""What a lowered program calls ``R``: memory, and the parts that both engines share.

An engine adds control flow (`lanes`, `scalar`) and the intrinsics of `numba.cuda`. It says through `chosen` which
lanes take part in what happens now, and gets told of every access through `observe`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from utils.simt.arithmetic import cast, describe
from utils.simt.batch import Batch, Coordinates
from utils.simt.budget import ACCESS, Budget
from utils.simt.diagnosis import Diagnosis
from utils.simt.limits import LOCAL_BYTES_PER_THREAD, SHARED_BYTES_PER_BLOCK, too_much_shared
from utils.simt.memory import Memory, poison, row_major
from utils.simt.program import Program
from utils.simt.source import NotOnGpu

ATTRIBUTES_OF_ARRAYS = {
    "shape": lambda m: tuple(np.int64(n) for n in m.shape),
    "strides": lambda m: tuple(np.int64(n * m.element.itemsize) for n in m.strides),
    "size": lambda m: np.int64(np.prod(m.shape, dtype=np.int64)),
    "ndim": lambda m: np.int64(len(m.shape)),
    "itemsize": lambda m: np.int64(m.element.itemsize),
    "nbytes": lambda m: np.int64(np.prod(m.shape, dtype=np.int64) * m.element.itemsize),
    "dtype": lambda m: m.element,
}


class Undefined:
    """What a variable holds before its first assignment."""

    description = "a variable that has no value yet"


class Runtime:
    """The state of one batch, and everything that does not depend on the engine.

    Parameters
    ----------
    program : Program
    batch : Batch
    diagnosis : Diagnosis
        Where findings go.
    check : bool
        Whether to watch for reads of shared and local memory that nobody wrote.
    dynamic : int
        Bytes of dynamic shared memory that the launch asked for.
    budget : Budget
    """

    undefined = Undefined()
    active = 1
    chosen: np.ndarray | None = None

    def __init__(
        self,
        program: Program,
        batch: Batch,
        diagnosis: Diagnosis,
        check: bool,
        dynamic: int,
        budget: Budget,
    ) -> None:
        self.program, self.batch, self.diagnosis, self.check = program, batch, diagnosis, check
        self.dynamic, self.budget = dynamic, budget
        self.types: dict[int, dict[int, np.dtype]] = {}
        self.arrays: dict[Any, Memory] = {}
        self.shared_bytes = 0
        geometry = batch.geometry
        self.blockDim = Coordinates(*map(np.int32, geometry.block))
        self.gridDim = Coordinates(*map(np.int32, geometry.grid))
        self.threadIdx: Coordinates
        self.blockIdx: Coordinates

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

    def allocate(self, site: int, shape: tuple[int, ...], dtype: np.dtype, space: str) -> Memory:
        """Make a shared or local array."""
        raise NotImplementedError

    # Values

    def attribute(self, value: Any, name: str) -> Any:
        """Return ``value.name`` for one of the listed attributes."""
        if isinstance(value, Memory) and name in ATTRIBUTES_OF_ARRAYS:
            return ATTRIBUTES_OF_ARRAYS[name](value)
        if isinstance(value, Coordinates) and name in ("x", "y", "z"):
            return getattr(value, name)
        if isinstance(value, np.ndarray | np.generic) and name in ("real", "imag"):
            return getattr(value, name)
        raise TypeError(f"{describe(value)} has no .{name} in a kernel")

    def length(self, value: Any) -> Any:
        """Return ``len(value)``."""
        if isinstance(value, Memory):
            return np.int64(value.shape[0])
        if isinstance(value, tuple):
            return np.int64(len(value))
        raise TypeError(f"{describe(value)} has no len() in a kernel")

    def unpack(self, value: Any, count: int) -> tuple[Any, ...]:
        """Return the parts of a tuple that is assigned to `count` variables."""
        if isinstance(value, tuple) and len(value) == count:
            return value
        raise TypeError(f"{describe(value)} cannot be assigned to {count} variables")

    def span(self, start: Any, stop: Any, step: Any) -> slice:
        """Return a slice; its ends must be the same in every thread."""
        ends = (start, stop, step)
        if any(isinstance(end, np.ndarray) for end in ends):
            self.refuse("a slice whose ends differ between threads")
        return slice(*(None if end is None else int(end) for end in ends))

    def refuse(self, reason: str) -> None:
        """Give up, because this engine cannot do it."""
        raise TypeError(reason)

    def join_types(self, site: int, *values: Any) -> tuple[Any, ...]:
        """Give variables the types they have where control flow joins at `site`."""
        types = self.types.get(site)
        if types is None:
            return values
        return tuple(
            value.astype(types[i]) if i in types and isinstance(value, np.ndarray | np.generic) else value
            for i, value in enumerate(values)
        )

    # Memory

    def load(self, base: Any, index: Any, site: int) -> Any:
        """Return ``base[index]``: an element, a view, or a part of a tuple."""
        if isinstance(base, tuple):
            return self.part(base, index)
        memory, index = self.element(base, index)
        if memory is None:
            return base.view(index)
        if not self.active:
            return memory.element.type(0)
        address, lanes, outside = self.address(memory, index, site, "load")
        if outside is True:
            return poison(memory.element)
        if self.check and memory.root.initialised is not None:
            self.must_be_written(memory, address, lanes, site)
        self.observe(site, memory, "load", address, lanes)
        fill = memory.element.type(0) if outside is None else poison(memory.element)
        return self.spread(memory.flat[address], lanes, fill)

    def store(self, base: Any, index: Any, value: Any, site: int) -> None:
        """Do ``base[index] = value``; what leaves the array is dropped."""
        memory, index = self.element(base, index)
        if memory is None:
            raise TypeError(f"{base.name} has {len(base.shape)} dimensions: give it as many indices")
        if not isinstance(value, np.ndarray | np.generic):
            raise TypeError(f"cannot store {describe(value)} in {memory.name}, {memory.description}")
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

    def element(self, base: Any, index: Any) -> tuple[Memory | None, Any]:
        """Check what is indexed with what; the memory is None where the result is a view."""
        if not isinstance(base, Memory):
            raise TypeError(f"{describe(base)} cannot be indexed")
        self.budget.spend(ACCESS, self.batch.lanes)
        if not isinstance(index, tuple):
            index = (index,)
        if not all(isinstance(i, np.ndarray | np.generic | slice) for i in index):
            raise TypeError(
                f"{base.name} is indexed with {', '.join(map(describe, index))}, not with integers"
            )
        whole = len(index) == len(base.shape) and not any(isinstance(i, slice) for i in index)
        return (base if whole else None), index

    def part(self, values: tuple[Any, ...], index: Any) -> Any:
        """Return one part of a tuple."""
        if isinstance(index, np.ndarray) or not isinstance(index, np.integer):
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
        if negative is None:
            return address, lanes, None
        threads = self.threads(lanes)
        negative, outside = (np.broadcast_to(flags, threads.shape) for flags in (negative, outside))
        tried = [
            np.broadcast_to(i if lanes is None or i.ndim == 0 else i[lanes], threads.shape) for i in index
        ]
        for kind, flags in (("out-of-bounds", outside), ("negative-index", negative & ~outside)):
            if flags.any():
                first = int(np.flatnonzero(flags)[0])
                at = tuple(int(i[first]) for i in tried)
                self.diagnosis.add(kind, site, threads[flags], memory, None, at, op)
        if not outside.any():
            return address, lanes, None
        if outside.all():
            return address, lanes, True
        good = ~outside
        every = np.arange(self.batch.lanes) if lanes is None else lanes
        return np.broadcast_to(address, threads.shape)[good], every[good], outside

    def must_be_written(self, memory: Memory, address: Any, lanes: np.ndarray | None, site: int) -> None:
        """Report elements that are read before anybody wrote them."""
        known = memory.root.initialised[address]
        if np.all(known):
            return
        threads = self.threads(lanes)
        missing = ~np.broadcast_to(known, threads.shape)
        first = np.broadcast_to(address, threads.shape)[missing][0]
        self.diagnosis.add("uninitialised-read", site, threads[missing], memory, first)

    def shared_array(self, shape: tuple[int, ...], dtype: np.dtype, site: int) -> Memory:
        """Return the block's shared array of this place in the source."""
        if shape == (0,):  # Numba's way to say "the dynamic shared memory of the launch"
            return self.dynamic_array(np.dtype(dtype), site)
        if site not in self.arrays:
            self.arrays[site] = self.allocate(site, shape, np.dtype(dtype), "shared")
        return self.arrays[site]

    def dynamic_array(self, dtype: np.dtype, site: int) -> Memory:
        """Return the block's dynamic shared memory, seen as elements of `dtype`."""
        key = ("dynamic", dtype)
        if key not in self.arrays:
            first = next((m for k, m in self.arrays.items() if isinstance(k, tuple)), None)
            made = self.allocate(site, (self.dynamic // dtype.itemsize,), dtype, "shared")
            if first is not None and made.flat.nbytes == first.flat.nbytes:
                made.flat = first.flat.view(dtype)  # two views of one piece of memory
                made.initialised = None
            self.arrays[key] = made
        return self.arrays[key]

    def local_array(self, shape: tuple[int, ...], dtype: np.dtype, site: int) -> Memory:
        """Return a thread's own array, its contents undefined."""
        return self.allocate(site, shape, np.dtype(dtype), "local")

    def constant_array(self, value: np.ndarray, name: str) -> Memory:
        """Return an array that is frozen into the kernel."""
        key = ("constant", id(value))
        if key not in self.arrays:
            flat = np.ascontiguousarray(value).reshape(-1)
            self.arrays[key] = Memory(
                name,
                "constant",
                flat,
                value.shape,
                row_major(value.shape),
                readonly=True,
                size_of_one=flat.size,
            )
        return self.arrays[key]

    def new_array(
        self, site: int, shape: tuple[int, ...], dtype: np.dtype, space: str, copies: int
    ) -> Memory:
        """Return `copies` poisoned arrays in one piece of storage."""
        size = int(np.prod(shape, dtype=np.int64))
        self.must_fit(site, size * dtype.itemsize, space)
        flat = np.full(size * copies, poison(dtype), dtype)
        written = np.zeros(size * copies, bool) if self.check else None
        name = self.array_name(site)
        return Memory(name, space, flat, shape, row_major(shape), size_of_one=size, initialised=written)

    def must_fit(self, site: int, size: int, space: str) -> None:
        """Refuse arrays that are larger than a block's shared memory or a thread's local memory."""
        line = self.program.sites[site].line
        if space == "shared":
            self.shared_bytes += size
            if self.shared_bytes > SHARED_BYTES_PER_BLOCK:
                raise NotOnGpu(line, too_much_shared(self.shared_bytes))
        elif size > LOCAL_BYTES_PER_THREAD:
            raise NotOnGpu(
                line, f"a thread asks for {size:,} bytes of local memory, and a GPU gives it 524,288"
            )

    def array_name(self, site: int) -> str:
        """Return the variable that an array was assigned to, from the statement that makes it."""
        target, sign, _ = self.program.sites[site].statement.partition("=")
        return target.split(":")[0].strip() if sign and target.strip().isidentifier() else "shared array"
