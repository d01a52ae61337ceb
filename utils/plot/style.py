"""How figures look: one font, one palette for colour-blind eyes, a white ground for light and dark pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import matplotlib
from matplotlib.axes import Axes

WIDTH = 7.2
"""Inches; a notebook's column holds it."""

# Okabe and Ito's palette: told apart with any colour vision, and by lightness in print.
BLUE, ORANGE, GREEN, VERMILION, SKY = "#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9"
SERIES = (BLUE, ORANGE, GREEN, VERMILION, SKY)
INK, MUTED, FAINT, PALE = "#222222", "#666666", "#bbbbbb", "#dcdcdc"

SETTINGS: dict[str, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 9.0,
    "axes.titlesize": 9.5,
    "axes.titlelocation": "left",
    "axes.labelsize": 9.0,
    "axes.labelcolor": INK,
    "axes.edgecolor": MUTED,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.labelsize": 8.0,
    "ytick.labelsize": 8.0,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "text.color": INK,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "hatch.linewidth": 0.6,
    "figure.facecolor": "#ffffff",
    "savefig.facecolor": "#ffffff",
}


@contextmanager
def styled() -> Iterator[None]:
    """Draw in the course's style inside the block, and leave a learner's own settings alone."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(cast(Any, SETTINGS))
        yield


def bare(axes: Axes) -> None:
    """Take the frame and the ticks off `axes`."""
    axes.set(xticks=[], yticks=[])
    for spine in axes.spines.values():
        spine.set_visible(False)


def dims(size: tuple[int, int, int]) -> str:
    """Return a launch dimension without trailing ones: ``(4, 1, 1)`` is "4", ``(4, 2, 1)`` is "4 x 2"."""
    shown = size if size[2] > 1 else size[:2] if size[1] > 1 else size[:1]
    return " x ".join(str(extent) for extent in shown)


def counted(size: tuple[int, int, int], thing: str) -> str:
    """Return a launch dimension with what it counts: "1 block", "4 x 2 blocks"."""
    return f"{dims(size)} {thing}" + ("" if size == (1, 1, 1) else "s")


def percent(share: float) -> str:
    """Return a share with three digits: 0.125 is "12.5 %"."""
    return f"{100 * share:.3g} %"
