"""Every mutant, a named wrong solution, loses the points it should and draws the sentence it should."""

import functools

import pytest

from tests.notebooks import assignments
from tests.notebooks.assignments import (
    check_cells,
    grade,
    notebook_of,
    solution_cells,
    squeezed,
    with_solutions,
)

PATHS = assignments.find_mutants()
each_mutant = pytest.mark.parametrize("path", PATHS, ids=[f"{p.parent.name}/{p.stem}" for p in PATHS])


@functools.cache
def notebook_for(assignment):
    """Read the instructor's notebook of an assignment."""
    found = [path for path in assignments.find_assignments() if path.parent.name == assignment]
    assert found, f"tests/mutants/{assignment}/ belongs to no assignment"
    return found[0], notebook_of(found[0])


@pytest.fixture(scope="session")
def reference(shell):
    """What the right solution is shown, by assignment and check cell."""

    @functools.cache
    def shown(assignment, check):
        path, notebook = notebook_for(assignment)
        return grade(shell, notebook, path.parent, only=check)[check]

    return shown


def test_there_are_mutants():
    assert PATHS, "no file in tests/mutants/: nothing shows that a check can fail"


@pytest.mark.parametrize("path", assignments.find_assignments(), ids=lambda path: path.parent.name)
def test_every_task_has_a_mutant(path):
    mutants = [assignments.read_mutant(m) for m in PATHS if m.parent.name == path.parent.name]
    assert check_cells(notebook_of(path)).keys() - {mutant.check for mutant in mutants} == set()


@each_mutant
def test_it_loses_points_and_is_told_why(path, shell, reference):
    mutant = assignments.read_mutant(path)
    source_path, notebook = notebook_for(mutant.assignment)
    assert mutant.task in solution_cells(notebook), f"TASK is one of {list(solution_cells(notebook))}"
    assert mutant.check in check_cells(notebook), f"CHECK is one of {list(check_cells(notebook))}"
    wrong = with_solutions(notebook, {mutant.task: mutant.source})
    given = grade(shell, wrong, source_path.parent, only=mutant.check)[mutant.check]
    assert given.points == pytest.approx(mutant.points), given.text
    assert given.points < given.most
    assert squeezed(mutant.expect) in given.text
    assert squeezed(mutant.expect) not in reference(mutant.assignment, mutant.check).text
