"""One request of a warp as a picture: lanes above, memory below, the sectors that move filled."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from utils.plot.picture import Picture, picture
from utils.plot.style import BLUE, FAINT, INK, MUTED, ORANGE, PALE, WIDTH, bare, percent, styled

if TYPE_CHECKING:
    from utils.simt import Trace
    from utils.simt.recorder import Request

SECTOR = 32
WARP = 32
LONGEST_GAP = 1
"""Untouched sectors drawn in a row; a longer gap is cut short."""
WIDEST = 2.0
"""Widest sector, in lanes."""


def select(
    trace: Trace,
    *,
    line: int | None = None,
    array: str | None = None,
    op: str | None = None,
    block: tuple[int, int, int] = (0, 0, 0),
    warp: int = 0,
) -> Request:
    """Return the first request to global memory in `trace` that fits.

    Parameters
    ----------
    trace : simt.Trace
    line, array, op
        The access wanted: its line, its array's name, and "load", "store" or "atomic"; any if left out.
    block : (x, y, z)
    warp : int
        Within the block.
    """
    for request in trace.requests:
        same = request.space == "global" and request.block == block and request.warp == warp
        if same and line in (None, request.line) and array in (None, request.array) and op in (None, request.op):
            return request
    there = sorted({f"line {r.line}: {r.op} of {r.array}" for r in trace.requests if r.space == "global"})
    raise LookupError(f"warp {warp} of block {block} made no such request; the launch has {'; '.join(there)}")


def access_map(*requests: Request, titles: Sequence[str] = ()) -> Picture:
    """Draw requests to global memory below each other: the bytes each lane asks for, the sectors that move.

    Parameters
    ----------
    *requests : simt.recorder.Request
        One, or two to compare; from ``select(trace, ...)``.
    titles : list of str, optional
        What to call each; its source line otherwise.

    Returns
    -------
    Picture
    """
    if not requests:
        raise ValueError("nothing to draw: pass at least one request")
    if titles and len(titles) != len(requests):
        raise ValueError(f"{len(requests)} requests need as many titles, not {len(titles)}")
    names = list(titles) or [request.source for request in requests]
    with styled():
        figure = Figure(figsize=(WIDTH, 0.55 + 1.75 * len(requests)), layout="constrained")
        panels = figure.subplots(len(requests), 1, squeeze=False)[:, 0]
        for axes, request, name in zip(panels, requests, names, strict=True):
            _panel(axes, request, name)
        figure.legend(handles=_legend(requests), loc="outside lower left", ncols=4, handlelength=1.2)
        return picture(figure, " ".join(_alt(r, n) for r, n in zip(requests, names, strict=True)))


def traffic(request: Request) -> tuple[int, int, float]:
    """Return the sectors a request moves, the bytes it asks for, and the share of moved bytes that is."""
    asked = len(request.lanes) * request.itemsize
    moved = len(_sectors(request))
    return moved, asked, asked / (SECTOR * moved)


def _sectors(request: Request) -> np.ndarray:
    """Return the numbers of the touched sectors, ascending; an element may reach over an edge."""
    last = request.addresses + request.itemsize - 1
    return np.unique(np.concatenate([request.addresses // SECTOR, last // SECTOR]))


def _positions(request: Request) -> tuple[dict[int, int], int]:
    """Place the sectors that are drawn: position by number, and how many positions that takes.

    Untouched sectors between touched ones are drawn, but at most `LONGEST_GAP` of them.
    """
    places: dict[int, int] = {}
    position = 0
    previous = None
    for sector in _sectors(request).tolist():
        if previous is not None:
            gap = sector - previous - 1
            if gap <= LONGEST_GAP:
                places.update({previous + k + 1: position + k for k in range(gap)})
            position += min(gap, LONGEST_GAP)
        places[sector] = position
        position += 1
        previous = sector
    return places, position


def _panel(axes: Axes, request: Request, name: str) -> None:
    places, used = _positions(request)
    touched = set(_sectors(request).tolist())
    unit = min(WIDEST, WARP / used)
    start = (WARP - used * unit) / 2
    moved, asked, share = traffic(request)
    lanes = [Rectangle((lane + 0.06, 2.2), 0.88, 0.5) for lane in range(WARP)]
    active = set(request.lanes.tolist())
    colours = [BLUE if lane in active else PALE for lane in range(WARP)]
    axes.add_collection(PatchCollection(lanes, facecolors=colours, edgecolors="none"))
    boxes = [Rectangle((start + place * unit, 0.2), unit, 0.5) for place in places.values()]
    fills = [ORANGE if sector in touched else "#ffffff" for sector in places]
    axes.add_collection(PatchCollection(boxes, facecolors=fills, edgecolors=MUTED, linewidths=0.6))
    bytes_ = [_byte(start, unit, places, int(address)) for address in request.addresses]
    width = request.itemsize / SECTOR * unit
    marks = [Rectangle((x, 0.3), width * 0.86, 0.3) for x in bytes_]
    axes.add_collection(PatchCollection(marks, facecolors=BLUE, edgecolors="none"))
    wires = [[(lane + 0.5, 2.2), (x + width / 2, 0.62)] for lane, x in zip(request.lanes.tolist(), bytes_, strict=True)]
    axes.add_collection(LineCollection(wires, colors=BLUE, linewidths=0.5, alpha=0.7))
    _gaps(axes, start, unit, places)
    _words(axes, places, sorted(touched), start, unit)
    word = "sector" if moved == 1 else "sectors"
    axes.set_title(f"{name}: {moved} {word} for {asked} bytes, {percent(share)} of what moves is used", pad=2)
    bare(axes)
    axes.set(xlim=(-0.2, WARP + 0.2), ylim=(-0.75, 3.25))


def _legend(requests: Sequence[Request]) -> list[Patch]:
    handles = [
        Patch(facecolor=BLUE, label="lane, and the bytes it asks for"),
        Patch(facecolor=ORANGE, label="sector that moves (32 bytes)"),
    ]
    if any(set(_positions(request)[0]) - set(_sectors(request).tolist()) for request in requests):
        handles.append(Patch(facecolor="#ffffff", edgecolor=FAINT, label="sector left alone"))
    if any(len(request.lanes) < WARP for request in requests):
        handles.append(Patch(facecolor=PALE, label="idle lane"))
    return handles


def _byte(start: float, unit: float, places: dict[int, int], address: int) -> float:
    sector, within = divmod(address, SECTOR)
    return start + (places[sector] + within / SECTOR) * unit


def _gaps(axes: Axes, start: float, unit: float, places: dict[int, int]) -> None:
    """Write dots where untouched sectors were cut short."""
    drawn = sorted(places.values())
    for left, right in itertools.pairwise(drawn):
        if right > left + 1:
            axes.text(start + (left + right + 1) / 2 * unit, 0.45, "…", ha="center", va="center", color=MUTED)


def _words(axes: Axes, places: dict[int, int], touched: list[int], start: float, unit: float) -> None:
    for lane in (0, 8, 16, 24, 31):
        axes.text(lane + 0.5, 2.82, str(lane), ha="center", va="bottom", fontsize=7.5, color=MUTED)
    axes.text(-0.25, 2.45, "lane", ha="right", va="center", fontsize=8.5, color=INK)
    axes.text(-0.25, 0.45, "byte", ha="right", va="center", fontsize=8.5, color=INK)
    apart = (0.6 + 0.42 * len(f"{touched[-1] * SECTOR:,}")) / unit
    written = -apart
    for sector in touched:
        place = places[sector]
        if place - written >= apart:
            axes.text(
                start + place * unit,
                0.1,
                f"{sector * SECTOR:,}",
                ha="center",
                va="top",
                fontsize=7.5,
                color=MUTED,
            )
            written = place


def _alt(request: Request, name: str) -> str:
    moved, asked, share = traffic(request)
    step = np.unique(np.diff(request.addresses))
    pattern = f", each {step[0]} bytes after the one before" if len(step) == 1 else ""
    asking = f"{len(request.lanes)} lanes of a warp ask for {request.itemsize} bytes each{pattern}"
    return (
        f"Access map of {name}: {asking}; "
        f"together {asked} bytes from {moved} sectors of 32 bytes, so {percent(share)} of what moves is used."
    )
