"""Do the walkers notice what they are there to notice? A tiny assignment stands for the real ones."""

import time

import pytest

from tests.notebooks import assignments, tiny
from tests.notebooks.assignments import grade, notebook_of, with_solutions
from utils.grading import release


@pytest.fixture
def small(tmp_path, project):
    return tiny.project_with(tmp_path / "project", project)


def test_a_solution_earns_all_and_a_starter_nothing(shell, small):
    notebook = notebook_of(*assignments.find_assignments(small))
    assert [g.points for g in grade(shell, notebook, small).values()] == [3, 1]
    starter = release.generate(small, ["01_tiny"])["01_tiny/tiny.ipynb"].decode()
    grades = grade(shell, notebook_of(starter), small)
    assert [g.points for g in grades.values()] == [0, 0]
    assert [g.most for g in grades.values()] == [3, 1]
    assert "name 'double' is not defined" in grades["double-check"].text


def test_a_mutant_loses_its_points_and_draws_its_sentence(shell, small):
    mutant = assignments.read_mutant(*assignments.find_mutants(small))
    notebook = notebook_of(*assignments.find_assignments(small))
    grades = grade(shell, with_solutions(notebook, {mutant.task: mutant.source}), small, only=mutant.check)
    assert list(grades) == ["double-check"]
    assert grades["double-check"].points == mutant.points
    assert mutant.expect in grades["double-check"].text
    reference = grade(shell, notebook, small, only=mutant.check)
    assert mutant.expect not in reference["double-check"].text


@pytest.mark.parametrize("missing", ["TASK", "EXPECT", "POINTS"])
def test_is_a_mutant_with_a_missing_name_refused(tmp_path, missing):
    path = tmp_path / "wrong.py"
    path.write_text("\n".join(line for line in tiny.MUTANT.splitlines() if not line.startswith(missing)))
    with pytest.raises(ValueError, match=missing):
        assignments.read_mutant(path)


def test_a_word_on_stderr_costs_the_points_as_in_nbgrader(shell, small):
    noisy = [
        "import warnings; warnings.warn('noise')",
        "import os; os.write(2, b'noise')",
        "print('noise', file=sys.stderr)",
    ]
    for line in noisy:
        notebook = notebook_of(*assignments.find_assignments(small))
        check = assignments.check_cells(notebook)["halve-check"]
        check.source = f"import sys\n{line}\n{check.source}"
        assert grade(shell, notebook, small)["halve-check"].points == 0, line


def test_what_one_run_changes_no_other_run_sees(shell, tmp_path):
    shell.run(["import math; math.pi = 3"], tmp_path)
    assert shell.run(["import math; math.pi"], tmp_path)[0][0].data["text/plain"].startswith("3.14")


def test_outputs_are_those_of_a_kernel(shell, tmp_path):
    cells = [
        "from IPython.display import HTML, display\nprint('a')\ndisplay(HTML('<b>b</b>'))\nprint('c')\n4",
        "def f():\n    return 1 / 0\nimport inspect; print(inspect.getsource(f))\nf()",
        "%matplotlib inline\n1 +",
    ]
    shown, failed, unfinished = shell.run(cells, tmp_path)
    assert [o.output_type for o in shown] == ["stream", "display_data", "stream", "execute_result"]
    assert assignments.shown(shown) == "a b c 4"
    assert failed[0].text.startswith("def f():")
    assert failed[1].ename == "ZeroDivisionError"
    assert unfinished[-1].ename == "SyntaxError"


def test_an_endless_loop_ends_with_an_error_and_the_next_run_works(shell, tmp_path):
    started = time.monotonic()
    with pytest.raises(RuntimeError, match=r"at most 0\.5 s"):
        shell.run(["while True: pass"], tmp_path, seconds=0.5)
    assert time.monotonic() - started < 30
    with pytest.raises(RuntimeError, match="status"):
        shell.run(["import os; os._exit(3)"], tmp_path)
    assert shell.run(["1"], tmp_path)[0][0].data["text/plain"] == "1"
