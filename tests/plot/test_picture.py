"""A picture keeps its alternative text, stays small, and leaves a learner's own matplotlib alone."""

import base64
import io
import re

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

from utils.plot import picture
from utils.plot.style import SETTINGS, counted, dims, percent, styled

ALT = 'A line that rises from 0 to 9, "steadily" & <surely>.'


def line():
    with styled():
        figure = Figure(figsize=(5, 3), layout="constrained")
        figure.subplots().plot(np.arange(10))
        return picture(figure, ALT)


def test_the_html_is_an_image_with_its_text_escaped():
    shown = line()._repr_html_()
    assert shown.startswith("<img ")
    assert 'alt="A line that rises from 0 to 9, &quot;steadily&quot; &amp; &lt;surely&gt;."' in shown
    assert 'width="480"' in shown and "<style" not in shown and "<svg" not in shown
    source = re.search(r'src="data:image/png;base64,([^"]+)"', shown)
    image = Image.open(io.BytesIO(base64.b64decode(source[1])))
    assert (image.width, image.height) == (720, 432)
    assert image.convert("RGB").getpixel((0, 0)) == (255, 255, 255)


def test_the_text_stands_in_for_it_in_a_terminal():
    assert repr(line()) == f"[picture: {ALT}]"


@pytest.mark.parametrize("alt", ["", "Figure 1", "vadd, 4 blocks"])
def test_a_figure_without_a_sentence_is_refused(alt):
    with pytest.raises(ValueError, match="alternative text"):
        picture(Figure(), alt)


def test_the_same_figure_gives_the_same_bytes(tmp_path):
    assert line().png == line().png
    line().save(tmp_path / "line.png")
    assert (tmp_path / "line.png").read_bytes() == line().png


def test_the_style_ends_with_the_block():
    matplotlib.rcParams["font.size"] = 17.0
    try:
        with styled():
            assert matplotlib.rcParams["font.size"] == SETTINGS["font.size"]
        assert matplotlib.rcParams["font.size"] == 17.0
    finally:
        matplotlib.rcdefaults()
        matplotlib.use("Agg")


def test_words_for_sizes_and_shares():
    assert (dims((4, 1, 1)), dims((4, 2, 1)), dims((4, 1, 3))) == ("4", "4 x 2", "4 x 1 x 3")
    assert (counted((1, 1, 1), "block"), counted((2, 2, 1), "block")) == ("1 block", "2 x 2 blocks")
    assert (percent(0.125), percent(1.0), percent(1 / 3)) == ("12.5 %", "100 %", "33.3 %")
