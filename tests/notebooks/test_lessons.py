"""Every lesson as it is stored: canonical, short cells, fresh outputs, words for figures, sound links."""

import subprocess
import sys

import pytest

from tests.notebooks import assignments, lessons
from tests.notebooks.assignments import notebook_of
from utils.grading.canonical import canonical

LESSONS = sorted((assignments.PROJECT / "course").glob("*.ipynb"))
PAGES = LESSONS + assignments.find_assignments()
each_lesson = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
each_page = pytest.mark.parametrize("path", PAGES, ids=lambda path: f"{path.parent.name}/{path.stem}")


def test_there_are_lessons():
    assert LESSONS, "no notebook in course/"


@each_page
def test_it_is_in_canonical_form(path):
    text = path.read_text(encoding="utf-8")
    assert text == canonical(text, keep_outputs=path in LESSONS), "run `make tidy`"


@each_lesson
def test_it_keeps_the_rules_of_a_lesson(path):
    notebook, text = notebook_of(path), path.read_text(encoding="utf-8")
    rules = (
        lessons.long_cells,
        lessons.stale_outputs,
        lessons.stored_failures,
        lessons.figures_without_words,
        lessons.prose_length,
        lessons.compares_nothing,
    )
    problems = [problem for rule in rules for problem in rule(notebook)] + lessons.machine_paths(text)
    if path.stat().st_size > lessons.LARGEST_FILE:
        problems.append(f"{path.stat().st_size:,} bytes are stored")
    assert problems == []


@each_page
def test_its_cells_are_short_and_its_links_lead_somewhere(path):
    notebook = notebook_of(path)
    problems = lessons.long_cells(notebook)
    # An assignment is read where it is released; both folders lie equally deep.
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            problems += lessons.broken_links(cell.source, path.parent)
    assert problems == []


@each_page
def test_its_first_cell_says_what_hides_utils(path, tmp_path):
    """Does a learner with a utils.py of their own beside the notebook learn which file is in the way?"""
    hiding = tmp_path / "utils.py"
    hiding.write_text("def helper():\n    return 1\n")
    first = lessons.code_cells(notebook_of(path))[0][1]
    run = subprocess.run([sys.executable, "-c", first.source], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode != 0
    assert str(hiding) in run.stderr.splitlines()[-1]
