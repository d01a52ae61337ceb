"""Mistakes of the simulated GPU that were found once, each with the kernel that showed it."""

import importlib.util

import numpy as np
import pytest
from numba import cuda, float32, int32

from utils import connect, simt

ALL = ("lockstep", "ascending", "descending")


@pytest.fixture(autouse=True, scope="module")
def device():
    return connect()


# fallback half way: arrays are not restored unless the program "spins"
@cuda.jit
def tuple_at(a, out):
    i = cuda.grid(1)
    out[i] += 1
    k = 0
    if a[i] > 0:
        k = 1
    out[i] += (10, 20)[k]


@cuda.jit
def slice_at(a, out):
    i = cuda.grid(1)
    out[i] += 1
    k = 0
    if a[i] > 0:
        k = 1
    part = a[k:]
    out[i] += part[0]


@pytest.mark.parametrize("kernel,want", [(tuple_at, [21, 11, 21, 11]), (slice_at, [8, 2, 8, 2])])
def test_fallback_restores_arrays(kernel, want):
    a, out = (np.array([1.0, 0, 1, 0]), np.zeros(4)) if kernel is tuple_at else (np.array([1.0, 7, 1, 0]), np.zeros(4))
    simt.profile(kernel, 1, 4, a, out)
    if kernel is tuple_at:
        assert out.tolist() == want
    else:
        assert out.tolist() == [1 + a[1 if a[i] > 0 else 0 :][0] for i in range(4)]


# races between blocks that are forgotten
@cuda.jit
def block_war(a, out):
    s = a[0]
    cuda.syncthreads()
    if cuda.blockIdx.x == cuda.gridDim.x - 1 and cuda.threadIdx.x == 0:
        a[0] = 5.0
    out[cuda.grid(1)] = s


@cuda.jit
def last_block_reads(c, out):
    cuda.atomic.add(c, 0, 1)
    cuda.syncthreads()
    if cuda.blockIdx.x == cuda.gridDim.x - 1 and cuda.threadIdx.x == 0:
        out[0] = c[0]


@pytest.mark.parametrize("schedule", ALL)
def test_last_block_overwrites_what_others_read(schedule):
    assert not simt.profile(block_war, 2, 64, np.ones(1), np.zeros(128), schedule=schedule).ok


@pytest.mark.parametrize("schedule", ALL)
def test_last_block_by_number_reads_a_counter(schedule):
    assert not simt.profile(last_block_reads, 3, 64, np.zeros(1, np.int32), np.zeros(1), schedule=schedule).ok


# an else arm sees what the if arm assigned (types, and values through the type)
@cuda.jit
def arm_leak(b, out):
    i = cuda.grid(1)
    y = b[i]
    if i < 2:
        y = y * 0.5
    else:
        out[y] = 1
    out[i] += y


@cuda.jit
def arm_value(b, out):
    i = cuda.grid(1)
    z = b[i]
    if i < 2:  # noqa: SIM108
        z = z - 2.0
    else:
        z = np.int64(z) // 3
    out[i] = z


def test_an_integer_stays_an_index_in_the_other_arm():
    out = np.zeros(4)
    simt.profile(arm_leak, 1, 4, np.arange(4), out)
    assert out.tolist() == [0, 0.5, 3, 4]


def test_an_integer_stays_exact_in_the_other_arm():
    large = 3 * (2**53 + 1)
    outs = []
    for schedule in ALL:
        out = np.zeros(4)
        simt.profile(arm_value, 1, 4, np.array([0, 1, 2**61 + 3, large]), out, schedule=schedule)
        outs.append(out.tolist())
    assert outs[0] == outs[1] == outs[2]


# the joint type is lost where no lane takes the path (lane), or this thread does not (scalar)
TENTH = float(np.float32(0.1)) ** 2


@cuda.jit
def dead_if(b, out):
    i = cuda.grid(1)
    x = b[i]
    if x > 100:
        x = 0.1
    out[i] = x * x


@cuda.jit
def dead_arm(b, out):
    i = cuda.grid(1)
    if b[i] > 100:  # noqa: SIM108
        x = 0.1
    else:
        x = b[i]
    out[i] = x * x


@cuda.jit(device=True)
def dead_return_of(x):
    if x > 100:
        return 0.1
    return x


@cuda.jit
def dead_return(b, out):
    i = cuda.grid(1)
    x = dead_return_of(b[i])
    out[i] = x * x


