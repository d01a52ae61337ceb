"""``benchmark(fn, *args)``: how long work takes, with its spread, and by which clock.

On a GPU, work is queued and the call returns at once, so a wall clock would time the queueing. There,
events on the GPU's own queue are read instead, and a buffer twice the size of the L2 cache is
overwritten before each run, so that no run finds its data in cache because the last one left it there.
Elsewhere a wall clock is read, and the result says so.
"""

from __future__ import annotations

import gc
import html
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

WALL = "wall clock"
EVENTS = "CUDA events, L2 flushed"
UNITS = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9))
L2_BYTES_IF_UNKNOWN = 128 * 1024 * 1024


@dataclass(frozen=True)
class Timing:
    """The samples of one benchmark.

    Attributes
    ----------
    label : str
        What was timed.
    samples : tuple of float
        Seconds of each run, in the order in which they ran.
    clock : str
        Which clock was read: a wall clock, or CUDA events.
    """

    label: str
    samples: tuple[float, ...]
    clock: str

    @property
    def median(self) -> float:
        """The middle of the samples, in seconds."""
        return self._quantile(0.5)

    @property
    def low(self) -> float:
        """The first quartile, in seconds: a quarter of the runs were faster."""
        return self._quantile(0.25)

    @property
    def high(self) -> float:
        """The third quartile, in seconds: a quarter of the runs were slower."""
        return self._quantile(0.75)

    @property
    def runs(self) -> int:
        """How many runs were timed."""
        return len(self.samples)

    def _quantile(self, fraction: float) -> float:
        return float(np.quantile(self.samples, fraction))

    def _parts(self) -> tuple[str, str, str]:
        unit, scale = unit_of(self.median)
        low, high = (three_digits(value / scale) for value in (self.low, self.high))
        return f"{three_digits(self.median / scale)} {unit}", f"{low} to {high} {unit}", f"{self.runs} runs"

    def __str__(self) -> str:
        median, quartiles, runs = self._parts()
        return f"{self.label}: median {median}, quartiles {quartiles}, {runs} ({self.clock})"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        median, quartiles, runs = self._parts()
        return (
            f"<div>{html.escape(self.label)}: <b>{median}</b> "
            f'<span style="color:#808080">median; quartiles {quartiles}; {runs}; {self.clock}</span></div>'
        )


class Clock(Protocol):
    """Something that can time one run."""

    name: str

    def seconds(self, work: Callable[[], object]) -> float:
        """Run `work` once and return how long it took."""
        ...


def benchmark(
    fn: Callable[..., object],
    *args: Any,
    repeat: int = 20,
    warmup: int = 3,
    label: str = "",
    clock: str = "auto",
) -> Timing:
    """Time ``fn(*args)``.

    Parameters
    ----------
    fn : callable
        The work. On a GPU it must queue what it does on the default stream.
    *args
        Its arguments, the same ones for every run.
    repeat, warmup : int
        Runs that are timed, and runs before them that are not: a first run also compiles and fills caches.
    label : str
        What to call the work; the function's name unless given.
    clock : {"auto", "wall"}
        "auto" reads CUDA events where Numba or PyTorch, whichever is loaded, has a GPU; "wall" never does.

    Returns
    -------
    Timing
    """
    if repeat < 1 or warmup < 0:
        raise ValueError(f"repeat must be at least 1 and warmup at least 0, not {repeat} and {warmup}")
    if clock not in ("auto", "wall"):
        raise ValueError(f"clock must be 'auto' or 'wall', not {clock!r}")
    for _ in range(warmup):
        fn(*args)
    # After the warm-up, so that a library which the work itself imports counts as loaded.
    reader = find_clock() if clock == "auto" else WallClock()
    collecting = gc.isenabled()
    gc.disable()
    try:
        samples = tuple(reader.seconds(lambda: fn(*args)) for _ in range(repeat))
    finally:
        if collecting:
            gc.enable()
    return Timing(label or getattr(fn, "__name__", type(fn).__name__), samples, reader.name)


def find_clock() -> Clock:
    """Return a clock of the library that has a GPU, or the wall clock where none has."""
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available() and torch.cuda.is_initialized():
        return TorchClock(torch)
    # The module that asks the driver, which connecting the simulated GPU leaves as it is.
    numba_gpu = sys.modules.get("numba.cuda.device_init")
    if numba_gpu is not None and numba_gpu.is_available():
        return NumbaClock(sys.modules["numba.cuda"])
    return WallClock()


class WallClock:
    """Seconds on this machine's steady clock."""

    name = WALL

    def seconds(self, work: Callable[[], object]) -> float:
        """Run `work` once and return how long it took."""
        start = time.perf_counter()
        work()
        return time.perf_counter() - start


class TorchClock:
    """Seconds between two of PyTorch's events."""

    name = EVENTS

    def __init__(self, torch: Any) -> None:
        self._torch = torch
        cache = getattr(torch.cuda.get_device_properties(0), "L2_cache_size", 0) or L2_BYTES_IF_UNKNOWN
        self._flush = torch.empty(2 * cache, dtype=torch.uint8, device="cuda")

    def seconds(self, work: Callable[[], object]) -> float:
        """Run `work` once and return how long the GPU took."""
        start, end = (self._torch.cuda.Event(enable_timing=True) for _ in range(2))
        # The flush also keeps the GPU busy while the work is queued, so its launch overhead is not timed.
        self._flush.zero_()
        start.record()
        work()
        end.record()
        end.synchronize()
        return float(start.elapsed_time(end)) / 1e3


class NumbaClock:
    """Seconds between two of Numba's events."""

    name = EVENTS

    def __init__(self, cuda: Any) -> None:
        self._cuda = cuda
        cache = cuda.get_current_device().L2_CACHE_SIZE or L2_BYTES_IF_UNKNOWN
        self._flush, self._zeros = (cuda.device_array(cache, np.uint8) for _ in range(2))

    def seconds(self, work: Callable[[], object]) -> float:
        """Run `work` once and return how long the GPU took."""
        start, end = (self._cuda.event(timing=True) for _ in range(2))
        # Reads one buffer and writes the other: together twice the cache.
        self._flush.copy_to_device(self._zeros)
        start.record()
        work()
        end.record()
        end.synchronize()
        return float(start.elapsed_time(end)) / 1e3


def unit_of(seconds: float) -> tuple[str, float]:
    """Return the unit in which `seconds` reads best, and its length in seconds."""
    return next((unit for unit in UNITS if seconds >= unit[1]), UNITS[-1])


def three_digits(value: float) -> str:
    """Return `value` with three significant digits and no exponent."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"
