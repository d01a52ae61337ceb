"""Structured arrays: records, their fields, and the parts of complex numbers.

A record in a kernel is a place, not a value: ``r = a[i]`` names it, ``r.x = 1`` stores to it. Each field of an array
of records is an array of its own over the same bytes, so bounds, races and traffic are those of the field.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from utils.simt.accesses import Accesses
from utils.simt.arithmetic import describe
from utils.simt.memory import Memory, row_major
from utils.simt.structures import Fields


class Cells:
    """The elements of a field that is an array itself, numbered through: what `Memory.flat` is for others.

    Parameters
    ----------
    part : ndarray
        With the records along its first axes.
    """

    def __init__(self, part: np.ndarray) -> None:
        self.part, self.dtype, self.size, self.nbytes = part, part.dtype, part.size, part.nbytes

    def _index(self, address: Any) -> tuple[Any, ...]:
        return np.unravel_index(address, self.part.shape)

    def __getitem__(self, address: Any) -> Any:
        return self.part[self._index(address)]

    def __setitem__(self, address: Any, value: Any) -> None:
        self.part[self._index(address)] = value


def field_of(memory: Memory, name: str) -> Memory:
    """Return one field of an array of records, or of one record, as an array over the same bytes."""
    root = memory.root
    extents = _extents(root.element, name)
    count = int(np.prod(extents, dtype=np.int64))
    if name not in root.fields:
        root.fields[name] = _whole_field(root, name, extents, count)
    whole = root.fields[name]
    return Memory(
        whole.name,
        whole.space,
        whole.flat,
        (*memory.shape, *extents),
        (*(stride * count for stride in memory.strides), *row_major(extents)),
        memory.offset * count,
        readonly=memory.readonly,
        storage=whole,
        absent=memory.absent,
    )


def _extents(dtype: np.dtype, name: str) -> tuple[int, ...]:
    found = dtype.fields
    assert found is not None
    return found[name][0].shape


def _whole_field(root: Memory, name: str, extents: tuple[int, ...], count: int) -> Memory:
    base: Any = root.flat.part if isinstance(root.flat, Cells) else root.flat
    part = base[name]
    found = root.element.fields
    assert found is not None
    return Memory(
        f"{root.name}.{name}",
        root.space,
        part if part.ndim == 1 else Cells(part),  # type: ignore[arg-type]
        (*root.shape, *extents),
        (*(stride * count for stride in root.strides), *row_major(extents)),
        size_of_one=root.size_of_one * count,
        base=root.base + found[name][1],
        readonly=root.readonly,
        initialised=None if root.initialised is None else np.zeros(root.flat.size * count, bool),
        pitch=root.pitch or root.element.itemsize,
        per_pitch=root.per_pitch * count,
    )


def component(memory: Memory, name: str) -> Memory:
    """Return ``array.real`` or ``array.imag`` of an array of complex numbers, as an array over the same bytes."""
    root = memory.root
    if name not in root.fields:
        half = root.element.itemsize // 2
        root.fields[name] = Memory(
            f"{root.name}.{name}",
            root.space,
            getattr(root.flat, name),
            root.shape,
            root.strides,
            size_of_one=root.size_of_one,
            base=root.base + (half if name == "imag" else 0),
            readonly=root.readonly,
            pitch=root.element.itemsize,
        )
    whole = root.fields[name]
    return Memory(
        whole.name, whole.space, whole.flat, memory.shape, memory.strides, memory.offset, readonly=memory.readonly,
        storage=whole, absent=memory.absent,
    )  # fmt: skip


class Records(Accesses):
    """What a program does with records, fields, and values whose parts have names."""

    def attribute(self, value: Any, name: str, site: int = -1) -> Any:
        """Return ``value.name``, or ``value["name"]`` of a record."""
        if isinstance(value, Fields):
            return value.field(name)
        if isinstance(value, Memory):
            if value.element.names is not None and name in value.element.names:
                field = field_of(value, name)
                return self.load(field, (), site) if is_place(field) else field
            if value.element.kind == "c" and name in ("real", "imag"):
                return component(value, name)
        return super().attribute(value, name)

    def part_of_record(self, value: Memory, index: Any, site: int) -> Any:
        """Return ``record[i]``: the field at that place."""
        names = value.element.names or ()
        place = index[0] if isinstance(index, tuple) and len(index) == 1 else index
        if not isinstance(place, np.integer) or not 0 <= int(place) < len(names):
            raise TypeError(f"{value.name} is a record of {len(names)} fields: it has no [{describe(place)}]")
        return self.attribute(value, names[int(place)], site)

    def named_item(self, value: Any, name: str, site: int) -> Any:
        """Return ``value["name"]``."""
        self.must_have(value, name)
        return self.attribute(value, name, site)

    def store_attribute(self, base: Any, name: str, value: Any, site: int) -> None:
        """Do ``base.name = value`` or ``base["name"] = value``."""
        self.must_have(base, name)
        field = field_of(base, name)
        self.written_to(base)
        if field.shape == ():
            self.store(field, (), value, site)
        else:
            self.fill(field, value, site)

    def must_have(self, value: Any, name: str) -> None:
        """Refuse what has no such field."""
        if not isinstance(value, Memory) or value.element.names is None:
            raise TypeError(f"{describe(value)} has no fields")
        if name not in value.element.names:
            raise TypeError(f"{value.name} has no field {name}: it has {', '.join(value.element.names)}")

    def place(self, memory: Memory, index: tuple[Any, ...], site: int) -> Any:
        """Return the record at an index."""
        return self.look(memory, index, site)

    def copy_record(self, target: Memory, source: Any, site: int) -> None:
        """Do ``a[i] = b[j]`` for records, field by field."""
        if not isinstance(source, Memory) or source.shape or source.element != target.element:
            raise TypeError(f"cannot store {describe(source)} in {target.name}, an array of {target.element}")
        for name in target.element.names or ():
            self.store_attribute(target, name, self.attribute(source, name, site), site)


def is_place(memory: Memory) -> bool:
    """Whether it is one element that is a value, not a record or an array."""
    return memory.shape == () and memory.element.names is None
