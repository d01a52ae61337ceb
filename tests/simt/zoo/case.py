"""What a zoo kernel comes with: a launch, seeded arguments, and an oracle that is not a kernel."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

Dims = int | tuple[int, ...]
SEED = 20


@dataclass(frozen=True)
class Case:
    """A right kernel, one launch of it, and what that launch leaves behind.

    Attributes
    ----------
    kernel
        A ``@cuda.jit`` dispatcher.
    grid, block
        The launch, in blocks and in threads.
    make : callable
        Builds the arguments from a NumPy random generator; arrays are NumPy arrays.
    expect : callable
        From a copy of the arguments to ``{position: array}``; every array that it leaves out stays as it was.
    shared_bytes : int
        Dynamic shared memory of the launch.
    rtol : float
        Relative tolerance: 0 where the arithmetic is exact.
    unordered : tuple of int
        Positions whose elements may come in any order: both sides are sorted before they are compared.
    chaotic : bool
        Whether one last bit (a fused multiply-add) can change a whole element on a real GPU.
    """

    kernel: Any
    grid: Dims
    block: Dims
    make: Callable[[np.random.Generator], tuple[Any, ...]]
    expect: Callable[..., Mapping[int, Any]]
    shared_bytes: int = 0
    rtol: float = 0.0
    unordered: tuple[int, ...] = ()
    chaotic: bool = False

    @property
    def name(self) -> str:
        """The kernel's name."""
        return self.kernel.py_func.__name__

    def args(self, seed: int = SEED) -> tuple[Any, ...]:
        """Build fresh arguments; the same seed gives the same values."""
        return self.make(np.random.default_rng(seed))

    def expected(self, seed: int = SEED) -> dict[int, np.ndarray]:
        """Return what each array argument must hold after the launch, by position."""
        args = self.args(seed)
        left = {k: arg.copy() for k, arg in enumerate(args) if isinstance(arg, np.ndarray)}
        return left | {k: np.asarray(value) for k, value in self.expect(*copy.deepcopy(args)).items()}

    def compare(self, args: tuple[Any, ...], seed: int = SEED, rtol: float | None = None) -> None:
        """Raise AssertionError unless `args`, after a launch, hold what the oracle says."""
        for position, want in self.expected(seed).items():
            got = np.asarray(args[position])
            if position in self.unordered:
                got, want = np.sort(got), np.sort(want)
            np.testing.assert_allclose(
                got,
                want,
                rtol=self.rtol if rtol is None else rtol,
                err_msg=f"{self.name}, argument {position}",
            )


@dataclass(frozen=True)
class Expected:
    """A finding that a wrong kernel must draw; None means that the test does not look.

    Attributes
    ----------
    kind : str
        The finding's kind.
    here, other : str or None
        The marks of its line and, for a race, of the second line: ``# <- here`` stands at the end of it.
        An empty mark is any line.
    array, index, block, thread, count
        As in ``utils.simt.Finding``.
    says : tuple of str
        Pieces that its message must hold, both sides without blanks.
    """

    kind: str
    here: str = "here"
    other: str | None = None
    array: str | None = None
    index: tuple[int, ...] | None = None
    block: tuple[int, int, int] | None = None
    thread: tuple[int, int, int] | None = None
    count: int | None = None
    says: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wrong:
    """A wrong kernel, one launch of it, and the findings it must draw.

    Attributes
    ----------
    findings : tuple of Expected
        Each must be drawn; the set of kinds must be exactly theirs.
    readonly : tuple of str
        Parameters that the launch declares read-only.
    by_order : bool
        Whether the order of the warps decides what else goes wrong: where warps run one after another, a
        missing barrier also lets one read what nobody wrote yet.
    """

    kernel: Any
    grid: Dims
    block: Dims
    make: Callable[[np.random.Generator], tuple[Any, ...]]
    findings: tuple[Expected, ...]
    readonly: tuple[str, ...] = ()
    by_order: bool = False

    @property
    def name(self) -> str:
        """The kernel's name."""
        return self.kernel.py_func.__name__

    def args(self, seed: int = SEED) -> tuple[Any, ...]:
        """Build fresh arguments; the same seed gives the same values."""
        return self.make(np.random.default_rng(seed))


def line_of(kernel: Any, mark: str = "here") -> int:
    """Return the line, in its file, of `kernel`'s source that ends with ``# <- mark``."""
    lines, first = inspect.getsourcelines(getattr(kernel, "py_func", kernel))
    found = [first + k for k, text in enumerate(lines) if text.rstrip().endswith(f"# <- {mark}")]
    if len(found) != 1:
        raise LookupError(f"{len(found)} lines of the kernel are marked '# <- {mark}', want one")
    return found[0]


def floats(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Return float32 values in [-1, 1)."""
    return rng.uniform(-1.0, 1.0, shape).astype(np.float32)


def wholes(rng: np.random.Generator, *shape: int, dtype: Any = np.float32) -> np.ndarray:
    """Return whole numbers from -8 to 8, so that sums are exact in any order."""
    return rng.integers(-8, 9, shape).astype(dtype)
