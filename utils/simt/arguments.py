"""From what a launch is given to what a lowered kernel gets: numbers and `Memory`."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import numpy as np
from numba.cuda.args import ArgHint, In

from utils.simt.memory import Memory
from utils.simt.static import NOT_TAKEN, number, plain_array
from utils.simt.structures import Fields

KINDS = "biufcmMSUV"  # of array elements: numbers, times, text, records
ALIGNMENT = 256  # bytes; device allocations start at such boundaries


def bind(parameters: tuple[str, ...], values: tuple[Any, ...], kernel: str, readonly: Collection[str]) -> list[Any]:
    """Return the arguments of a lowered kernel.

    Parameters
    ----------
    parameters : tuple of str
        The kernel's parameters.
    values : tuple
        What the launch gives for them: NumPy arrays, device arrays, torch CPU tensors, numbers, tuples of numbers.
    kernel : str
        Its name, for errors.
    readonly : collection of str
        Parameters that must not be written to.

    Raises
    ------
    TypeError
        For a wrong number of arguments, or one that no kernel takes.
    ValueError
        For an array that cannot be copied to a device in one piece.
    """
    if len(values) != len(parameters):
        names = ", ".join(parameters)
        plural = "s" if len(parameters) != 1 else ""
        raise TypeError(
            f"{kernel}({names}) takes {len(parameters)} argument{plural}, and the launch gives {len(values)}"
        )
    unknown = set(readonly) - set(parameters)
    if unknown:
        raise TypeError(f"{kernel} has no parameter {', '.join(sorted(unknown))}")
    roots: dict[tuple[int, np.dtype], Memory] = {}
    return [_argument(name, value, name in readonly, roots) for name, value in zip(parameters, values, strict=True)]


def memories(bound: Iterable[Any]) -> list[Memory]:
    """Return the arrays among bound arguments, those inside tuples, too."""
    found: list[Memory] = []
    for argument in bound:
        found += memories(argument) if isinstance(argument, tuple) else [argument] * isinstance(argument, Memory)
    return found


def host_array(value: Any) -> np.ndarray | None:
    """Return the NumPy array behind an array argument, sharing its memory; None if it is no array."""
    if isinstance(value, np.ndarray):
        return plain_array(value)
    if type(value) in (np.void, np.record):  # a record: the same bytes
        return np.asarray(value)
    if hasattr(value, "simulated_storage"):
        return value.simulated_storage
    if type(value).__name__ == "FakeCUDAArray":  # a device array of Numba's stock simulator
        return value._ary
    if type(value).__module__.partition(".")[0] == "torch" and hasattr(value, "detach"):
        if value.device.type != "cpu":
            raise TypeError(f"the simulated GPU takes torch tensors on the CPU, not on {value.device}")
        return value.detach().numpy()
    return None


def _argument(name: str, value: Any, readonly: bool, roots: dict[tuple[int, np.dtype], Memory]) -> Any:
    if isinstance(value, ArgHint):
        value = value.value.copy() if type(value) is In else value.value  # what goes in does not come back
    if isinstance(value, tuple):
        return _tuple(name, value, readonly, roots)
    array = host_array(value)
    if array is None:
        try:
            return number(value)
        except (TypeError, OverflowError) as error:
            raise TypeError(f"argument {name} {error}") from None
    if (
        array.dtype.kind not in KINDS or array.dtype.hasobject or array.dtype.char in "gG"
    ):  # long doubles: no GPU has any
        raise TypeError(f"argument {name} is an array of {array.dtype}, which is not simulated: use a numeric dtype")
    in_one_piece = array.flags.c_contiguous or array.flags.f_contiguous
    if isinstance(value, np.ndarray) and not in_one_piece:
        raise ValueError(
            f"argument {name} is a view with gaps, which cannot be copied to a GPU in one piece: "
            "pass np.ascontiguousarray(...), or slice a device array"
        )
    size = array.itemsize
    owner = getattr(value, "simulated_owner", array)
    start = owner.__array_interface__["data"][0]
    flat = _flat(owner)
    key = (start, array.dtype) if array.size else (id(value), array.dtype)
    root = roots.get(key)
    if root is None or root.flat.nbytes != flat.nbytes:
        # A host array is copied to the device, so it starts at a boundary there; a view of a device array does not.
        root = roots[key] = Memory(name, "global", flat.view(array.dtype), array.shape, (), readonly=False)
        root.strides = tuple(stride // size for stride in array.strides)
    offset = (array.__array_interface__["data"][0] - start) // size if array.size else 0
    strides = tuple(stride // size for stride in array.strides)
    frozen = readonly or not array.flags.writeable
    return Memory(name, "global", root.flat, array.shape, strides, offset, readonly=frozen, storage=root)


def _tuple(name: str, value: tuple[Any, ...], readonly: bool, roots: dict[tuple[int, np.dtype], Memory]) -> Any:
    """Return a tuple, or a named one, of arguments; no code of a subclass is asked."""
    parts = tuple.__iter__(value)
    names = vars(type(value)).get("_fields")
    if type(value) is not tuple and (type(names) is not tuple or any(type(n) is not str for n in names)):
        raise TypeError(f"argument {name} is a {type(value).__name__}: {NOT_TAKEN}")
    if names is None:
        return tuple(_argument(f"{name}[{i}]", part, readonly, roots) for i, part in enumerate(parts))
    fields = [_argument(f"{name}.{n}", part, readonly, roots) for n, part in zip(names, parts, strict=True)]
    return Fields(fields, names, f"a {type(value).__name__}")


def _flat(array: np.ndarray) -> np.ndarray:
    """Return the memory that `array` covers, gaps included, as a one-dimensional array."""
    if not array.size:
        return np.zeros(0, array.dtype)
    steps = zip(array.shape, array.strides, strict=True)
    span = 1 + sum((extent - 1) * stride for extent, stride in steps) // array.itemsize
    return np.lib.stride_tricks.as_strided(array, (span,), (array.itemsize,))
