"""Cooperative groups: the grid that waits for itself."""

from __future__ import annotations

from typing import Any

from utils.simt.arithmetic import describe

RESIDENT_THREADS = 108 * 2048  # what an A100 holds at one time; a grid that waits for itself must fit


class GridGroup:
    """``cuda.cg.this_grid()``."""

    description = "the grid"


def must_be_grid(value: Any) -> None:
    """Refuse ``.sync()`` of anything but the grid."""
    if type(value) is not GridGroup:
        raise TypeError(f"{describe(value)} has no sync()")


def objection(blocks: int, threads: int) -> str:
    """Return why a grid cannot wait for itself; empty if it can."""
    if blocks * threads <= RESIDENT_THREADS:
        return ""
    return (
        f"a grid that waits for itself must run at one time, and {blocks:,} blocks of {threads:,} threads do not: "
        f"a GPU like this one holds {RESIDENT_THREADS:,} threads"
    )
