"""What a lowered program calls ``R``: values and arrays, as both engines have them.

`accesses` adds loads and stores, an engine adds control flow (`lanes`, `scalar`), and the intrinsics of `numba.cuda`
complete it (`lane_intrinsics`, `scalar_intrinsics`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from utils.simt.arithmetic import describe
from utils.simt.batch import Batch, Coordinates
from utils.simt.budget import Budget
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
        self.shared_bytes = self.local_bytes = 0
        geometry = batch.geometry
        self.blockDim = Coordinates(*map(np.int32, geometry.block))
        self.gridDim = Coordinates(*map(np.int32, geometry.grid))
        self.threadIdx: Coordinates
        self.blockIdx: Coordinates

    # What an engine provides

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

    def parts(self, value: Any) -> tuple[Any, ...]:
        """Return the parts of a tuple that a call spreads."""
        if isinstance(value, tuple):
            return value
        raise TypeError(f"{describe(value)} cannot be spread with *: only a tuple can")

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

    # Arrays

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
            first = next((m for k, m in self.arrays.items() if isinstance(k, tuple) and k[0] == "dynamic"), None)
            if first is not None:
                self.shared_bytes -= first.size_of_one * first.element.itemsize  # one piece of memory, counted once
            made = self.allocate(site, (self.dynamic // dtype.itemsize,), dtype, "shared")
            if first is not None and made.flat.nbytes == first.flat.nbytes:
                made.flat = first.flat.view(dtype)
                made.initialised = first.initialised = None  # what one view wrote, the other may read
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

    def new_array(self, site: int, shape: tuple[int, ...], dtype: np.dtype, space: str, copies: int) -> Memory:
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
            return
        self.local_bytes += size
        if size > LOCAL_BYTES_PER_THREAD:
            raise NotOnGpu(line, f"a thread asks for {size:,} bytes of local memory, and a GPU gives it 524,288")

    def array_name(self, site: int) -> str:
        """Return the variable that an array was assigned to, from the statement that makes it."""
        target, sign, _ = self.program.sites[site].statement.partition("=")
        return target.split(":")[0].strip() if sign and target.strip().isidentifier() else "shared array"
