"""Arrays as a kernel sees them: global, shared, local and constant.

A `Memory` is flat storage with a shape laid over it. It turns an index into an address and says which lanes left the
array; what happens then is the runtime's business.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from utils.simt.arithmetic import describe

HUGE = np.uint64(1 << 62)


@dataclass(eq=False)
class Memory:
    """One array.

    Attributes
    ----------
    name : str
        Its name in the kernel.
    space : {"global", "shared", "local", "constant"}
    flat : (elements,) ndarray
        The storage; of shared and local arrays that of all blocks or lanes of a batch, one after another.
    shape : tuple of int
    strides : tuple of int
        In elements.
    offset : int or (lanes,) int64 ndarray
        Where the array starts in `flat`, for all lanes or for each.
    size_of_one : int
        Elements of one block's or lane's copy; of a global array, all.
    base : int
        Byte address of ``flat[0]``, of which only the alignment to 256 bytes counts.
    readonly : bool
    initialised : (elements,) bool ndarray or None
        Which elements have been written, where that is watched.
    absent : bool, (lanes,) bool ndarray or None
        The lanes for which a view lies outside the array it is a view of.
    pitch, per_pitch : int
        Of a field of records: bytes from record to record, and elements in each. A pitch of 0 means no gaps.
    fields : dict
        The fields of an array of records that have been asked for.
    """

    name: str
    space: str
    flat: np.ndarray
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: Any = 0
    size_of_one: int = 0
    base: int = 0
    readonly: bool = False
    initialised: np.ndarray | None = None
    storage: Memory | None = field(default=None, repr=False)
    absent: Any = None
    pitch: int = 0
    per_pitch: int = 1
    fields: dict[str, Memory] = field(default_factory=dict, repr=False)

    @property
    def element(self) -> np.dtype:
        """Type of one element."""
        return self.flat.dtype

    @property
    def description(self) -> str:
        """What it is, for error messages."""
        return f"an array of {self.element}"

    @property
    def root(self) -> Memory:
        """The array that this one is a view of, or itself."""
        return self.storage or self

    def locate(self, index: tuple[Any, ...], lanes: np.ndarray | None) -> tuple[Any, Any, Any]:
        """Turn an index into addresses.

        Parameters
        ----------
        index : tuple
            One integer for each dimension: a NumPy scalar, or a (lanes,) ndarray.
        lanes : (n,) int64 ndarray or None
            The lanes that take part; None for all.

        Returns
        -------
        address : int or (n,) int64 ndarray
        negative : bool, (n,) bool ndarray or None
            Where an index was below 0 and wrapped around; None where none was.
        outside : bool, (n,) bool ndarray or None
            Where an index left the array; the address there is of no use.
        """
        address = _chosen(self.offset, lanes)
        negative = outside = None
        for i, extent, stride in zip(index, self.shape, self.strides, strict=True):
            if i.dtype.kind not in "iu":
                raise TypeError(f"{self.name} is indexed with {describe(i)}, not with an integer")
            if isinstance(i, np.ndarray):
                i = _chosen(i, lanes)
                if i.dtype == np.uint64:
                    i = np.minimum(i, HUGE)  # past every array, and still a positive int64
                if i.dtype != np.int64:
                    i = i.astype(np.int64)
                # Seen as unsigned, a negative number is a huge one: one comparison covers both ends.
                fits = not i.size or i.view(np.uint64).max() < extent
            else:
                i = int(i)
                fits = 0 <= i < extent
            if not fits:
                low = i < 0
                wrapped = i + low * extent
                out = (wrapped < 0) | (wrapped >= extent)
                negative = low if negative is None else negative | low
                outside = out if outside is None else outside | out
                i = wrapped
            address = address + i * stride if stride != 1 else address + i
        return address, negative, outside

    def bytes_of(self, address: np.ndarray) -> np.ndarray:
        """Return where elements of this root's storage start, in bytes from ``flat[0]``."""
        if not self.pitch:
            return address * self.element.itemsize
        record, inside = np.divmod(address, self.per_pitch)
        return record * self.pitch + inside * self.element.itemsize

    def view(self, index: tuple[Any, ...]) -> tuple[Memory, Any, Any]:
        """Return ``array[index]`` where the index leaves whole dimensions: a view, with an offset for each lane.

        Returns
        -------
        view : Memory
        negative, outside : bool, (lanes,) bool ndarray or None
            Where an index was below 0, and where it left the array.
        """
        if len(index) > len(self.shape):
            raise TypeError(f"{self.name} has {len(self.shape)} dimensions, and {len(index)} indices were given")
        offset, shape, strides = self.offset, [], []
        negative = outside = None
        padded = [*index, *[slice(None)] * (len(self.shape) - len(index))]
        for i, extent, stride in zip(padded, self.shape, self.strides, strict=True):
            if isinstance(i, slice):
                start, stop, step = i.indices(extent)
                offset = offset + start * stride
                shape.append(len(range(start, stop, step)))
                strides.append(step * stride)
                continue
            if i.dtype.kind not in "iu":
                raise TypeError(f"{self.name} is indexed with {describe(i)}, not with an integer")
            i = i.astype(np.int64)
            if i.size and ((i < 0) | (i >= extent)).any():
                low = i < 0
                i = i + low * extent
                out = (i < 0) | (i >= extent)
                negative = low if negative is None else negative | low
                outside = out if outside is None else outside | out
                i = np.where(out, 0, i)
            offset = offset + i * stride
        absent = self.absent if outside is None else outside | (False if self.absent is None else self.absent)
        made = replace(
            self, shape=tuple(shape), strides=tuple(strides), offset=offset, storage=self.root, absent=absent, fields={}
        )
        return made, negative, outside

    def index_of(self, address: int) -> tuple[int, ...]:
        """Return the index of an address of this array's storage, within one block's or lane's copy."""
        root = self.root
        rest = int(address) % root.size_of_one if root.size_of_one else int(address)
        found = {}
        for axis in sorted(range(len(root.shape)), key=lambda a: -abs(root.strides[a])):
            stride = root.strides[axis]
            found[axis], rest = divmod(rest, stride) if stride else (0, rest)
        return tuple(found[axis] for axis in range(len(root.shape)))


def row_major(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the strides, in elements, of a C-ordered array."""
    strides = [1]
    for extent in reversed(shape[1:]):
        strides.append(strides[-1] * extent)
    return tuple(reversed(strides[: len(shape)]))


def zero(dtype: np.dtype) -> Any:
    """Return the zero of a type, whatever its kind."""
    return np.zeros((), dtype)[()]


def poison(dtype: np.dtype) -> Any:
    """Return what stands where nothing was written or nothing may be read: NaN, or the type's largest value."""
    if dtype.kind in "fc":
        return dtype.type(np.nan)
    if dtype.kind in "iu":
        return dtype.type(np.iinfo(dtype).max)
    return dtype.type(True) if dtype.kind == "b" else np.zeros((), dtype)[()]


def _chosen(value: Any, lanes: np.ndarray | None) -> Any:
    return value[lanes] if lanes is not None and isinstance(value, np.ndarray) else value
