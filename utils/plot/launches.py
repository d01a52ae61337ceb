"""The threads of a launch as cells: blocks are frames, thick lines part the warps, colour says who stores."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from utils.plot.picture import Picture, picture
from utils.plot.style import BLUE, FAINT, INK, MUTED, PALE, WIDTH, counted, dims, styled

if TYPE_CHECKING:
    from utils.simt import Report, Trace

WARP = 32
MOST_BLOCKS = 12
NARROWEST = 4.6
"""Inches; the legend needs them."""
ABSENT, IDLE, STORES = 0, 1, 2
COLOURS = ("#ffffff", PALE, BLUE)

Dim3 = tuple[int, int, int]


def thread_map(trace: Trace, array: str | None = None, blocks: Sequence[Dim3] | None = None) -> Picture:
    """Draw each thread of a launch as a cell: filled if it stores to global memory, pale if it does not.

    A block of one dimension is drawn with one warp a row, any other with ``threadIdx.x`` across and
    ``threadIdx.y`` down, its layers in z below each other.

    Parameters
    ----------
    trace : simt.Trace
        From ``simt.trace(kernel, grid, block, *args)``.
    array : str, optional
        Count only stores to this array.
    blocks : list of (x, y, z), optional
        The blocks to draw; otherwise all of them, or the first ones and the last of a large grid.

    Returns
    -------
    Picture
    """
    report = trace.report
    grid, block = report.grid, report.block
    everyone = [(x, y, z) for z, y, x in itertools.product(*map(range, reversed(grid)))]
    shown = list(blocks) if blocks else _some(everyone)
    missing = set(shown) - set(everyone)
    if missing:
        raise ValueError(f"the grid of {dims(grid)} blocks has no block {min(missing)}")
    states = {place: _states(block, _storing(trace, place, array)) for place in shown}
    columns = _columns(shown, grid, block)
    with styled():
        figure = _draw(states, grid, block, columns)
        what = f"stores to {array}" if array else "stores"
        counts = {state: sum(int((s == state).sum()) for s in states.values()) for state in (STORES, IDLE, ABSENT)}
        _legend(figure, what, counts)
        some = f" ({len(shown)} of {len(everyone)} shown)" if len(shown) < len(everyone) else ""
        figure.suptitle(
            f"{report.kernel}: {_launch(report)}{some}",
            x=0.01,
            ha="left",
            fontsize=10.5,
        )
        return picture(figure, _alt(trace, states, what, counts, some))


def _storing(trace: Trace, place: Dim3, array: str | None) -> set[int]:
    """Return the linear thread ids of one block that store to global memory."""
    return {
        request.warp * WARP + int(lane)
        for request in trace.requests
        if request.block == place and request.space == "global" and request.op in ("store", "atomic")
        if array in (None, request.array)
        for lane in request.lanes
    }


def _states(block: Dim3, storing: set[int]) -> np.ndarray:
    """Return the state of each cell of one block, as (rows, columns) of int."""
    threads = math.prod(block)
    rows, columns = _shape(block)
    state = np.full(rows * columns, ABSENT)
    state[:threads] = IDLE
    state[sorted(storing)] = STORES
    return state.reshape(rows, columns)


def _shape(block: Dim3) -> tuple[int, int]:
    """Return rows and columns of cells for one block."""
    if block[1] * block[2] == 1:
        return -(-block[0] // WARP), WARP
    return block[1] * block[2], block[0]


def _some(everyone: list[Dim3]) -> list[Dim3]:
    """Return all blocks, or the first ones and the last, which is where the ragged edge lies."""
    return everyone if len(everyone) <= MOST_BLOCKS else [*everyone[: MOST_BLOCKS - 1], everyone[-1]]


def _columns(shown: list[Dim3], grid: Dim3, block: Dim3) -> int:
    """Return how many blocks stand side by side: as in the grid if all of it is shown and fits."""
    across = max(1, 64 // _shape(block)[1])
    whole = len(shown) == math.prod(grid)
    return grid[0] if whole and grid[1] > 1 and grid[0] <= across else min(across, len(shown))


def _draw(states: dict[Dim3, np.ndarray], grid: Dim3, block: Dim3, columns: int) -> Figure:
    rows = -(-len(states) // columns)
    cell_rows, cell_columns = _shape(block)
    cell = min(0.22, (WIDTH - 0.4 - 0.12 * columns) / (columns * cell_columns))
    width = max(columns * (cell_columns * cell + 0.12) + 0.45, NARROWEST)
    figure = Figure(figsize=(width, rows * (cell_rows * cell + 0.27) + 1.0), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False)
    for number, axes in enumerate(panels.flat):
        if number >= len(states):
            axes.remove()
            continue
        place = list(states)[number]
        _block(axes, states[place], math.prod(block))
        axes.set_title(f"block {_name(place, grid)}", fontsize=8, color=MUTED, pad=3)
        outer = number % columns == 0, number + columns >= len(states)
        _label(axes, block, cell_rows, cell_columns, *outer)
    return figure


def _block(axes: Axes, state: np.ndarray, threads: int) -> None:
    rows, columns = state.shape
    axes.imshow(state, cmap=ListedColormap(COLOURS), vmin=ABSENT, vmax=STORES, interpolation="nearest")
    inner = [[(x, -0.5), (x, rows - 0.5)] for x in np.arange(0.5, columns - 1)]
    inner += [[(-0.5, y), (columns - 0.5, y)] for y in np.arange(0.5, rows - 1)]
    axes.add_collection(LineCollection(inner, colors="#ffffff", linewidths=0.8))
    absent = [(x, y) for y, x in zip(*np.nonzero(state == ABSENT), strict=True)]
    crosses = [[(x - 0.25, y - 0.25), (x + 0.25, y + 0.25)] for x, y in absent]
    axes.add_collection(LineCollection(crosses, colors=FAINT, linewidths=0.7))
    axes.add_collection(LineCollection(_warp_edges(rows, columns, threads), colors=INK, linewidths=1.3))
    for spine in axes.spines.values():
        spine.set(visible=True, color=INK, linewidth=1.3)
    axes.tick_params(length=2, width=0.6)


def _warp_edges(rows: int, columns: int, threads: int) -> list[list[tuple[float, float]]]:
    """Return the cell edges between threads of different warps."""
    number = np.arange(rows * columns).reshape(rows, columns)
    warp = np.where(number < threads, number // WARP, -1)
    below = [[(x - 0.5, y + 0.5), (x + 0.5, y + 0.5)] for y, x in zip(*np.nonzero(warp[:-1] != warp[1:]), strict=True)]
    beside = [
        [(x + 0.5, y - 0.5), (x + 0.5, y + 0.5)]
        for y, x in zip(*np.nonzero((warp[:, :-1] != warp[:, 1:]) & (warp[:, 1:] >= 0)), strict=True)
    ]
    return below + beside


def _label(axes: Axes, block: Dim3, rows: int, columns: int, left: bool, bottom: bool) -> None:
    flat = block[1] * block[2] == 1
    axes.set_xticks(_ticks(columns), labels=None if bottom else [])
    if block[2] == 1:
        axes.set_yticks(_ticks(rows), labels=None if left else [])
    else:
        layers = range(block[2])
        axes.set_yticks([z * block[1] for z in layers], labels=[f"z = {z}" for z in layers] if left else [])
    if bottom:
        axes.set_xlabel("lane of the warp" if flat else "threadIdx.x", fontsize=8)
    if left:
        name = "warp" if flat else "threadIdx.y" if block[2] == 1 else "threadIdx.y in each layer"
        axes.set_ylabel(name, fontsize=8)


def _ticks(extent: int) -> list[int]:
    """Return the first and last cell, and what divides them evenly if there is room."""
    if extent <= 4:
        return list(range(extent))
    step = max(1, extent // 4)
    inner = [tick for tick in range(step, extent - 1, step) if extent - 1 - tick > step / 2]
    return [0, *inner, extent - 1]


def _legend(figure: Figure, what: str, counts: dict[int, int]) -> None:
    names = {STORES: what, IDLE: "stores nothing", ABSENT: "lane without a thread"}
    handles = [
        Patch(
            facecolor=COLOURS[state],
            edgecolor=FAINT if state != STORES else BLUE,
            hatch="////" if state == ABSENT else None,
            label=f"{name}: {counts[state]:,}",
        )
        for state, name in names.items()
        if counts[state]
    ]
    figure.legend(handles=handles, loc="outside lower left", ncols=len(handles), handlelength=1.2)


def _launch(report: Report) -> str:
    return f"{counted(report.grid, 'block')} of {counted(report.block, 'thread')}"


def _name(place: Dim3, grid: Dim3) -> str:
    return str(place if grid[2] > 1 else place[:2] if grid[1] > 1 else place[0])


def _alt(trace: Trace, states: dict[Dim3, np.ndarray], what: str, counts: dict[int, int], some: str) -> str:
    report = trace.report
    stored = what.replace("stores", "stored")
    sentence = (
        f"Map of the threads of {report.kernel}, {_launch(report)}{some}: "
        f"{counts[STORES]:,} threads have {stored}, {counts[IDLE]:,} have stored nothing."
    )
    idle = {place: int((state == IDLE).sum()) for place, state in states.items() if (state == IDLE).any()}
    if idle and len(idle) < len(states):
        where = ", ".join(f"{count} in block {_name(place, report.grid)}" for place, count in idle.items())
        sentence += f" Idle: {where}."
    return sentence
