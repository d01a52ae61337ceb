"""``print`` in a kernel: a line for each thread, as the device's own printf writes it."""

from __future__ import annotations

from typing import Any

import numpy as np

from utils.simt.arithmetic import describe
from utils.simt.batch import Coordinates


def line(values: tuple[Any, ...], lane: int) -> str:
    """Return what thread `lane` prints: integers in full, floats with six decimals, text as it is."""
    return " ".join(_shown(value, lane) for value in values)


def show(lines: list[str]) -> None:
    """Write lines to stdout."""
    if lines:
        print("\n".join(lines))


def must_be_printable(value: Any) -> None:
    """Refuse what the device cannot print."""
    number = isinstance(value, np.ndarray | np.generic) and value.dtype.kind not in "cmMV"
    if not number and not isinstance(value, Coordinates):
        raise TypeError(f"print in a kernel takes numbers and text, not {describe(value)}")


def _shown(value: Any, lane: int) -> str:
    if isinstance(value, Coordinates):
        return f"({', '.join(_shown(part, lane) for part in (value.x, value.y, value.z))})"
    if isinstance(value, np.ndarray) and value.ndim == 1:
        value = value[lane]
    if value.dtype.kind == "f":
        return f"{float(value):f}"
    if value.dtype.kind == "S":
        return bytes(value).decode(errors="replace")
    return str(value)
