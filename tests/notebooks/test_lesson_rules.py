"""Does each rule of tests.notebooks.lessons notice a notebook that breaks it, and let a good one pass?"""

import nbformat.v4 as v4
import pytest

from tests.notebooks import lessons


def page(source="1", count=1, outputs=(), tags=(), prose=""):
    """Make a notebook of one Markdown cell and one code cell."""
    cell = v4.new_code_cell(source, execution_count=count, outputs=list(outputs))
    cell.metadata.tags = list(tags)
    return v4.new_notebook(cells=[v4.new_markdown_cell(prose), cell])


def picture(**metadata):
    return v4.new_output("display_data", data={"image/png": "AAAA"}, metadata=metadata)


def stream(name):
    return v4.new_output("stream", name=name, text="a word")


def words(count):
    return " ".join(["word"] * count)


BROKEN = [
    (lessons.long_cells, page("x = 1\n" * 26)),
    (lessons.stale_outputs, page()),
    (lessons.stale_outputs, page(count=7, outputs=[stream("stdout")])),
    (lessons.stored_failures, page(outputs=[v4.new_output("error", ename="E", evalue="e", traceback=[])])),
    (lessons.stored_failures, page(outputs=[stream("stderr")])),
    (lessons.figures_without_words, page(outputs=[picture()])),
    (lessons.figures_without_words, page(outputs=[picture(**{"image/png": {"width": 3}})])),
    (lessons.figures_without_words, page(prose="![](figure.png)")),
    (lessons.figures_without_words, page(prose='<img src="figure.png">')),
    (lessons.prose_length, page(prose=words(599))),
    (lessons.prose_length, page(prose=words(1801))),
    (lessons.compares_nothing, page()),
]
SOUND = [
    (lessons.long_cells, page("x = 1\n" * 25)),
    (lessons.stale_outputs, page(outputs=[stream("stdout")])),
    (lessons.stored_failures, page(outputs=[stream("stdout")])),
    (lessons.figures_without_words, page(outputs=[picture(**{"image/png": {"alt": "Two bars."}})])),
    (lessons.figures_without_words, page(prose="![Two bars.](figure.png)")),
    (lessons.prose_length, page(prose=words(600))),
    (lessons.prose_length, page(prose=words(1800))),
    (lessons.compares_nothing, page(tags=["nbval-check-output"])),
    (lessons.compares_nothing, page("# NBVAL_CHECK_OUTPUT\n1")),
]


@pytest.mark.parametrize(("rule", "notebook"), BROKEN)
def test_a_broken_page_is_noticed(rule, notebook):
    assert len(rule(notebook)) == 1


@pytest.mark.parametrize(("rule", "notebook"), SOUND)
def test_a_sound_page_passes(rule, notebook):
    assert rule(notebook) == []


@pytest.mark.parametrize("path", ["/home/ada/x.py", "/tmp/ipykernel_12/3.py", "C:\\Users\\ada"])
def test_a_path_of_one_machine_is_noticed(path):
    assert len(lessons.machine_paths(f"File {path}, line 3")) == 1


def test_links_that_lead_nowhere_are_noticed(tmp_path):
    (tmp_path / "with space.ipynb").write_text("{}")
    sound = "[a](with%20space.ipynb#Part) [b](#here) [c](https://example.org/x) `[d](e)`"
    assert lessons.broken_links(sound, tmp_path) == []
    absolute = f"[a]({tmp_path}/with%20space.ipynb)"
    for text in ("[a](gone.ipynb)", absolute, '<a href="gone">x</a>', "![w](gone.png)"):
        assert len(lessons.broken_links(text, tmp_path)) == 1, text
