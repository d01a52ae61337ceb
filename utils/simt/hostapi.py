"""The host side of `numba.cuda` for machines without a GPU: device arrays, streams, events.

A simulated device array is host memory that behaves like device memory: it must be copied to be looked at as an array,
and it is not the array it was made from.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from utils.simt.memory import poison


class SimulatedArray:
    """A device array. `simulated_owner` is the whole allocation, `simulated_storage` the part this array shows."""

    __cuda_ndarray__ = True

    def __init__(self, storage: np.ndarray, owner: np.ndarray | None = None) -> None:
        self.simulated_storage = storage
        self.simulated_owner = storage if owner is None else owner

    shape = property(lambda self: self.simulated_storage.shape)
    strides = property(lambda self: self.simulated_storage.strides)
    dtype = property(lambda self: self.simulated_storage.dtype)
    size = property(lambda self: self.simulated_storage.size)
    ndim = property(lambda self: self.simulated_storage.ndim)
    nbytes = alloc_size = property(lambda self: self.simulated_storage.nbytes)
    T = property(lambda self: self.transpose())

    def copy_to_host(self, ary: np.ndarray | None = None, stream: Any = 0) -> np.ndarray:
        """Copy to a new host array, or into `ary`."""
        if ary is None:
            return self.simulated_storage.copy(order="K")
        self._must_match(ary)
        np.copyto(ary, self.simulated_storage)
        return ary

    def copy_to_device(self, ary: Any, stream: Any = 0) -> None:
        """Copy a host or device array into this one."""
        source = getattr(ary, "simulated_storage", None)
        source = np.asarray(ary) if source is None else source
        self._must_match(source)
        np.copyto(self.simulated_storage, source)

    def _must_match(self, other: np.ndarray) -> None:
        if other.shape != self.shape or other.dtype != self.dtype:
            raise ValueError(
                f"cannot copy between a device array of {self.dtype} {self.shape} "
                f"and an array of {other.dtype} {other.shape}: type and shape must be the same"
            )

    def __getitem__(self, index: Any) -> Any:
        part = self.simulated_storage[index]
        return self._view(part) if isinstance(part, np.ndarray) and part.ndim else part[()]

    def __setitem__(self, index: Any, value: Any) -> None:
        self.simulated_storage[index] = getattr(value, "simulated_storage", value)

    setitem = __setitem__
    getitem = __getitem__

    def __len__(self) -> int:
        return len(self.simulated_storage)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self.copy_to_host().astype(dtype or self.dtype, copy=False)

    def _view(self, part: np.ndarray) -> SimulatedArray:
        return SimulatedArray(part, self.simulated_owner)

    def reshape(self, *shape: Any, order: Any = "C") -> SimulatedArray:
        """Return a view of another shape."""
        return self._view(self.simulated_storage.reshape(*shape, order=order))

    def ravel(self, order: Any = "C") -> SimulatedArray:
        """Return a one-dimensional view."""
        return self._view(self.simulated_storage.reshape(-1, order=order))

    def transpose(self, axes: Any = None) -> SimulatedArray:
        """Return a view with its dimensions in another order."""
        return self._view(self.simulated_storage.transpose(axes))

    def view(self, dtype: Any) -> SimulatedArray:
        """Return a view of the same bytes as another type."""
        return self._view(self.simulated_storage.view(dtype))

    def is_c_contiguous(self) -> bool:
        """Whether the elements lie in row-major order without gaps."""
        return bool(self.simulated_storage.flags.c_contiguous)

    def is_f_contiguous(self) -> bool:
        """Whether the elements lie in column-major order without gaps."""
        return bool(self.simulated_storage.flags.f_contiguous)

    def __repr__(self) -> str:
        return f"<simulated device array, {self.dtype}, shape {self.shape}: copy_to_host() shows it>"


class SimulatedStream:
    """A stream. Work is done when it is launched, so there is nothing left to wait for."""

    def synchronize(self) -> None:
        """Return at once."""

    @contextmanager
    def auto_synchronize(self) -> Iterator[SimulatedStream]:
        """Synchronise at the end of a with block."""
        yield self

    def add_callback(self, callback: Any, arg: Any = None) -> None:
        """Call `callback` when the work so far is done, which is now."""
        callback(self, 0, arg)


class SimulatedEvent:
    """A point in a stream; its times are the host's, since the simulation has no device clock."""

    def __init__(self, timing: bool = True) -> None:
        self.time: float | None = None

    def record(self, stream: Any = 0) -> None:
        """Mark this point."""
        self.time = time.perf_counter()

    def synchronize(self) -> None:
        """Return at once."""

    def wait(self, stream: Any = 0) -> None:
        """Return at once."""

    def query(self) -> bool:
        """Whether the work before this point is done; always true."""
        return True

    def elapsed_time(self, end: SimulatedEvent) -> float:
        """Return the milliseconds to `end`, of host time."""
        if self.time is None or end.time is None:
            raise RuntimeError("both events must be recorded before the time between them is known")
        return (end.time - self.time) * 1e3


def to_device(obj: Any, stream: Any = 0, copy: bool = True, to: Any = None) -> SimulatedArray:
    """Copy a host array to the simulated device, or into the device array `to`."""
    if isinstance(obj, SimulatedArray):
        return obj
    if to is not None:
        to.copy_to_device(obj)
        return to
    return SimulatedArray(np.array(obj, order="K", copy=True))


def device_array(
    shape: Any, dtype: Any = np.float64, strides: Any = None, order: Any = "C", stream: Any = 0
) -> SimulatedArray:
    """Return a device array whose contents are undefined: poison, so that a read of them shows."""
    dtype = np.dtype(dtype)
    return SimulatedArray(np.full(shape, poison(dtype), dtype, order=order))


def device_array_like(ary: Any, stream: Any = 0) -> SimulatedArray:
    """Return an undefined device array of the shape and type of `ary`."""
    order = "F" if ary.ndim > 1 and ary.strides[0] < ary.strides[-1] else "C"
    return device_array(ary.shape, ary.dtype, order=order)


def host_array(shape: Any, dtype: Any = np.float64, strides: Any = None, order: Any = "C", **flags: Any) -> np.ndarray:
    """Return a pinned, mapped or managed array: here, plain host memory."""
    return np.zeros(shape, dtype, order=order)


def host_array_like(ary: Any, **flags: Any) -> np.ndarray:
    """Return `host_array` of the shape and type of `ary`."""
    return np.zeros_like(ary)


@contextmanager
def pinned(*arrays: Any) -> Iterator[None]:
    """Pin host arrays for a while: nothing to do here."""
    yield


@contextmanager
def defer_cleanup() -> Iterator[None]:
    """Put off freeing device memory: nothing to do here."""
    yield


def synchronize() -> None:
    """Wait for the device, which is never behind."""


REPLACEMENTS: dict[str, Any] = {
    "to_device": to_device,
    "device_array": device_array,
    "device_array_like": device_array_like,
    "pinned_array": host_array,
    "pinned_array_like": host_array_like,
    "mapped_array": host_array,
    "mapped_array_like": host_array_like,
    "managed_array": host_array,
    "pinned": pinned,
    "defer_cleanup": defer_cleanup,
    "synchronize": synchronize,
    "stream": SimulatedStream,
    "default_stream": SimulatedStream,
    "legacy_default_stream": SimulatedStream,
    "per_thread_default_stream": SimulatedStream,
    "event": SimulatedEvent,
    "event_elapsed_time": lambda start, end: start.elapsed_time(end),
    "is_available": lambda: True,
}
