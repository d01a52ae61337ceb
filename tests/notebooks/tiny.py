"""A tiny assignment, for the tests of the walkers themselves: two tasks, one with a hidden case."""

import shutil

import nbformat.v4 as v4

from utils.grading.canonical import canonical

SETUP = """def verdict(right, wrong):
    print("Right." if right else wrong)
    return float(right)"""

DOUBLE = "### BEGIN SOLUTION\ndef double(x):\n    return 2 * x\n### END SOLUTION"
DOUBLE_CHECK = """points = 2 * verdict(double(3) == 6, f"double(3) is {double(3)}, not 6: is it a square?")
### BEGIN HIDDEN TESTS
points += verdict(double(0.5) == 1, "Halves must be doubled too.")
### END HIDDEN TESTS
points"""

HALVE = "### BEGIN SOLUTION\ndef halve(x):\n    return x / 2\n### END SOLUTION"
HALVE_CHECK = """verdict(halve(3) == 1.5, f"halve(3) is {halve(3)}, not 1.5: the remainder is lost.")"""

MUTANT = '''"""Squares instead of doubling."""

TASK = "double"
CHECK = "double-check"
EXPECT = "not 6: is it a square?"
POINTS = 0.0
SOURCE = "def double(x):\\n    return x * x"
'''


def code(name, source, **metadata):
    """Make a code cell whose id and grade_id are `name`."""
    known = {"grade_id": name, "schema_version": 3, "task": False} | metadata
    return v4.new_code_cell(source, id=name, metadata={"nbgrader": known})


def solution(name, source):
    """Make a cell that a learner fills in."""
    return code(name, source, grade=False, locked=False, solution=True)


def check(name, source, points):
    """Make a check cell."""
    return code(name, source, grade=True, locked=True, solution=False, points=points)


def notebook():
    """Make the instructor's notebook: 4 points in all."""
    cells = [
        v4.new_markdown_cell("# Tiny", id="title"),
        v4.new_code_cell(SETUP, id="setup"),
        solution("double", DOUBLE),
        check("double-check", DOUBLE_CHECK, 3),
        solution("halve", HALVE),
        check("halve-check", HALVE_CHECK, 1),
    ]
    kernel = {"name": "python3", "display_name": "Python 3"}
    return v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def project_with(folder, real_project):
    """Make a project in `folder` that has one assignment, 01_tiny, and a mutant of it."""
    assignment = folder / "solutions" / "01_tiny"
    assignment.mkdir(parents=True)
    source = canonical(v4.writes(notebook()), keep_outputs=False)
    (assignment / "tiny.ipynb").write_text(source, encoding="utf-8")
    (assignment / "data.txt").write_text("3 1 4\n", encoding="utf-8")
    mutants = folder / "tests" / "mutants" / "01_tiny"
    mutants.mkdir(parents=True)
    (mutants / "square.py").write_text(MUTANT, encoding="utf-8")
    shutil.copy(real_project / "nbgrader_config.py", folder)
    return folder
