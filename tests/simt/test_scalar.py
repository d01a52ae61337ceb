"""The second engine: one thread after another, switching where threads wait."""

import numpy as np
import pytest
from numba import cuda, float32, int32

from utils import connect, simt


@pytest.fixture(autouse=True, scope="module")
def device():
    return connect()


@cuda.jit
def arrival(counter, out):
    i = cuda.grid(1)
    out[i] = cuda.atomic.add(counter, 0, 1)


@cuda.jit
def arrival_with_barrier(counter, out):
    i = cuda.grid(1)
    cuda.syncthreads()
    out[i] = cuda.atomic.add(counter, 0, 1)


@pytest.mark.parametrize("kernel", [arrival, arrival_with_barrier])
def test_warps_run_in_the_order_asked_for(kernel):
    """Does "descending" turn warps around, and leave the lanes of a warp in order?"""
    orders = {}
    for schedule in ("ascending", "descending"):
        out = np.zeros(64, np.int32)
        simt.profile(kernel, 1, 64, np.zeros(1, np.int32), out, schedule=schedule)
        orders[schedule] = out.tolist()
    assert orders["ascending"] == list(range(64))
    assert orders["descending"] == [*range(32, 64), *range(32)]


def test_lockstep_runs_lanes_in_order():
    out = np.zeros(64, np.int32)
    assert simt.profile(arrival, 1, 64, np.zeros(1, np.int32), out).engine == "lane"
    assert out.tolist() == list(range(64))


@cuda.jit
def lock(mutex, total):
    if cuda.threadIdx.x % 8 == 0:
        while cuda.atomic.cas(mutex, 0, 0, 1) != 0:
            pass
        total[0] += 1
        cuda.threadfence()
        cuda.atomic.exch(mutex, 0, 0)


def test_a_spin_lock_falls_back_and_comes_out_right():
    total = np.zeros(1)
    report = simt.profile(lock, 2, 32, np.zeros(1, np.int32), total, check=False)
    assert (report.engine, total[0]) == ("scalar", 8)
    assert "wait" in report.why


@cuda.jit
def swapped(a, b, out):
    i = cuda.grid(1)
    if i % 2:  # noqa: SIM108
        chosen = a
    else:
        chosen = b
    out[i] = chosen[i]


def test_arrays_chosen_by_a_branch_fall_back():
    a, b, out = np.arange(4.0), -np.arange(4.0), np.zeros(4)
    report = simt.profile(swapped, 1, 4, a, b, out)
    assert report.engine == "scalar" and "arrays" in report.why
    assert out.tolist() == [0, 1, -2, 3]


@cuda.jit
def two_barriers(out):
    s = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    if t == 0:
        s[0] = 1
    if t < 32:
        cuda.syncthreads()  # <- first
        out[t] = s[0]
    else:
        cuda.syncthreads()  # <- second
        out[t] = 2


@pytest.mark.parametrize("schedule", ["lockstep", "ascending", "descending"])
def test_threads_at_two_barriers_are_both_reported_and_go_on(schedule):
    out = np.zeros(64, np.int32)
    report = simt.profile(two_barriers, 1, 64, out, schedule=schedule)
    found = [f for f in report.findings if f.kind == "barrier-divergence"]
    assert len(found) == 2 and len({f.line for f in found}) == 2
    assert out.tolist() == [1] * 32 + [2] * 32


@cuda.jit
def sums(a, out):
    t = cuda.threadIdx.x
    x = a[t]
    for step in (16, 8, 4, 2, 1):
        x += cuda.shfl_down_sync(0xFFFFFFFF, x, step)
    if t % 32 == 0:
        out[t // 32] = x


@cuda.jit
def neighbours(a, out):
    t = cuda.threadIdx.x
    up = cuda.shfl_up_sync(0xFFFFFFFF, a[t], 1)
    crossed = cuda.shfl_xor_sync(0xFFFFFFFF, a[t], 3)
    first = cuda.shfl_sync(0xFFFFFFFF, a[t], 34)
    out[t] = up + 100 * crossed + 10000 * first


@cuda.jit
def votes(a, out):
    t = cuda.threadIdx.x
    held = a[t] > 2
    out[t] = cuda.ballot_sync(0xFFFFFFFF, held) % 1000
    if cuda.any_sync(0xFFFFFFFF, held):
        out[t] += 1000
    if cuda.all_sync(0xFFFFFFFF, held):
        out[t] += 2000
    if cuda.eq_sync(0xFFFFFFFF, held):
        out[t] += 4000


@cuda.jit
def block_votes(a, out):
    t = cuda.threadIdx.x
    held = 1 if a[t] > 2 else 0
    out[t] = cuda.syncthreads_count(held) + 100 * cuda.syncthreads_and(held) + 200 * cuda.syncthreads_or(held)


@pytest.mark.parametrize("schedule", ["lockstep", "ascending", "descending"])
def test_lanes_of_a_warp_talk(schedule):
    a = np.arange(64.0)
    out = np.zeros(2)
    assert simt.profile(sums, 1, 64, a, out, schedule=schedule).ok
    assert out.tolist() == [a[:32].sum(), a[32:].sum()]
    out = np.zeros(64)
    assert simt.profile(neighbours, 1, 64, a, out, schedule=schedule).ok
    lane, start = np.arange(64) % 32, np.arange(64) // 32 * 32
    assert out.tolist() == (start + np.maximum(lane - 1, 0) + (lane == 0) * 0 + 100 * (start + (lane ^ 3))
                            + 10000 * (start + 2)).tolist()  # fmt: skip


@pytest.mark.parametrize("schedule", ["lockstep", "ascending", "descending"])
@pytest.mark.parametrize(("values", "warp", "block"), [
    (np.arange(32), (2**32 - 8) % 1000 + 1000, 29 + 200),
    (np.zeros(32), 4000, 0),
    (np.full(32, 5), (2**32 - 1) % 1000 + 7000, 332),
])  # fmt: skip
def test_warps_and_blocks_vote(values, warp, block, schedule):
    out = np.zeros(32)
    assert simt.profile(votes, 1, 32, values, out, schedule=schedule).ok
    assert set(out) == {warp}
    assert simt.profile(block_votes, 1, 32, values, out, schedule=schedule).ok
    assert set(out) == {block}


@pytest.mark.parametrize("schedule", ["lockstep", "ascending", "descending"])
def test_only_lanes_in_the_mask_have_a_vote(schedule):
    @cuda.jit
    def half(out):
        t = cuda.threadIdx.x
        if t < 16:
            out[t] = cuda.ballot_sync(0x00FF, 1)
        else:
            out[t] = cuda.ballot_sync(0xFFFF0000, t % 2)

    out = np.zeros(32, np.int64)
    simt.profile(half, 1, 32, out, schedule=schedule)
    assert set(out[:8]) == {0xFF} and set(out[16:]) == {0xAAAA0000}


def test_each_block_has_its_own_shared_and_each_thread_its_own_local_memory():
    @cuda.jit
    def owned(out):
        s = cuda.shared.array(1, float32)
        mine = cuda.local.array(1, float32)
        mine[0] = cuda.threadIdx.x
        if cuda.threadIdx.x == 0:
            s[0] = 10 * cuda.blockIdx.x
        cuda.syncthreads()
        out[cuda.grid(1)] = s[0] + mine[0]

    out = np.zeros(12)
    assert simt.profile(owned, 3, 4, out, schedule="descending").ok
    assert out.tolist() == [10 * b + t for b in range(3) for t in range(4)]
