"""What Numba's own simulator accepts and a GPU does not, or gets wrong: here each is refused, or reported."""

import numpy as np
import pytest
from numba import cuda, float32, int32

from tests.simt.zoo.case import line_of
from tests.simt.zoo.wrong_types import MARKED, TABLE, UNMARKED
from utils import connect, simt


@pytest.fixture(autouse=True, scope="module")
def device():
    return connect()


@cuda.jit
def fill(out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = 1.0


@cuda.jit
def whole_shared_memory(out):
    held = cuda.shared.array(12288, float32)
    held[cuda.threadIdx.x] = 1.0
    out[cuda.threadIdx.x] = held[cuda.threadIdx.x]


@cuda.jit
def too_much_shared_memory(out):
    held = cuda.shared.array(12289, float32)  # <- here
    held[cuda.threadIdx.x] = 1.0


@cuda.jit
def two_that_do_not_fit(out):
    first = cuda.shared.array((96, 96), float32)
    second = cuda.shared.array((96, 96), float32)
    first[0, 0] = second[0, 0] = 1.0


@cuda.jit
def shape_from_argument(out, n):
    held = cuda.shared.array(n, float32)  # <- here
    held[0] = out[0]


@cuda.jit
def leak(out):
    held = cuda.shared.array(1, float32)
    b = cuda.blockIdx.x
    if b == 0:
        held[0] = 42.0
    out[b] = held[0]  # <- here


@cuda.jit
def neighbours(x, out):
    held = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    held[t] = x[t]
    out[t] = held[(t + 1) % cuda.blockDim.x]


@cuda.jit
def lanes_that_do_not_exist(x, out):
    i = cuda.grid(1)
    out[i] = cuda.shfl_down_sync(0xFFFFFFFF, x[i], 1)  # <- here


@cuda.jit
def unknown_name(out):
    out[0] = nobody_defined_this  # noqa: F821  # <- here


@cuda.jit
def text_into_array(out):
    out[0] = "text"  # <- here


@cuda.jit
def three_indices(out):
    out[0, 1, 2] = 1.0  # <- here


def refused(error):
    """Return the finding of a LaunchError that says why it cannot run on a GPU."""
    found = [f for f in error.value.report.findings if f.kind == "not-on-gpu"]
    assert found and found[0].message in str(error.value)
    return found[0]


def digits(text):
    """Return `text` without the blanks and commas that group a number."""
    return text.replace(",", "").replace(" ", "")


@pytest.mark.parametrize("block", [2048, 1025, (32, 33), (1, 1, 65), (16, 16, 5), 0])
def test_a_block_beyond_the_limits_is_refused(block, device):
    if device.simulated:
        with pytest.raises((simt.LaunchError, ValueError)):
            fill[1, block](np.zeros(8))
    with pytest.raises((simt.LaunchError, ValueError)) as error:
        simt.profile(fill, 1, block, np.zeros(8))
    if block == 2048:
        assert "2048" in digits(refused(error).message) and "1024" in digits(refused(error).message)


@pytest.mark.parametrize("grid", [(1, 65536), (1, 1, 65536), 2**31, 0])
def test_a_grid_beyond_the_limits_is_refused(grid):
    with pytest.raises((simt.LaunchError, ValueError)):
        simt.profile(fill, grid, 32, np.zeros(8))


def test_blocks_at_the_limit_run():
    for block in (1024, (32, 32), (1, 1, 64), (4, 4, 64)):
        out = np.zeros(64)
        assert simt.profile(fill, 1, block, out).ok or block != 1024
        assert out.any()


def test_48_kilobytes_of_shared_memory_fit_and_four_bytes_more_do_not():
    out = np.zeros(32, np.float32)
    assert simt.profile(whole_shared_memory, 1, 32, out).ok and out.all()
    with pytest.raises(simt.LaunchError) as error:
        simt.profile(too_much_shared_memory, 1, 32, out)
    assert "49156" in digits(refused(error).message) and "49152" in digits(refused(error).message)
    with pytest.raises(simt.LaunchError) as error:
        simt.profile(two_that_do_not_fit, 1, 32, out)
    assert "73728" in digits(refused(error).message)


def test_400_kilobytes_of_dynamic_shared_memory_are_refused(device):
    with pytest.raises(simt.LaunchError) as error:
        simt.profile(fill, 1, 32, np.zeros(8), shared_bytes=400 * 1024)
    assert "409600" in digits(refused(error).message)
    if device.simulated:
        with pytest.raises(simt.LaunchError):
            fill[1, 32, 0, 400 * 1024](np.zeros(8))


def test_a_shared_shape_must_be_a_constant():
    with pytest.raises(simt.LaunchError) as error:
        simt.profile(shape_from_argument, 1, 32, np.zeros(8), 32)
    assert refused(error).line == line_of(shape_from_argument)


def test_shared_memory_never_leaks_from_block_to_block(device, capsys):
    out = np.zeros(4, np.float32)
    report = simt.profile(leak, 4, 1, out)
    assert [(f.kind, f.line, f.block, f.count) for f in report.findings] == [
        ("uninitialised-read", line_of(leak), (1, 0, 0), 3)
    ]
    assert out[0] == 42 and (out[1:] != 42).all()
    if device.simulated:
        out = np.zeros(4, np.float32)
        leak[4, 1](out)
        assert out[0] == 42 and (out[1:] != 42).all()
        capsys.readouterr()


@pytest.mark.parametrize("threads", [4, 8, 64, 256])
@pytest.mark.parametrize("schedule", ["lockstep", "ascending", "descending"])
def test_a_missing_barrier_is_found_at_every_size(threads, schedule):
    """Numba's simulator gets this kernel right in 83 % of launches at 4 threads: a grade by luck."""
    x, out = np.arange(threads, dtype=np.int32), np.zeros(threads, np.int32)
    report = simt.profile(neighbours, 1, threads, x, out, schedule=schedule)
    assert "race" in {f.kind for f in report.findings}


def test_a_mask_that_names_lanes_beyond_the_block_is_reported():
    report = simt.profile(lanes_that_do_not_exist, 1, 16, np.zeros(16), np.zeros(16))
    assert {(f.kind, f.line) for f in report.findings} == {("warp-sync", line_of(lanes_that_do_not_exist))}


def test_configured_launches_are_two_objects(device):
    if not device.simulated:
        pytest.skip("a real launch warns that it is small")
    small, large = fill[1, 4], fill[1, 8]
    a, b = np.zeros(16), np.zeros(16)
    small(a)
    large(b)
    assert (a.sum(), b.sum()) == (4, 8)


def test_an_unknown_name_is_a_name_error_at_the_learners_line():
    with pytest.raises(NameError, match="nobody_defined_this") as error:
        simt.profile(unknown_name, 1, 32, np.zeros(8))
    assert isinstance(error.value, simt.KernelNameError)
    assert str(line_of(unknown_name)) in str(error.value)


@pytest.mark.parametrize("kernel", [text_into_array, three_indices], ids=["text", "indices"])
def test_types_that_do_not_fit_are_named_at_the_learners_line(kernel):
    with pytest.raises(simt.LaunchError) as error:
        simt.profile(kernel, 1, 32, np.zeros(8))
    assert str(line_of(kernel)) in str(error.value)


@pytest.mark.parametrize("schedule", ["lockstep", "ascending"])
@pytest.mark.parametrize("kernel", [*MARKED, *UNMARKED], ids=lambda kernel: kernel.py_func.__name__)
def test_what_numbas_compiler_refuses_does_not_run(kernel, schedule):
    out = np.zeros(32, np.float32)
    with pytest.raises(simt.LaunchError) as error:
        simt.profile(kernel, 1, 32, np.arange(32, dtype=np.float32), out, schedule=schedule)
    assert not out.any() and TABLE.tolist() == [0, 1, 2, 3]
    if kernel in MARKED:
        assert refused(error).line == line_of(kernel)


@pytest.mark.parametrize("args", [(), (np.zeros(8), 1)], ids=["too few", "too many"])
def test_a_wrong_number_of_arguments_is_a_type_error(args):
    with pytest.raises(TypeError):
        simt.profile(fill, 1, 32, *args)
    with pytest.raises(TypeError):
        fill[1, 32](*args)


def test_an_array_that_numpy_protects_cannot_be_written():
    out = np.zeros(8)
    out.flags.writeable = False
    try:
        report = simt.profile(fill, 1, 32, out)
    except simt.LaunchError as error:
        report = error.report
    assert not report.ok and not out.any()
