"""Whole arrays in a kernel: NumPy's functions with an array for the result, and the methods arrays have there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from utils.simt import bits
from utils.simt.arithmetic import describe
from utils.simt.iteration import Counted, Numbered, Together, counted
from utils.simt.memory import Memory, row_major
from utils.simt.records import Records


class Arrays(Records):
    """What a program does with arrays as wholes; each thread that calls does all of it, element by element."""

    def ufunc(self, operation: Callable[..., Any], inputs: int, site: int, *arguments: Any) -> Any:
        """Call one of NumPy's functions on numbers, or on arrays with an array for the result as the last argument."""
        if not any(isinstance(argument, Memory) for argument in arguments):
            return operation(*arguments)
        *given, out = arguments
        if len(given) != inputs or not isinstance(out, Memory):
            raise TypeError("a function of NumPy on arrays needs an array for its result: a kernel cannot make one")
        shapes = [argument.shape if isinstance(argument, Memory) else () for argument in given]
        try:
            fits = np.broadcast_shapes(*shapes, out.shape) == out.shape
        except ValueError:
            fits = False
        if not fits:
            raise TypeError(f"arrays of shapes {', '.join(map(str, shapes))} do not go into one of {out.shape}")
        for place in np.ndindex(*out.shape):
            values = [self._at(argument, place, site) for argument in given]
            self.store(out, tuple(map(np.int64, place)), operation(*values), site)
        return out

    def _at(self, argument: Any, place: tuple[int, ...], site: int) -> Any:
        if not isinstance(argument, Memory):
            return argument
        own = place[len(place) - len(argument.shape) :]
        index = tuple(np.int64(0 if extent == 1 else i) for i, extent in zip(own, argument.shape, strict=True))
        return self.load(argument, index, site)

    def enumerated(self, items: Any, start: Any = None) -> Numbered:
        """Return ``enumerate(items, start)``."""
        return Numbered(items, np.int64(0) if start is None else start)

    def zipped(self, *parts: Any) -> Together:
        """Return ``zip(*parts)``."""
        return Together(parts)

    def counting(self, *bounds: Any) -> Counted:
        """Return a range inside an enumerate or zip."""
        return counted(self, bounds)

    # Methods of values: the names a kernel may call are listed in `methods`

    def method_conjugate(self, site: int, value: Any) -> Any:
        """Return ``value.conjugate()``."""
        if not isinstance(value, np.ndarray | np.generic):
            raise TypeError(f"{describe(value)} has no conjugate()")
        return np.conjugate(value)

    def method_bit_count(self, site: int, value: Any) -> Any:
        """Return ``value.bit_count()``: how many bits are set."""
        return bits.OPERATIONS["popc"].compute(value)

    def method_reshape(self, site: int, value: Any, *shape: Any) -> Any:
        """Return ``array.reshape(...)``: the same elements in row-major order under another shape."""
        extents = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
        if not isinstance(value, Memory) or not without_gaps(value):
            raise TypeError("reshape() takes an array without gaps, in row-major order")
        if any(not isinstance(extent, np.integer) for extent in extents):
            self.refuse("a shape that differs between threads")
        wanted = tuple(map(int, extents))
        size = int(np.prod(value.shape, dtype=np.int64))
        given = int(np.prod([extent for extent in wanted if extent >= 0], dtype=np.int64))
        if wanted.count(-1) == 1 and given and size % given == 0:
            wanted = tuple(size // given if extent == -1 else extent for extent in wanted)
        if any(extent < 0 for extent in wanted) or int(np.prod(wanted, dtype=np.int64)) != size:
            raise TypeError(f"an array of shape {value.shape} cannot be reshaped to {wanted}")
        return replace(value, shape=wanted, strides=row_major(wanted), storage=value.root, fields={})

    def method_copy(self, site: int, value: Any) -> Any:
        """Return ``array.copy()``: an array of the thread's own."""
        if not isinstance(value, Memory):
            raise TypeError(f"{describe(value)} has no copy()")
        made = self.local_array(value.shape, value.element, site)
        self.fill(made, value, site)
        return made

    def method_view(self, site: int, value: Any, dtype: Any) -> Any:
        """Return ``array.view(dtype)``: the same bytes as elements of another type."""
        if not isinstance(value, Memory):
            raise TypeError(f"{describe(value)} has no view()")
        if not without_gaps(value) or len(value.shape) != 1 or value.root.pitch:
            raise TypeError("view() takes a one-dimensional array without gaps")
        return retyped(value, np.dtype(dtype))


def without_gaps(memory: Memory) -> bool:
    """Whether the elements lie in row-major order without gaps; a dimension of extent 1 may have any stride."""
    if 0 in memory.shape:
        return True
    pairs = zip(memory.shape, memory.strides, row_major(memory.shape), strict=True)
    return all(extent == 1 or stride == wanted for extent, stride, wanted in pairs)


def retyped(memory: Memory, dtype: np.dtype) -> Memory:
    """Return a one-dimensional array without gaps as elements of another type."""
    before, after = memory.element.itemsize, dtype.itemsize
    size, start = memory.shape[0] * before, np.asarray(memory.offset) * before
    if size % after:
        raise TypeError(f"{size} bytes are no whole number of {dtype} elements")
    if (start % after).any():
        raise TypeError(f"the view starts at a byte that is no multiple of {after}: a GPU cannot load {dtype} there")
    root = memory.root
    key = f"as {dtype}"
    if key not in root.fields:
        octets = root.flat.view(np.uint8)
        whole = octets[: octets.size // after * after].view(dtype)
        root.fields[key] = Memory(
            root.name, root.space, whole, (whole.size,), (1,), size_of_one=root.size_of_one * before // after,
            base=root.base, readonly=root.readonly,
        )  # fmt: skip
    made = root.fields[key]
    return Memory(
        memory.name, memory.space, made.flat, (size // after,), (1,), (start // after)[()], readonly=memory.readonly,
        storage=made, absent=memory.absent,
    )  # fmt: skip
