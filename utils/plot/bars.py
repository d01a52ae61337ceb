"""Bars: times with their spread, and counters of reports beside each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from utils.plot.picture import Picture, picture
from utils.plot.style import INK, MUTED, SERIES, WIDTH, percent, styled
from utils.timing import Timing, three_digits, unit_of

if TYPE_CHECKING:
    from utils.simt import Report

COUNTERS = {
    "global_loads.sectors_per_request": "sectors per load request",
    "global_stores.sectors_per_request": "sectors per store request",
    "global_loads.efficiency": "share of loaded bytes used",
    "global_stores.efficiency": "share of stored bytes used",
    "global_loads.sectors": "sectors loaded",
    "global_stores.sectors": "sectors stored",
    "shared_loads.wavefronts": "wavefronts of shared loads",
    "shared_loads.bank_conflicts": "bank conflicts of loads",
    "active_lanes_per_warp": "active lanes per warp",
    "branch_efficiency": "branches without divergence",
    "barriers": "barriers per block",
    "global_atomics": "global atomics",
    "global_loads.requests": "load requests",
    "global_stores.requests": "store requests",
}
"""What a counter is called in a figure; any other attribute of a report goes by its own name."""


def timing_bars(*timings: Timing) -> Picture:
    """Draw a bar for each timing: the median, a line from quartile to quartile, a dot for each run.

    Parameters
    ----------
    *timings : Timing
        From ``benchmark``; all read from the same clock.

    Returns
    -------
    Picture
    """
    clocks = {timing.clock for timing in timings}
    if len(clocks) != 1:
        raise ValueError(f"bars compare times of one clock, not of {len(clocks)}: {', '.join(sorted(clocks))}")
    unit, scale = unit_of(max(timing.median for timing in timings))
    with styled():
        figure = Figure(figsize=(WIDTH, 0.85 + 0.42 * len(timings)), layout="constrained")
        axes = figure.subplots()
        for row, timing in enumerate(timings):
            _timing(axes, row, timing, scale)
        axes.set_yticks(range(len(timings)), [timing.label for timing in timings], color=INK, fontsize=9)
        axes.set(ylim=(len(timings) - 0.4, -0.6), xlim=(0, _reach(timings) / scale * 1.18))
        axes.set_xlabel(f"time of one run ({unit}, {clocks.pop()}); bar: median, line: quartiles, dots: runs")
        axes.spines["left"].set_visible(False)
        axes.tick_params(axis="y", length=0)
        return picture(figure, "Times, shortest bar fastest. " + " ".join(f"{timing}." for timing in timings))


def counter_bars(reports: Mapping[str, Report], counters: Sequence[str] = tuple(COUNTERS)[:3]) -> Picture:
    """Draw one panel for each counter, with a bar for each report.

    Parameters
    ----------
    reports : dict of str to simt.Report
        What to call each, and its report.
    counters : list of str
        Attributes of a report, such as ``"global_loads.sectors_per_request"``.

    Returns
    -------
    Picture
    """
    if not reports or not counters:
        raise ValueError("nothing to compare: pass at least one report and one counter")
    values = {counter: [_value(report, counter) for report in reports.values()] for counter in counters}
    with styled():
        figure = Figure(figsize=(WIDTH, 0.7 + 0.34 * len(reports)), layout="constrained")
        panels = figure.subplots(1, len(counters), sharey=True, squeeze=False)[0]
        for axes, counter in zip(panels, counters, strict=True):
            _counter(axes, counter, values[counter])
        panels[0].set_yticks(range(len(reports)), list(reports), color=INK, fontsize=9)
        panels[0].set_ylim(len(reports) - 0.45, -0.55)
        return picture(figure, _counter_alt(list(reports), values))


def _timing(axes: Axes, row: int, timing: Timing, scale: float) -> None:
    axes.barh(row, timing.median / scale, height=0.5, color=SERIES[row % len(SERIES)], alpha=0.55)
    axes.plot([timing.low / scale, timing.high / scale], [row, row], color=INK, linewidth=2.0, solid_capstyle="butt")
    # Dots of equal times would hide each other: spread them over the bar's height, in the order of the runs.
    offsets = row + np.linspace(-0.17, 0.17, timing.runs)
    axes.plot(np.array(timing.samples) / scale, offsets, "o", color=INK, markersize=2.2, alpha=0.5, clip_on=True)
    unit, own = unit_of(timing.median)
    axes.annotate(
        f"{three_digits(timing.median / own)} {unit}",
        (max(timing.high, timing.median) / scale, row),
        xytext=(7, 0),
        textcoords="offset points",
        va="center",
        fontsize=8.5,
        bbox={"facecolor": "#ffffff", "edgecolor": "none", "pad": 1.0, "alpha": 0.8},
    )


def _reach(timings: Sequence[Timing]) -> float:
    """Return how far the axis goes: past every quartile, and past dots that are not far out."""
    return max(max(t.high, min(max(t.samples), 1.2 * t.high)) for t in timings)


def _counter(axes: Axes, counter: str, values: list[float]) -> None:
    colours = [SERIES[row % len(SERIES)] for row in range(len(values))]
    bars = axes.barh(range(len(values)), values, height=0.62, color=colours)
    axes.bar_label(bars, [_written(counter, value) for value in values], padding=3, fontsize=8.5)
    axes.set_title(COUNTERS.get(counter, counter), fontsize=8.5, color=MUTED)
    axes.set_xlim(0, max([*values, 1e-12]) * 1.3)
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)
    axes.tick_params(axis="y", length=0)


def _value(report: Report, counter: str) -> float:
    found: Any = report
    for name in counter.split("."):
        found = getattr(found, name)
    return float(found)


def _written(counter: str, value: float) -> str:
    if counter.endswith("efficiency"):
        return percent(value)
    return f"{value:,.0f}" if value == int(value) else f"{value:.4g}"


def _counter_alt(names: list[str], values: dict[str, list[float]]) -> str:
    parts = [
        f"{COUNTERS.get(counter, counter)}: "
        + ", ".join(f"{name} {_written(counter, value)}" for name, value in zip(names, row, strict=True))
        for counter, row in values.items()
    ]
    return f"Counters of {' and '.join(names)} as bars. {'; '.join(parts)}."
