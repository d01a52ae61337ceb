"""Where a launch goes: to the simulated GPU, watched or not, also in the stock simulator's place."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba import cuda

from utils import connect, simt
from utils.simt import connection

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def device():
    if not connect().simulated:
        pytest.skip("there is a real GPU here: nothing is put in its place")


@cuda.jit
def double(a, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = 2 * a[i]


@cuda.jit
def unguarded(out):
    out[cuda.grid(1)] = 1


def test_inspect_reports_each_launch_and_prints_nothing(capsys):
    capsys.readouterr()
    with simt.inspect() as reports:
        double[1, 32](np.zeros(8), np.zeros(8))
        unguarded[2, 8](np.zeros(8))
    assert [(r.kernel, r.ok) for r in reports] == [("double", True), ("unguarded", False)]
    assert reports[0].global_loads.requests == 1
    assert capsys.readouterr().out == ""


def test_an_error_inside_ends_the_watching():
    with pytest.raises(ZeroDivisionError), simt.inspect():
        _ = 1 / 0
    assert connection._watchers == []


def test_a_launch_needs_grid_and_block():
    for wrong in (1, (1,), (1, 2, 3, 4, 5)):
        with pytest.raises(ValueError, match="a launch needs at least"):
            double[wrong]


def test_stream_and_shared_bytes_may_follow():
    out = np.zeros(8)
    double[1, 32, cuda.stream(), 1024](np.ones(8), out)
    double.configure(1, 32, 0, 0)(np.ones(8), out)
    assert (out == 2).all()


@pytest.mark.parametrize(("tasks", "threads"), [(5, 0), (300, 0), (300, 32)])
def test_forall_starts_a_thread_for_each_task(tasks, threads):
    out = np.zeros(tasks)
    with simt.inspect() as reports:
        double.forall(tasks, tpb=threads)(np.ones(tasks), out)
    assert (out == 2).all()
    assert reports[0].block == (threads or 256, 1, 1) and reports[0].grid == (-(-tasks // (threads or 256)), 1, 1)


def test_a_signature_is_dropped_and_options_stay():
    for decorator in (
        cuda.jit("void(float64[:])"),
        cuda.jit(["void(float64[:])"]),
        cuda.jit(fastmath=True),
        cuda.jit(),
    ):

        def one(out):
            out[cuda.grid(1)] = 1

        out = np.zeros(4)
        decorator(one)[1, 4](out)
        assert (out == 1).all()


def test_a_device_function_made_from_a_lambda_is_refused_and_not_run():
    square = cuda.jit(device=True)(lambda x: x * x)

    @cuda.jit
    def uses(out):
        out[0] = square(2)

    with pytest.raises(simt.LaunchError):
        uses[1, 1](np.zeros(1))


SCRIPT = """
import numpy as np
from utils import connect, simt
device = connect()
from numba import cuda
assert device.simulated and cuda.is_available()

@cuda.jit(device=True)
def twice(x):
    return 2 * x

@cuda.jit
def kernel(x, out):
    s = cuda.shared.array(32, "float32")
    t = cuda.threadIdx.x
    s[t] = twice(x[t])
    out[t] = s[31 - t] + np.uint8(200) + np.uint8(200)

x, out = np.arange(32, dtype=np.float32), np.zeros(32)
kernel[1, 32](x, out)
assert out[0] == 62 + 400
there = cuda.to_device(np.zeros(32))
kernel[1, 32](cuda.to_device(x), there)
assert there.copy_to_host()[0] == 462
with simt.inspect() as reports:
    kernel[1, 32](x, out)
assert {f.kind for f in reports[0].findings} == {"race"}, reports
try:
    kernel[1, 2048](x, out)
except simt.LaunchError as error:
    print(error)
"""


@pytest.mark.parametrize("stock", ["0", "1"])
def test_it_works_with_and_without_the_stock_simulator(tmp_path, stock):
    """Does NUMBA_ENABLE_CUDASIM=1 still run our engine, with its findings and its refusals?"""
    path = tmp_path / "lesson.py"
    path.write_text(SCRIPT)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_ENABLE_CUDASIM": stock}
    done = subprocess.run(
        [sys.executable, "-W", "error", str(path)], env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert "a block of 2,048 threads is too large" in done.stdout
