"""A finished figure and its alternative text, which stay together in a stored notebook.

A notebook's image output has no place for alternative text, so the picture goes out as HTML: an ``<img>``
with its PNG inline. That survives in a notebook that nobody has trusted, where scripts and SVG do not.
"""

from __future__ import annotations

import base64
import html
import io
from dataclasses import dataclass, field
from pathlib import Path

from matplotlib.figure import Figure
from PIL import Image

PIXELS_PER_INCH = 144
CSS_PIXELS_PER_INCH = 96
PALETTE = 96
"""Colours in a stored picture."""


@dataclass(frozen=True)
class Picture:
    """A PNG with words for those who cannot see it; the value to end a cell on.

    Attributes
    ----------
    png : bytes
    alt : str
        What the figure shows, in a sentence or two.
    width : int
        Width on the page, in CSS pixels; a narrower page shrinks it.
    """

    png: bytes = field(repr=False)
    alt: str
    width: int

    def save(self, path: str | Path) -> None:
        """Write the PNG to `path`."""
        Path(path).write_bytes(self.png)

    def __str__(self) -> str:
        return f"[picture: {self.alt}]"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        source = base64.b64encode(self.png).decode("ascii")
        return (
            f'<img alt="{html.escape(self.alt, quote=True)}" width="{self.width}" '
            f'style="max-width:100%;height:auto;background:#ffffff" src="data:image/png;base64,{source}">'
        )


def picture(figure: Figure, alt: str) -> Picture:
    """Render `figure` and bind it to its alternative text.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    alt : str
        What the figure shows; at least a sentence, not only its title.

    Returns
    -------
    Picture
    """
    if len(alt.split()) < 4:
        raise ValueError(f"alternative text says what the figure shows, in a sentence; {alt!r} does not")
    drawn, stored = io.BytesIO(), io.BytesIO()
    figure.savefig(drawn, format="png", dpi=PIXELS_PER_INCH)
    # Few colours and many thin lines: a palette takes a third of the bytes, and a lesson holds many figures.
    Image.open(drawn).convert("RGB").quantize(PALETTE).save(stored, format="png", optimize=True)
    return Picture(stored.getvalue(), alt, round(figure.get_figwidth() * CSS_PIXELS_PER_INCH))
