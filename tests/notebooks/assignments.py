"""Assignments and their mutants, found by walking folders, and how a notebook of one is graded."""

import html
import logging
import re
import runpy
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbgrader.utils import determine_grade, is_grade, is_solution

PROJECT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Grade:
    """What a check cell gave.

    Attributes
    ----------
    points, most : float
        Given, and given at best.
    text : str
        All that was shown, without markup.
    """

    points: float
    most: float
    text: str


@dataclass(frozen=True)
class Mutant:
    """A named wrong solution: which cell it replaces, which check must notice, and with which words."""

    path: Path
    task: str
    check: str
    expect: str
    points: float
    source: str

    @property
    def assignment(self):
        """The assignment's name, which is the name of the mutant's folder."""
        return self.path.parent.name


def find_assignments(project=PROJECT):
    """List the instructor's notebooks of all assignments."""
    return sorted((project / "solutions").glob("*/*.ipynb"))


def find_mutants(project=PROJECT):
    """List the files of all mutants."""
    return sorted((project / "tests" / "mutants").glob("*/*.py"))


def read_mutant(path):
    """Read a mutant from its file; a missing name is an error that says which."""
    found = runpy.run_path(str(path))
    missing = {"TASK", "CHECK", "EXPECT", "POINTS", "SOURCE"} - found.keys()
    if missing or not found.get("__doc__"):
        raise ValueError(f"{path.name} lacks {', '.join(sorted(missing)) or 'a docstring'}")
    names = (found[name] for name in ("TASK", "CHECK", "EXPECT", "POINTS", "SOURCE"))
    return Mutant(path, *names)


def notebook_of(path_or_text):
    """Read a notebook from a file, or from its text."""
    text = path_or_text.read_text(encoding="utf-8") if isinstance(path_or_text, Path) else path_or_text
    return nbformat.reads(text, as_version=4)


def grade_id(cell):
    """Return the id that nbgrader knows a cell by, or None."""
    return cell.metadata.get("nbgrader", {}).get("grade_id")


def solution_cells(notebook):
    """Map the grade_id of each cell that a learner fills in to the cell: code cells only."""
    return {grade_id(cell): cell for cell in notebook.cells if cell.cell_type == "code" and is_solution(cell)}


def check_cells(notebook):
    """Map the grade_id of each automatically graded cell to the cell."""
    return {grade_id(cell): cell for cell in notebook.cells if cell.cell_type == "code" and is_grade(cell)}


def with_solutions(notebook, sources):
    """Copy a notebook, with the sources of some solution cells replaced: a dict by grade_id."""
    changed = nbformat.from_dict(notebook)
    cells = solution_cells(changed)
    for name, source in sources.items():
        cells[name].source = source
    return changed


def grade(shell, notebook, folder, only=None):
    """Run a notebook in one process and grade it as nbgrader would.

    Parameters
    ----------
    notebook : NotebookNode
    folder : path
        Where to run it.
    only : str, optional
        Run one check cell and what stands before it, and leave out the other checks.

    Returns
    -------
    dict of str to Grade
        By the check cell's grade_id.
    """
    checks = check_cells(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    if only is not None:
        cells = cells[: cells.index(checks[only]) + 1]
        cells = [cell for cell in cells if grade_id(cell) not in checks.keys() - {only}]
    grades = {}
    for cell, outputs in zip(cells, shell.run([cell.source for cell in cells], folder), strict=True):
        if grade_id(cell) in checks:
            cell.outputs = outputs
            points, most = determine_grade(cell, logging.getLogger("nbgrader"))
            grades[grade_id(cell)] = Grade(points, most, shown(outputs))
    return grades


def shown(outputs):
    """Return what a reader sees of a cell's outputs, in one line of plain text."""
    texts = []
    for output in outputs:
        if output.output_type == "stream":
            texts.append(output.text)
        elif output.output_type == "error":
            texts.append(f"{output.ename}: {output.evalue}")
        elif "text/html" in output.data:
            texts.append(plain(output.data["text/html"]))
        else:
            texts.append(output.data.get("text/plain", ""))
    return squeezed(" ".join(texts))


def plain(markup):
    """Drop HTML's tags and entities."""
    return html.unescape(re.sub(r"<(style|script).*?</\1>|<[^>]*>", "", markup, flags=re.DOTALL))


def squeezed(text):
    """Make every run of white space one space, so that the wrapping of a sentence does not matter."""
    return " ".join(text.split())
