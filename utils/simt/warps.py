"""What the warp functions of both engines share."""

from __future__ import annotations

from typing import Any

import numpy as np

from utils.simt.arithmetic import describe

VOTES = ("all_sync", "any_sync", "eq_sync", "ballot_sync")
SHUFFLES = ("shfl_sync", "shfl_up_sync", "shfl_down_sync", "shfl_xor_sync")


def mode_of(mode: Any, names: tuple[str, ...]) -> int:
    """Return a mode as an int; TypeError if it is none known when the kernel is compiled."""
    if not isinstance(mode, np.integer) or not 0 <= int(mode) < len(names):
        raise TypeError(f"the mode is a number of the source from 0 to {len(names) - 1}")
    return int(mode)


def must_span_warp(asked: str, clamp: Any) -> None:
    """Refuse a shuffle within a part of a warp."""
    whole = 0 if asked == "shfl_up_sync" else 0x1F
    if not isinstance(clamp, np.integer) or int(clamp) != whole:
        raise TypeError(f"not simulated: a shuffle within part of a warp (the last argument is {whole} here)")


def as_bits(value: Any) -> Any:
    """Return numbers as integers with the same bits, so that a NaN matches itself."""
    if not isinstance(value, np.ndarray | np.generic) or value.dtype.kind not in "biuf":
        raise TypeError(f"a match takes a number, not {describe(value)}")
    return value.view(f"u{value.dtype.itemsize}")
