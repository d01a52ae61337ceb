"""Each kind of finding says the line, the statement, the thread, the number, and what to try."""

import numpy as np
import pytest
from numba import cuda, float32

from tests.simt.zoo.case import line_of
from utils import connect, simt
from utils.simt.wording import ARRAY_KINDS, WARP_KINDS


@pytest.fixture(autouse=True, scope="module")
def device():
    return connect()


@cuda.jit
def past_the_end(out):
    i = cuda.grid(1)
    out[i] = 1.0  # <- here


@cuda.jit
def past_a_row(out):
    i = cuda.grid(1)
    out[0, i] = 1.0  # <- here


@cuda.jit
def before_the_start(out):
    i = cuda.grid(1)
    out[0] = out[i - 3]  # <- here


@cuda.jit
def barrier_in_a_branch(out):
    if cuda.threadIdx.x < 20:
        cuda.syncthreads()  # <- here


@cuda.jit
def barrier_after_return(out):
    if cuda.threadIdx.x >= 20:
        return
    cuda.syncthreads()  # <- here


@cuda.jit
def never_written(out):
    s = cuda.shared.array(64, float32)
    out[cuda.grid(1)] = s[5]  # <- here


@cuda.jit
def never_written_local(out):
    mine = cuda.local.array(4, float32)
    out[cuda.grid(1)] = mine[1]  # <- here


@cuda.jit
def input_written(a):
    a[cuda.grid(1)] = 0.0  # <- here


@cuda.jit
def one_sum(out):
    out[0] += 1.0  # <- here


@cuda.jit
def other_warp(out):
    s = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    s[t] = t
    out[t] = s[63 - t]  # <- here


@cuda.jit
def absent_lanes(out):
    t = cuda.threadIdx.x
    if t < 8:
        out[t] = cuda.shfl_sync(0xFFFFFFFF, t, 0)  # <- here


@cuda.jit
def inactive_source(out):
    t = cuda.threadIdx.x
    if t < 8:
        out[t] = cuda.shfl_sync(0xFF, t, 20)  # <- here


def told(kernel, kind, *args, grid=1, block=64, **options):
    """Return the sentence of the one finding of that kind, less its place, which is checked here."""
    report = simt.profile(kernel, grid, block, *args, **options)
    (finding,) = [finding for finding in report.findings if finding.kind == kind]
    place = f"line {line_of(kernel)}, {finding.source.rstrip(':')}: "
    assert finding.message.startswith(place)
    return finding.message.removeprefix(place)


def test_out_of_bounds():
    assert told(past_the_end, "out-of-bounds", np.zeros(100), grid=2) == (
        "thread (36,0,0) of block (1,0,0) writes out[100], which ends at 99 (28 threads do). Guard it: if i < out.size."
    )
    assert "writes out[0], which is empty" in told(past_the_end, "out-of-bounds", np.zeros(0))


def test_out_of_bounds_names_the_dimension():
    assert "writes out[0, 5]; its dimension 1 ends at 4" in told(past_a_row, "out-of-bounds", np.zeros((200, 5)))


def test_one_thread_alone_is_not_counted():
    assert "(1 threads" not in told(past_the_end, "out-of-bounds", np.zeros(63))


def test_a_negative_index_says_where_it_lands():
    assert told(before_the_start, "negative-index", np.zeros(64)).startswith(
        "thread (0,0,0) of block (0,0,0) reads out[-3] (3 threads do). A GPU wraps a negative index around, here to 61"
    )


def test_a_divergent_barrier_says_how_many_came_and_who_did_not():
    sentence = told(barrier_in_a_branch, "barrier-divergence", np.zeros(1), grid=3)
    assert sentence.startswith("20 of 64 threads of block (0,0,0) reach this barrier (3 blocks do this); the first one")
    assert "missing is thread (20,0,0). On a GPU the block hangs" in sentence
    assert sentence.endswith("Move the barrier out of the branch, so that every thread of the block reaches it.")
    assert "which has already returned" in told(barrier_after_return, "barrier-divergence", np.zeros(1))


def test_an_uninitialised_read_differs_between_shared_and_local():
    shared = told(never_written, "uninitialised-read", np.zeros(64))
    assert "reads s[5] before any thread has written it (64 threads do). Shared memory starts" in shared
    assert shared.endswith("Write it first, then cuda.syncthreads().")
    local = told(never_written_local, "uninitialised-read", np.zeros(64))
    assert "A local array starts" in local and local.endswith("Write it first.")


def test_a_written_input():
    sentence = told(input_written, "read-only-write", np.zeros(64), readonly=("a",))
    assert "writes a[0], an input that must stay as it is (64 threads do). Write to the output array" in sentence


@pytest.mark.parametrize(
    ("kernel", "grid", "block", "remedy"),
    [
        (one_sum, 2, 1, "Blocks run in any order: give each block its own element, or use cuda.atomic."),
        (one_sum, 1, 32, "Lanes of a warp run it at once: use cuda.atomic, or give each thread its own element."),
        (other_warp, 1, 64, "Nothing orders the two: put cuda.syncthreads() between them, or use cuda.atomic."),
        (other_warp, 1, 32, None),
    ],
)
def test_a_race_has_the_remedy_that_fits(kernel, grid, block, remedy):
    if remedy is None:
        assert simt.profile(kernel, grid, block, np.zeros(64)).findings
        return
    report = simt.profile(kernel, grid, block, np.zeros(64))
    assert any(finding.message.endswith(remedy) for finding in report.findings)


def test_a_race_names_both_threads_and_both_lines():
    sentence = told(other_warp, "race", np.zeros(64))
    assert "reads s[63], which thread (63,0,0) of block (0,0,0) writes at line" in sentence
    assert "(64 threads meet this)" in sentence


def test_warp_sync_names_mask_and_lane():
    assert "the mask 0xffffffff names lane 8 (thread (8,0,0) of block (0,0,0)), which does not come here" in told(
        absent_lanes, "warp-sync", np.zeros(32), block=32
    )
    assert "lane 0 (thread (0,0,0) of block (0,0,0)) reads from lane 20, which takes no part (8 threads do)" in told(
        inactive_source, "warp-sync", np.zeros(32), block=32
    )


def test_every_kind_that_a_run_finds_has_a_sentence():
    assert set(ARRAY_KINDS) | set(WARP_KINDS) | {"race"} == {
        "race", "out-of-bounds", "negative-index", "barrier-divergence", "uninitialised-read", "read-only-write",
        "warp-sync",
    }  # fmt: skip
