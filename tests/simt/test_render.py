"""A report as text and as HTML: what stands in it, how wide it is, and that the learner's text is never HTML."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest
from numba import cuda, float32

from utils import connect, simt
from utils.simt import render
from utils.simt.report import Finding, Report, Site


@pytest.fixture(autouse=True, scope="module")
def device():
    return connect()


@cuda.jit
def racy(a, out):
    tile = cuda.shared.array((32, 32), float32)
    x, y = cuda.grid(2)
    tile[y, x] = a[y, x]
    out[y, x] = tile[x, y] if x < 32 else a[y, x]  # <script>alert("&")</script>


@pytest.fixture(scope="module")
def report():
    connect()
    a = np.zeros((32, 32), np.float32)
    return simt.profile(racy, 1, (32, 32), a, a.copy())


class Tags(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found, self.open = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_text_begins_with_launch_and_verdict(report):
    assert str(report).splitlines()[0] == "racy[1, (32, 32)]: 1 finding"
    assert repr(report) == str(report)


def test_the_text_fits_a_terminal_but_for_sentences(report):
    lines = str(report).splitlines()
    assert all(len(line) <= 110 for line in lines if not line.startswith("  race:"))


def test_the_columns_of_the_table_stand_under_each_other(report):
    table = [line for line in str(report).splitlines() if re.match(r"\s+(line|\d+)  ", line)]
    assert len(table) >= 4 and len({line.rindex("%") if "%" in line else len(line) - 1 for line in table}) == 1


def test_the_numbers_of_an_access_are_in_its_row(report):
    (row,) = (line for line in str(report).splitlines() if "shared load" in line)
    assert "32 wavefronts" in row and "3.12 %" in row


def test_the_html_is_balanced_and_holds_nothing_that_a_notebook_drops(report):
    """Would an untrusted notebook's stored output lose its style?"""
    tags = Tags(report._repr_html_())
    assert tags.open == []
    assert {tag for tag, _ in tags.found} <= {"div", "b", "table", "tr", "th", "td", "pre"}
    assert not any("class" in attributes or "id" in attributes for _, attributes in tags.found)
    assert "var(--" not in report._repr_html_()


def test_the_learners_source_is_escaped(report):
    shown = report._repr_html_()
    assert "<script>" not in shown and "&lt;script&gt;alert(&quot;&amp;&quot;)" in shown


@pytest.mark.parametrize("place", ["kernel", "message", "source", "note", "why"])
def test_every_text_is_escaped(place):
    evil = '<img src=x onerror="alert(1)">'
    site = Site(1, evil if place == "source" else "a", "global", "load", "a", 1, 32, 128, 4)
    made = Report(
        evil if place == "kernel" else "k",
        (1, 1, 1),
        (32, 1, 1),
        findings=[Finding("race", 1, "a", evil)] if place == "message" else [],
        sites=[site],
        engine="scalar",
        why=evil if place == "why" else "asked",
        notes=(evil,) if place == "note" else (),
        warp_statements=1,
    )
    assert "<img" not in made._repr_html_() and "&lt;img" in made._repr_html_()


def test_the_lines_of_a_finding_are_marked_and_no_others(report):
    (race,) = report.findings
    marked = [line for line in render.marked_text(report).splitlines() if line.startswith("->")]
    assert [int(line.split()[1]) for line in marked] == sorted({race.line, race.other[0]})
    assert report._repr_html_().count("▶") == 2


def test_without_findings_no_source_is_shown():
    made = Report("k", (1, 1, 1), (1, 1, 1), code="def k():\n    pass\n")
    assert str(made) == "k[1, 1]: no findings"
    assert "<pre" not in made._repr_html_() and render.GREEN in made._repr_html_()


@pytest.mark.parametrize(("dims", "shown"), [((4, 1, 1), "4"), ((4, 2, 1), "(4, 2)"), ((4, 1, 3), "(4, 1, 3)")])
def test_dimensions_are_as_short_as_the_learner_would_write_them(dims, shown):
    assert str(Report("k", dims, dims)).startswith(f"k[{shown}, {shown}]")


def test_counters_of_the_scalar_engine_are_called_approximate():
    made = Report("k", (1, 1, 1), (1, 1, 1), engine="scalar", why="asked for ascending warps", warp_statements=1)
    assert "counters approximate (asked for ascending warps)" in str(made)