@cuda.jit
def dead_choice(b, out):
    i = cuda.grid(1)
    x = 0.1 if b[i] > 100 else b[i]
    out[i] = x * x


@cuda.jit
def dead_or(b, out):
    i = cuda.grid(1)
    x = b[i] or 0.1
    out[i] = x * x


@pytest.mark.parametrize("other", [0.0, 200.0], ids=["nobody", "somebody"])
@pytest.mark.parametrize("schedule", ALL)
@pytest.mark.parametrize("kernel", [dead_if, dead_arm, dead_return, dead_choice, dead_or], ids=lambda k: k.__name__)
def test_the_type_does_not_depend_on_the_path(kernel, schedule, other):
    b, out = np.array([0.1, other], np.float32), np.zeros(2)
    simt.profile(kernel, 1, 2, b, out, schedule=schedule)
    assert out[0] == TENTH


# a trace holds what the engine that gave up did, too
@cuda.jit
def spin(lock, out):
    if cuda.threadIdx.x < 2:
        while cuda.atomic.cas(lock, 0, 0, 1) == 1:
            pass
        out[0] += 1
        cuda.threadfence()
        cuda.atomic.exch(lock, 0, 0)


def test_a_trace_holds_one_run():
    trace = simt.trace(spin, 1, 4, np.zeros(1, np.int32), np.zeros(1))
    assert len(trace.requests) == sum(site.requests for site in trace.report.sites)


# a huge uint64 index: the engines disagree
@pytest.mark.parametrize("schedule", ALL)
def test_a_huge_unsigned_index_is_out_of_bounds(schedule):
    @cuda.jit
    def take(a, idx, out):
        i = cuda.grid(1)
        out[i] = a[idx[i]]

    idx = np.array([2**64 - 1, 1], np.uint64)
    report = simt.profile(take, 1, 2, np.arange(4.0), idx, np.zeros(2), schedule=schedule)
    assert {f.kind for f in report.findings} == {"out-of-bounds"}


# names with "v_" in them lose it
def test_names_are_shown_as_they_are():
    @cuda.jit
    def weighted(conv_w, out):
        out[0] = conv_w[0.5]

    with pytest.raises(simt.LaunchError, match="conv_w is indexed with"):
        simt.profile(weighted, 1, 1, np.zeros(4), np.zeros(4))


# minus and plus of a bool
@pytest.mark.parametrize("schedule", ALL)
def test_minus_of_a_bool_is_an_integer(schedule):
    @cuda.jit
    def signs(a, out):
        i = cuda.grid(1)
        out[i] = -(a[i] > 1) + 10 * (+(a[i] > 0))

    out = np.zeros(3)
    simt.profile(signs, 1, 3, np.arange(3.0), out, schedule=schedule)
    assert out.tolist() == [0, 10, 9]


# errors in words, not Python's own


def test_long_double_is_refused_in_words():
    with pytest.raises(simt.LaunchError, match="use a numeric dtype"):
        simt.profile(arm_value, 1, 1, np.zeros(1, np.longdouble), np.zeros(1))


def test_a_very_long_sum_runs_or_is_refused_in_words(tmp_path):
    path = tmp_path / "long.py"
    path.write_text("from numba import cuda\n@cuda.jit\ndef k(out):\n    out[0] = " + " + ".join(["1"] * 1500) + "\n")
    spec = importlib.util.spec_from_file_location("long", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    out = np.zeros(1)
    try:
        simt.profile(module.k, 1, 1, out)
        assert out[0] == 1500
    except simt.LaunchError as error:
        assert "split it over several lines" in str(error)


# dynamic shared memory, seen twice
@cuda.jit
def two_views(a, out):
    f = cuda.shared.array(0, float32)
    k = cuda.shared.array(0, int32)
    t = cuda.threadIdx.x
    f[t] = a[t]
    k[64 + t] = t
    cuda.syncthreads()
    out[t] = f[63 - t] + k[64 + t]


@cuda.jit
def reinterpreted(a, out):
    k = cuda.shared.array(0, int32)
    f = cuda.shared.array(0, float32)
    t = cuda.threadIdx.x
    f[t] = a[t]
    cuda.syncthreads()
    out[t] = k[t]


def test_two_views_are_counted_once():
    assert simt.profile(two_views, 1, 64, np.ones(64, np.float32), np.zeros(64), shared_bytes=30000).ok


def test_what_one_view_wrote_the_other_may_read():
    assert simt.profile(reinterpreted, 1, 4, np.ones(4, np.float32), np.zeros(4), shared_bytes=16).ok
