"""What a launch prints, stores and leaves behind."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from numba import cuda

from tests.simt.zoo.case import line_of
from tests.simt.zoo.right import BY_NAME
from tests.simt.zoo.wrong import WRONG
from utils import connect, simt

BAD = {wrong.name: wrong for wrong in WRONG}
PLAIN = ("out-of-bounds", "negative-index", "barrier-divergence")
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True, scope="module")
def device():
    if not connect().simulated:
        pytest.skip("here a launch is a real one, which checks and prints nothing")


@cuda.jit
def copy(a, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i]  # <- here


@cuda.jit
def copy_unguarded(a, out):
    i = cuda.grid(1)
    out[i] = a[i]  # <- here


@cuda.jit
def read_past(a, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i + 4]  # <- here


@pytest.mark.parametrize("name", [w.name for w in WRONG if w.findings[0].kind in PLAIN])
def test_a_plain_launch_prints_each_finding_once_and_goes_on(name, capsys):
    wrong = BAD[name]
    expected = simt.profile(wrong.kernel, wrong.grid, wrong.block, *wrong.args())
    capsys.readouterr()
    wrong.kernel[wrong.grid, wrong.block](*wrong.args())
    printed, errors = capsys.readouterr()
    for finding in expected.findings:
        assert printed.count(finding.message) == 1
    assert errors == ""


def test_an_out_of_bounds_load_gives_poison_and_a_store_is_dropped(capsys):
    around = np.zeros(64, np.float32)
    copy_unguarded[1, 64](np.ones(64, np.float32), around[:32])
    assert around[:32].all() and not around[32:].any()
    reals = np.zeros(32, np.float32)
    read_past[1, 32](np.ones(32, np.float32), reals)
    assert (reals[:28] == 1).all() and np.isnan(reals[28:]).all()
    wholes = np.zeros(32, np.int32)
    read_past[1, 32](np.ones(32, np.int32), wholes)
    limits = np.iinfo(np.int32)
    assert (wholes[:28] == 1).all() and set(wholes[28:].tolist()) <= {limits.min, limits.max}
    assert str(line_of(read_past)) in capsys.readouterr().out


def test_a_negative_index_wraps_as_numba_makes_it(capsys):
    wrong = BAD["difference"]
    a, out = wrong.args()
    wrong.kernel[wrong.grid, wrong.block](a, out)
    assert out[0] == a[0] - a[-1]
    assert "a[-1]" in capsys.readouterr().out


def test_threads_that_arrive_at_a_divergent_barrier_go_on(capsys):
    wrong = BAD["return_before_barrier"]
    x, out = wrong.args()
    wrong.kernel[wrong.grid, wrong.block](x, out)
    np.testing.assert_array_equal(out, x)
    assert "(36,0,0)" in capsys.readouterr().out.replace(" ", "")


def test_an_endless_loop_stops_a_plain_launch(capsys):
    wrong = BAD["never_ends"]
    with pytest.raises(simt.LaunchError) as error:
        wrong.kernel[wrong.grid, wrong.block](*wrong.args())
    assert [f.kind for f in error.value.report.findings] == ["budget"]
    report = simt.profile(wrong.kernel, wrong.grid, wrong.block, *wrong.args())
    assert [f.kind for f in report.findings] == ["budget"]
    capsys.readouterr()


def test_races_come_only_when_asked_for(capsys):
    race = BAD["sum_into_one"]
    race.kernel[race.grid, race.block](*race.args())
    assert capsys.readouterr().out == ""
    with simt.inspect() as reports:
        race.kernel[race.grid, race.block](*race.args())
        copy[1, 32](np.ones(32), np.zeros(32))
    assert [report.kernel for report in reports] == ["sum_into_one", "copy"]
    assert [f.kind for f in reports[0].findings] == ["race"] and reports[1].ok
    assert reports[1].global_loads.requests == 1


def test_stores_are_seen_in_numpy_torch_and_device_arrays():
    a = np.arange(100, dtype=np.float32)
    host, tensor, on_device = np.zeros(100, np.float32), torch.zeros(100), cuda.device_array(100, np.float32)
    for out in (host, tensor, on_device):
        assert simt.profile(copy, 1, 128, a, out).ok
    plain, plain_tensor, plain_device = np.zeros(100, np.float32), torch.zeros(100), cuda.to_device(host * 0)
    for out in (plain, plain_device):
        copy[1, 128](a, out)
    copy[1, 128](torch.from_numpy(a), plain_tensor)
    for out in (host, tensor.numpy(), on_device.copy_to_host()):
        np.testing.assert_array_equal(out, a)
    for out in (plain, plain_tensor.numpy(), plain_device.copy_to_host()):
        np.testing.assert_array_equal(out, a)


def test_stores_are_seen_through_a_strided_tensor():
    table = torch.zeros(40, 3)
    assert simt.profile(copy, 1, 64, np.arange(40, dtype=np.float32), table[:, 1]).ok
    np.testing.assert_array_equal(table.numpy()[:, 1], np.arange(40))
    assert not table[:, 0].any() and not table[:, 2].any()


def test_arrays_start_at_256_bytes_and_views_of_device_arrays_keep_their_offset():
    host = np.arange(257, dtype=np.float32)
    whole = cuda.to_device(host)

    def sectors(a):
        out = cuda.device_array(128, np.float32)
        report = simt.profile(copy, 1, 128, a, out)
        assert report.ok
        return report.global_loads.sectors_per_request, out.copy_to_host()

    for a, per_request, first in [
        (whole, 4, 0),  # 32 lanes of 4 bytes from a boundary: 4 sectors
        (whole[1:], 5, 1),  # one element on: each request reaches into a fifth sector
        (whole[8:], 4, 8),  # a whole sector on: aligned again
        (host, 4, 0),
        (host[1:129], 4, 1),  # a NumPy view is copied to the device, so it starts at a boundary there
    ]:
        found, values = sectors(a)
        assert found == per_request
        np.testing.assert_array_equal(values, host[first : first + 128])


def test_a_plain_function_can_be_profiled():
    x, out = np.ones(32), np.zeros(32)
    assert simt.profile(copy.py_func, 1, 32, x, out).ok and out.all()


def test_a_report_is_the_same_in_every_process():
    """Does anything depend on hash order, addresses or the clock?"""
    script = (
        "import json\n"
        "from tests.simt.zoo.right import BY_NAME\n"
        "from tests.simt.zoo.wrong import WRONG\n"
        "from utils import connect, simt\n"
        "connect()\n"
        "cases = [BY_NAME[name] for name in ('matmul_tiled', 'compact', 'mandelbrot', 'warp_scan')]\n"
        "names = ('histogram', 'reverse', 'both_neighbours', 'half_filled')\n"
        "cases += [w for w in WRONG if w.name in names]\n"
        "for schedule in ('lockstep', 'ascending'):\n"
        "    for c in cases:\n"
        "        report = simt.profile(c.kernel, c.grid, c.block, *c.args(), schedule=schedule)\n"
        "        print('report', json.dumps(report.to_dict()), flush=True)\n"
    )
    outputs = []
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run(
            [sys.executable, "-c", script],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            check=True,
            timeout=300,
        )
        outputs.append([line for line in done.stdout.splitlines() if line.startswith(b"report ")])
    assert len(outputs[0]) == 16 and outputs[0] == outputs[1]
    here = BY_NAME["matmul_tiled"]
    report = simt.profile(here.kernel, here.grid, here.block, *here.args())
    assert outputs[0][0] == b"report " + json.dumps(report.to_dict()).encode()
