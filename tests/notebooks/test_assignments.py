"""Every assignment: the solution earns all, the starter nothing, and the release gives nothing away."""

import pytest

from tests.notebooks import assignments
from tests.notebooks.assignments import check_cells, grade, notebook_of, solution_cells, with_solutions
from utils.grading import release

PATHS = assignments.find_assignments()
NAMES = [path.parent.name for path in PATHS]
each_assignment = pytest.mark.parametrize("path", PATHS, ids=NAMES)


def release_of(path, released):
    return released[f"{path.parent.name}/{path.name}"].decode()


def test_there_are_assignments():
    assert PATHS, "no notebook in solutions/: every other test here would pass by testing nothing"


@each_assignment
def test_it_has_three_to_six_tasks_and_ten_points(path):
    points = [float(cell.metadata.nbgrader.points) for cell in check_cells(notebook_of(path)).values()]
    assert 3 <= len(points) <= 6
    assert sum(points) == 10


@each_assignment
def test_the_solution_earns_all_points(path, shell, tmp_path):
    grades = grade(shell, notebook_of(path), path.parent)
    assert {name: (g.points, g.text) for name, g in grades.items() if g.points != g.most} == {}


@each_assignment
def test_the_starter_earns_nothing_and_is_told_why(path, shell, released):
    grades = grade(shell, notebook_of(release_of(path, released)), path.parent)
    assert {name: (g.points, g.text) for name, g in grades.items() if g.points != 0} == {}
    assert all(g.text for g in grades.values())


@each_assignment
def test_a_learner_who_solves_it_sees_points(path, shell, released):
    """Do the visible cases run on their own, give points, and say that more cases are to come?"""
    notebook = notebook_of(path)
    solved = {name: cell.source for name, cell in solution_cells(notebook).items()}
    grades = grade(shell, with_solutions(notebook_of(release_of(path, released)), solved), path.parent)
    for name, cell in check_cells(notebook).items():
        seen = grades[name]
        assert 0 < seen.points <= seen.most, (name, seen.text)
        assert "Error" not in seen.text, (name, seen.text)
        if "BEGIN HIDDEN TESTS" in cell.source:
            assert "when graded" in seen.text, (name, seen.text)


@each_assignment
def test_the_release_leaks_no_solution_and_no_hidden_case(path, released):
    text = release_of(path, released)
    assert "HIDDEN TESTS" not in text
    assert "SOLUTION ###" not in text and "BEGIN SOLUTION" not in text
    release_lines = {line.strip() for cell in notebook_of(text).cells for line in cell.source.splitlines()}
    secrets = {line for line in secret_lines(notebook_of(path)) if len(line) > 24}
    assert secrets & release_lines == set()


def secret_lines(notebook):
    """Return the lines of solutions and hidden cases that stand nowhere else in the notebook."""
    secret, public = set(), set()
    for cell in notebook.cells:
        inside = False
        for line in cell.source.splitlines():
            if "### BEGIN SOLUTION" in line or "### BEGIN HIDDEN TESTS" in line:
                inside = True
            elif "### END" in line:
                inside = False
            else:
                (secret if inside else public).add(line.strip())
    return secret - public


@each_assignment
def test_exercises_are_up_to_date(path, project, released):
    """Is the record in exercises/ that of a fresh generation? A learner's own notebook is left out."""
    folder, exercises = path.parent.name, project / "exercises"
    record = release.read_record(exercises)
    for name in (name for name in released if name.startswith(folder + "/")):
        fresh = release.digest(released[name])
        assert record.get(name) == fresh, f"{name}: run `make exercises` and commit what it writes"
        assert (exercises / name).exists(), f"{name}: run `make exercises`"
        if release.is_learners(exercises, name):
            pytest.skip(f"exercises/{name} holds someone's work, and is not compared")
