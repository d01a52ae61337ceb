"""A check cell in IPython, as nbgrader runs it: released, graded, started, and noisy."""

import re

import pytest

from tests.notebooks.shell import Shell

SETUP = """
import logging, os, sys, warnings
import numpy as np
from utils import connect
connect()
from numba import cuda
handler = logging.StreamHandler(sys.stderr)
logging.getLogger("early").addHandler(handler)
"""
SOLUTION = """# mine
@cuda.jit
def saxpy(out, a, x, y):
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[i] = a * x[i] + y[i]
"""
STARTER = """# mine
@cuda.jit
def saxpy(out, a, x, y):
    # YOUR CODE HERE
    raise NotImplementedError
"""
HALF = SOLUTION.replace("out.size", "1_000")
NOISY = """
def double(x):
    warnings.warn("slow")
    logging.getLogger("early").warning("old handler")
    logging.getLogger("new").warning("no handler")
    os.write(2, b"from C")
    print("to stderr", file=sys.stderr)
    return 2 * x
"""
DOUBLE_CHECK = """
from utils.checks import Case, check_function
check_function(double, lambda x: 2 * x, [Case("three", {"x": 3})], points=2).points
"""


def documented_cell():
    """Return the example of the package's own documentation."""
    import utils.checks

    example = re.search(r"3 points::\n\n(.*?)\n\n\*\*", utils.checks.__doc__, re.DOTALL)
    return re.sub(r"^    ", "", example.group(1), flags=re.MULTILINE)


def released(cell):
    """Remove the hidden part, as nbgrader does for a release."""
    return re.sub(r"### BEGIN HIDDEN TESTS.*### END HIDDEN TESTS\n", "", cell, flags=re.DOTALL)


@pytest.fixture(scope="module")
def shell():
    """A warm process that has loaded the engine."""
    warm = Shell(["numpy", "numba.cuda", "utils.checks"])
    yield warm
    warm.close()


def last(shell, tmp_path, *cells):
    """Run cells; return the last one's outputs, its result, and the text of its display."""
    outputs = shell.run([SETUP, *cells], tmp_path)[-1]
    assert not [output for output in outputs if output.output_type == "error"]
    results = [output.data["text/plain"] for output in outputs if output.output_type == "execute_result"]
    shown = [output.data for output in outputs if output.output_type == "display_data"]
    assert len(results) == len(shown) == 1
    assert shown[0]["text/html"].startswith("<div")
    return outputs, float(results[0]), shown[0]["text/plain"]


def test_the_documented_cell_gives_a_solution_everything(shell, tmp_path):
    _, points, shown = last(shell, tmp_path, SOLUTION, documented_cell())
    assert points == 3.0 and "a prime number of elements" in shown


def test_its_release_gives_the_visible_share_and_says_what_is_missing(shell, tmp_path):
    cell = released(documented_cell())
    assert "prime" not in cell
    _, points, shown = last(shell, tmp_path, SOLUTION, cell)
    assert points == 1.5 and "2 more cases when graded" in shown


def test_a_starter_earns_nothing_and_is_told_so_in_a_sentence(shell, tmp_path):
    _, points, shown = last(shell, tmp_path, STARTER, documented_cell())
    assert points == 0.0
    assert "put your code in place of line 5, `raise NotImplementedError`" in shown


def test_a_half_right_kernel_is_told_its_line_in_its_cell(shell, tmp_path):
    _, points, shown = last(shell, tmp_path, HALF, documented_cell())
    assert 0 < points < 3
    assert "out-of-bounds: line 5, out[i] = a * x[i] + y[i]" in shown


def test_an_error_names_the_line_of_the_cell(shell, tmp_path):
    _, points, shown = last(shell, tmp_path, "# mine\n\ndef double(x):\n    return x + missing", DOUBLE_CHECK)
    assert points == 0.0
    assert "line 4, `return x + missing`: NameError: name 'missing' is not defined" in shown


def test_a_noisy_solution_keeps_stderr_empty_and_its_points(shell, tmp_path):
    outputs, points, _ = last(shell, tmp_path, NOISY, DOUBLE_CHECK)
    assert points == 2.0
    streams = {output.name: output.text for output in outputs if output.output_type == "stream"}
    assert set(streams) == {"stdout"}
    for words in ("slow", "old handler", "no handler", "from C", "to stderr"):
        assert words in streams["stdout"]
