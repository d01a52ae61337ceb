"""From release to feedback with nbgrader's own commands: are the points right, and is the reason told?

Each assignment is handed in three times: perfect, half right (the other half of its tasks holds known wrong
solutions), and untouched.
"""

import csv
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.notebooks import assignments, tiny
from tests.notebooks.assignments import grade, notebook_of, plain, solution_cells, squeezed, with_solutions
from tests.notebooks.shell import Shell
from utils.grading import release

pytestmark = pytest.mark.slow

STUDENTS = ["half", "perfect", "untouched"]


def nbgrader(course, *arguments):
    """Run an nbgrader command in the course's folder; it finds alembic beside this Python."""
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    command = [sys.executable, "-m", "nbgrader", *arguments]
    done = subprocess.run(command, cwd=course, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def without_markers(source):
    """Return a solution as a learner would write it."""
    return "\n".join(line for line in source.splitlines() if "### " not in line)


class Handed:
    """What three students hand in for one assignment, and what it should earn."""

    def __init__(self, path, mutants, course):
        self.name, self.stem = path.parent.name, path.stem
        self.notebook = notebook_of(path)
        right = {name: without_markers(cell.source) for name, cell in solution_cells(self.notebook).items()}
        # Every other task is wrong: with a mutant that is told apart, or untouched where there is none.
        self.mutants = {m.task: m for m in mutants if m.task in list(right)[::2]}
        half = {name: source for name, source in right.items() if name not in list(right)[::2]}
        half |= {name: mutant.source for name, mutant in self.mutants.items()}
        self.sources = {"perfect": right, "half": half, "untouched": {}}
        released = notebook_of(course / "exercises" / self.name / path.name)
        for student, sources in self.sources.items():
            folder = course / "instructor" / "submitted" / student / self.name
            shutil.copytree(course / "exercises" / self.name, folder)
            text = assignments.nbformat.writes(with_solutions(released, sources))
            (folder / path.name).write_text(text, encoding="utf-8")
        self.starters = {name: cell.source for name, cell in solution_cells(released).items()}

    def expected(self, student, shell, folder):
        """Return the grades that the instructor's notebook gives this student in one process."""
        return grade(shell, with_solutions(self.notebook, self.starters | self.sources[student]), folder)


@pytest.fixture(scope="module")
def warm():
    shell = Shell(["numpy", "numba.cuda", "utils"])
    yield shell
    shell.close()


@pytest.fixture(scope="module", params=["tiny", *(p.parent.name for p in assignments.find_assignments())])
def graded(request, tmp_path_factory, project):
    """One assignment, handed in and graded in a course folder of its own."""
    course = tmp_path_factory.mktemp("course") / "course"
    if request.param == "tiny":
        tiny.project_with(course, project)
    else:
        shutil.copytree(project / "solutions" / request.param, course / "solutions" / request.param)
        mutants = project / "tests" / "mutants" / request.param
        shutil.copytree(mutants, course / "tests" / "mutants" / request.param)
        shutil.copy(project / "nbgrader_config.py", course)
    (path,) = assignments.find_assignments(course)
    name = path.parent.name
    assert release.main(["--register", "--project", str(course)]) == 0  # what `make gradebook` does
    handed = Handed(path, [assignments.read_mutant(m) for m in assignments.find_mutants(course)], course)
    nbgrader(course, "autograde", name)
    nbgrader(course, "generate_feedback", name)
    nbgrader(course, "export", "--to", str(course / "grades.csv"))
    return course, handed


def feedback(course, handed, student):
    """Return what a student reads in the feedback, without the source of cells: it may hold the words."""
    page = course / "instructor" / "feedback" / student / handed.name / f"{handed.stem}.html"
    markup = page.read_text(encoding="utf-8")
    told, sources = re.subn(r'<div class=" ?highlight.*?</pre></div>', " ", markup, flags=re.DOTALL)
    assert sources >= len(handed.notebook.cells) // 2, "nbgrader has changed its page"
    return squeezed(plain(told))


def test_the_points_are_those_of_one_process(graded, warm):
    course, handed = graded
    with (course / "grades.csv").open() as file:
        scores = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    folder = course / "solutions" / handed.name
    expected = {
        student: sum(g.points for g in handed.expected(student, warm, folder).values())
        for student in STUDENTS
    }
    assert scores == pytest.approx(expected)
    assert scores["untouched"] == 0 < scores["half"] < scores["perfect"]
    assert scores["perfect"] == sum(g.most for g in handed.expected("perfect", warm, folder).values())


def test_the_feedback_tells_why(graded, warm):
    course, handed = graded
    for student in STUDENTS:
        told = feedback(course, handed, student)
        for check, given in handed.expected(student, warm, course / "solutions" / handed.name).items():
            if given.points < given.most:
                assert " ".join(given.text.split()[:6]) in told, (student, check)
        for mutant in handed.mutants.values() if student == "half" else ():
            assert squeezed(mutant.expect) in told, mutant.path.name


def test_nbgrader_alone_releases_the_same_bytes(graded):
    """Does an instructor who runs nbgrader's command leave exercises/ as `make exercises` does?"""
    course, handed = graded
    for name, content in release.generate(course, [handed.name]).items():
        assert (course / "exercises" / name).read_bytes() == content, name


def test_no_reason_is_given_to_a_perfect_hand_in(graded):
    course, handed = graded
    told = feedback(course, handed, "perfect")
    assert [m.path.name for m in handed.mutants.values() if squeezed(m.expect) in told] == []
