"""What a launch may ask for: limits that all GPUs of compute capability 6.0 to 12.0 share, and their source.

The local memory of a thread is from the same table of the CUDA C++ Programming Guide as the rest.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from utils.simt.device import LIMITS
from utils.simt.report import Dim3

MAX_THREADS_PER_BLOCK = LIMITS.max_threads_per_block or 1024
MAX_BLOCK_DIM: Dim3 = LIMITS.max_block_dim
MAX_GRID_DIM: Dim3 = LIMITS.max_grid_dim
# Without opting in to more, which Numba does not do.
SHARED_BYTES_PER_BLOCK = (LIMITS.shared_kb_per_block_static or 48) * 1024
LOCAL_BYTES_PER_THREAD = 512 * 1024


def dimensions(value: Any, what: str) -> Dim3:
    """Return a launch dimension as three integers; TypeError for anything else.

    Parameters
    ----------
    value : int or tuple of one to three int
    what : {"grid", "block"}
    """
    parts = value if isinstance(value, tuple | list) else (value,)
    if not 1 <= len(parts) <= 3 or not all(_is_integer(part) for part in parts):
        raise TypeError(f"the {what} must be an integer, or a tuple of one to three integers, not {value!r}")
    x, y, z = (int(part) for part in [*parts, 1, 1][:3])
    return x, y, z


def objection(grid: Dim3, block: Dim3, dynamic: int) -> str:
    """Return why no GPU takes this launch; empty if one does."""
    threads = block[0] * block[1] * block[2]
    if min(grid) < 1 or min(block) < 1:
        return f"a grid of {grid} blocks of {block} threads is empty: every dimension must be at least 1"
    if threads > MAX_THREADS_PER_BLOCK:
        shape = f"{block[0]} x {block[1]} x {block[2]} = {threads:,}" if block[1] * block[2] > 1 else f"{threads:,}"
        return f"a block of {shape} threads is too large: a GPU takes at most 1,024. Use more blocks of fewer threads"
    for what, size, limit in (("block", block, MAX_BLOCK_DIM), ("grid", grid, MAX_GRID_DIM)):
        for axis, extent, most in zip("xyz", size, limit, strict=True):
            if extent > most:
                return f"the {what}'s {axis} dimension is {extent:,}, and a GPU takes at most {most:,}"
    if dynamic > SHARED_BYTES_PER_BLOCK:
        return too_much_shared(dynamic)
    return ""


def too_much_shared(size: int) -> str:
    """Return the objection to `size` bytes of shared memory."""
    return (
        f"a block asks for {size:,} bytes of shared memory, and a GPU gives it {SHARED_BYTES_PER_BLOCK:,}: "
        "use a smaller tile"
    )


def _is_integer(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
