"""A case: fresh inputs from a seed, and the launch that goes with them.

The seed is the grader's: one for a whole batch, stored with it, so that a regrade asks the same questions. A
case draws from its own generator, named by the case, so that adding one leaves the others as they were.
"""

from __future__ import annotations

import copy
import os
import zlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from utils.checks.values import widen

SEED_VARIABLE = "CHECK_SEED"
DEFAULT_SEED = 20_261
NAN_MARK = 0x5A

Dim = int | tuple[int, ...]
Arguments = Mapping[str, Any] | Callable[..., Mapping[str, Any]]


def seed() -> int:
    """Return the seed of this batch: the variable ``CHECK_SEED``, or the one that learners see."""
    text = os.environ.get(SEED_VARIABLE, "")
    if not text:
        return DEFAULT_SEED
    if not text.isdecimal():
        raise ValueError(f"{SEED_VARIABLE} is {text!r}; it must be a whole number, 0 or more.")
    return int(text)


def unwritten(shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> np.ndarray:
    """Return an output buffer filled with what no right answer resembles.

    That is NaN, or the smallest integer (the largest of an unsigned type). With zeros instead, an element
    that no thread wrote passes wherever the right answer is 0.
    """
    kind = np.dtype(dtype)
    if kind.kind in "fc":
        part = np.dtype(f"f{kind.itemsize // (1 if kind.kind == 'f' else 2)}")
        parts = np.full((*np.atleast_1d(shape), kind.itemsize // part.itemsize), np.nan, part)
        # A NaN with a mark of its own: a kernel that computes a NaN stores another.
        parts.view(f"u{part.itemsize}")[...] |= NAN_MARK
        return parts.view(kind)[..., 0]
    if kind.kind in "iu":
        limits = np.iinfo(kind)
        return np.full(shape, limits.min or limits.max, kind)
    raise TypeError(f"unwritten() makes arrays of numbers, not of {kind}.")


class Case:
    """One question: named arguments, in the order in which they are passed, and for a kernel the launch.

    Parameters
    ----------
    name : str
        What the learner sees, as in ``"1,001 elements"``; each case of a check has its own.
    args : mapping, or function of (rng, **sizes) that returns one
        The arguments by name. A function draws them anew from `rng`, a generator of its own.
    grid, block : int or tuple
        The launch configuration, in blocks and in threads; for a kernel only.
    shared_bytes : int
        Dynamic shared memory of the launch, in bytes.
    gated : bool
        Whether gates are judged here. Say no for the sizes at which a ratio means little, such as 0 and 1.
    why : str
        What this case is there to find, in one sentence; shown when the case is not right.
    **sizes
        Numbers that `args` takes, as in ``n=1_001``; formulas of gates and mistakes read them as
        ``case["n"]``.
    """

    def __init__(
        self,
        name: str,
        args: Arguments,
        *,
        grid: Dim | None = None,
        block: Dim | None = None,
        shared_bytes: int = 0,
        gated: bool = True,
        why: str = "",
        **sizes: Any,
    ) -> None:
        self.name = name
        self.grid = grid
        self.block = block
        self.shared_bytes = shared_bytes
        self.gated = gated
        self.why = why
        self.sizes = sizes
        self._args = args

    def build(self) -> dict[str, Any]:
        """Return the arguments, made anew: nobody sees what another call left in them."""
        if callable(self._args):
            rng = np.random.default_rng([seed(), zlib.crc32(self.name.encode())])
            return dict(self._args(rng, **self.sizes))
        return {name: _copy(value) for name, value in self._args.items()}

    def widened(self) -> dict[str, Any]:
        """Return the arguments as references take them: floats in float64, integers in 64 bits."""
        return {name: widen(value) for name, value in self.build().items()}

    def float_type(self) -> np.dtype:
        """Return the float type of the arguments, float64 without any: its rounding bounds a result."""
        values = self.build().values()
        types = [v.dtype for v in values if isinstance(v, np.ndarray | np.generic) and v.dtype.kind in "fc"]
        return np.dtype(np.result_type(*types)) if types else np.dtype(np.float64)

    def __getitem__(self, name: str) -> Any:
        """Return a size or an argument by name, arguments widened as for a reference."""
        return self.sizes[name] if name in self.sizes else self.widened()[name]

    def __repr__(self) -> str:
        launch = "" if self.grid is None else f", grid={self.grid}, block={self.block}"
        return f"Case({self.name!r}{launch})"


def _copy(value: Any) -> Any:
    return value.copy(order="K") if isinstance(value, np.ndarray) else copy.deepcopy(value)
