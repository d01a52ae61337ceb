"""Connecting needs no environment variable, does not care about the order of imports, and says what it found."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from utils import connect, simt

ROOT = Path(__file__).parents[2]

KERNEL = """
@cuda.jit
def double(x, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = 2 * x[i]
"""
USE = """
import numpy as np
x, out, there = np.arange(40.0), np.zeros(40), cuda.to_device(np.zeros(40))
double[2, 32](x, out)
double[2, 32](cuda.to_device(x), there)
assert (out == 2 * x).all() and (there.copy_to_host() == 2 * x).all()
report = simt.profile(double, 2, 32, x, out)
assert report.ok and report.global_loads.requests == 2, report
assert double.py_func.__name__ == "double"
print("done")
"""
CONNECT = "from utils import connect, simt\ndevice = connect()\n"
IMPORT = "from numba import cuda\n"


def run(path, source, **environment):
    """Run `source` as a script in a process of its own and return what it printed."""
    path.write_text(source)
    clean = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    done = subprocess.run(
        [sys.executable, "-W", "error", str(path)],
        env={**clean, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture(autouse=True, scope="module")
def simulated():
    if not connect().simulated:
        pytest.skip("there is a real GPU here: nothing is put in its place")


@pytest.mark.parametrize(
    "source",
    [CONNECT + IMPORT + KERNEL + USE, IMPORT + CONNECT + KERNEL + USE, IMPORT + KERNEL + CONNECT + USE],
    ids=["connect first", "import first", "kernel first"],
)
def test_the_order_does_not_matter(tmp_path, source):
    printed = run(tmp_path / "lesson.py", source)
    assert len(printed) == 2 and "imulated" in printed[0] and printed[1] == "done"


def test_it_takes_the_place_of_the_stock_simulator(tmp_path):
    source = CONNECT + IMPORT + KERNEL + USE.replace("assert double.py_func", "# assert double.py_func")
    assert run(tmp_path / "lesson.py", source, NUMBA_ENABLE_CUDASIM="1")[-1] == "done"


def test_an_eager_signature_is_no_obstacle(tmp_path):
    source = CONNECT + IMPORT + KERNEL.replace("@cuda.jit", '@cuda.jit("void(float64[:], float64[:])")') + USE
    assert run(tmp_path / "lesson.py", source)[-1] == "done"


def test_importing_the_course_does_not_load_torch_or_greenlet(tmp_path):
    source = CONNECT + "import sys\nprint(sorted({'torch', 'greenlet'} & set(sys.modules)))\n"
    assert run(tmp_path / "lesson.py", source)[-1] == "[]"


def test_connecting_twice_changes_nothing(capsys):
    first, second = connect(), connect()
    assert first == second
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 and lines[0] == lines[1]


def test_the_host_side_of_a_launch():
    """Does what a host program calls around a launch exist, and copy rather than share?"""
    from numba import cuda

    assert cuda.is_available()
    host = np.arange(12.0).reshape(3, 4)
    there = cuda.to_device(host)
    host[0, 0] = 99
    assert there.copy_to_host()[0, 0] == 0
    assert (there.shape, there.dtype, there.size, there.ndim) == ((3, 4), host.dtype, 12, 2)
    back = np.zeros((3, 4))
    there.copy_to_host(back)
    assert back[2, 3] == 11
    assert cuda.device_array((2, 2), np.int32).copy_to_host().shape == (2, 2)
    assert cuda.device_array_like(there).shape == (3, 4)
    assert cuda.pinned_array(5, np.float32).shape == (5,)
    stream = cuda.stream()
    assert cuda.to_device(host, stream=stream).copy_to_host(stream=stream)[0, 0] == 99
    stream.synchronize()
    cuda.synchronize()


def test_events_and_the_device_answer():
    from numba import cuda

    start, end = cuda.event(), cuda.event()
    start.record()
    end.record()
    end.synchronize()
    assert start.elapsed_time(end) >= 0
    assert cuda.event_elapsed_time(start, end) >= 0
    assert cuda.get_current_device().WARP_SIZE == 32
    assert cuda.get_current_device().compute_capability >= (6, 0)


def test_the_names_of_the_contract_are_there():
    for name in ("profile", "inspect", "trace", "Finding", "Report", "Site", "Trace", "LaunchError"):
        assert hasattr(simt, name) and name in simt.__all__
    assert issubclass(simt.KernelNameError, simt.LaunchError) and issubclass(simt.KernelNameError, NameError)
    assert issubclass(simt.KernelTypeError, simt.LaunchError) and issubclass(simt.KernelTypeError, TypeError)
