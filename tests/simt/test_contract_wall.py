"""The allow-list is a wall: nothing of a kernel runs as Python, on either engine or in a plain launch."""

import os

import numpy as np
import pytest

from tests.simt.zoo import wall, wall_objects, wall_syntax
from tests.simt.zoo.case import line_of
from utils import connect, simt

WAYS = ("lockstep", "ascending", "launch")
REFUSED = [f for f in wall_objects.FORBIDDEN if f.refused]
HARMLESS = [f for f in wall_objects.FORBIDDEN if not f.refused]


@pytest.fixture(autouse=True)
def device(request):
    if not connect().simulated and request.node.name.endswith("launch]"):
        pytest.skip("here a launch is a real one, and Numba's own compiler refuses")


@pytest.fixture(autouse=True)
def nothing_happens():
    """Fail if anything ran, whether or not it was refused afterwards."""
    wall.LOG.clear()
    yield
    assert wall.LOG == []
    assert os.listdir(wall.FOLDER) == []
    assert wall_syntax.COUNT == 0


def start(kernel, way, *args):
    """Launch `kernel` with 32 threads, in one of `WAYS`."""
    if way == "launch":
        kernel[1, 32](*args)
    else:
        return simt.profile(kernel, 1, 32, *args, schedule=way)


def arrays():
    return np.arange(32, dtype=np.float32), np.zeros(32, np.float32)


def refusal(error):
    """Return the `not-on-gpu` findings of a LaunchError."""
    found = [f for f in error.value.report.findings if f.kind == "not-on-gpu"]
    assert found
    return found


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("forbidden", REFUSED, ids=lambda forbidden: forbidden.name)
def test_it_is_refused_at_its_line_and_never_runs(forbidden, way):
    x, out = arrays()
    with pytest.raises(simt.LaunchError) as error:
        start(forbidden.kernel, way, x, out)
    line = line_of(forbidden.kernel)
    assert line in [f.line for f in refusal(error)]
    assert str(line) in str(error.value)
    assert out.shape == (32,) and not out.any()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("forbidden", HARMLESS, ids=lambda forbidden: forbidden.name)
def test_what_is_dropped_or_read_as_data_does_nothing(forbidden, way):
    if way == "launch" and not hasattr(forbidden.kernel, "py_func"):
        pytest.skip("a plain function has no launch of its own")
    try:
        start(forbidden.kernel, way, *arrays())
    except simt.LaunchError as error:
        assert {f.kind for f in error.report.findings} == {"not-on-gpu"}


@pytest.mark.parametrize("way", WAYS)
def test_a_default_is_not_evaluated_again(way):
    x, out = arrays()
    try:
        start(wall_objects.default_calls, way, x, out, 3.0)
    except simt.LaunchError as error:
        assert error.report.findings


@pytest.mark.parametrize("way", WAYS)
def test_a_device_function_is_behind_the_same_wall(way):
    with pytest.raises(simt.LaunchError) as error:
        start(wall_objects.call_device_function, way, *arrays())
    assert line_of(wall_objects.write_file) in [f.line for f in refusal(error)]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "argument",
    [wall_objects.LOUD, [1.0, 2.0], {0: 1.0}, wall.touch, os, "text", object(), {1.0}, None],
    ids=["object", "list", "dict", "function", "module", "text", "bare-object", "set", "none"],
)
def test_an_argument_that_is_no_array_and_no_number_is_refused(argument, way):
    @wall.cuda.jit
    def keep(x, out):
        out[0] = 1.0

    with pytest.raises((simt.LaunchError, TypeError)):
        start(keep, way, argument, arrays()[1])


@pytest.mark.parametrize("way", WAYS)
def test_a_subclass_of_an_array_is_read_as_its_bytes_or_refused(way):
    @wall.cuda.jit
    def double(x, out):
        i = wall.cuda.grid(1)
        out[i] = 2 * x[i]

    loud, out = np.arange(32, dtype=np.float32).view(wall_objects.LoudArray), arrays()[1]
    try:
        start(double, way, loud, out)
    except (simt.LaunchError, TypeError):
        return
    np.testing.assert_array_equal(out, 2.0 * np.arange(32))


@pytest.mark.parametrize("way", WAYS[:2])
def test_a_function_without_source_is_refused(way):
    space = {"touch": wall.touch}
    exec("def hidden(x, out):\n    touch()\n", space)
    with pytest.raises(simt.LaunchError):
        start(space["hidden"], way, *arrays())


@pytest.mark.parametrize("way", WAYS[:2])
def test_source_of_another_function_does_not_make_it_run(way):
    """Does a function that poses as another one by ``__wrapped__`` run?"""

    def pose(x, out):
        wall.touch()

    pose.__wrapped__ = wall_objects.decorated_plain
    try:
        start(pose, way, *arrays())
    except simt.LaunchError as error:
        assert {f.kind for f in error.report.findings} == {"not-on-gpu"}
