"""Every right kernel of the zoo, and of the solutions, does on a real GPU what the simulated one says.

Needs torch, Numba (with numba-cuda or its built-in target), NumPy, matplotlib and pytest, and nothing else.
"""

import copy

import numpy as np
import pytest
from numba import cuda

from tests.gpu.solutions import launches, notebooks
from tests.simt.zoo.right import RIGHT
from utils import connect, simt

pytestmark = [
    pytest.mark.gpu,
    # Small launches and host arrays are what these tests are made of.
    pytest.mark.filterwarnings("ignore:.*(Grid size|Host array used):Warning"),
]

RTOL = 1e-5
"""A GPU fuses multiplication and addition, and has its own sine: float32 results differ in the last bits."""

MOVED = 0.01
"""Share of whole numbers computed from real ones, as in a fractal, that such a last bit may move."""


@pytest.fixture(autouse=True, scope="module")
def device():
    """A real one, or nothing here means anything."""
    found = connect()
    if found.simulated:
        pytest.skip("connect() found no real GPU")
    return found


def real(kernel, grid, block, args, shared_bytes=0):
    """Launch on the GPU and return the arguments afterwards, arrays as NumPy arrays."""
    there = [cuda.to_device(arg) if isinstance(arg, np.ndarray) else arg for arg in args]
    kernel[grid, block, 0, shared_bytes](*there)
    cuda.synchronize()
    return tuple(arg.copy_to_host() if hasattr(arg, "copy_to_host") else arg for arg in there)


def simulated(kernel, grid, block, args, shared_bytes=0):
    """Launch on the simulated GPU, without findings, and return the arguments afterwards."""
    try:
        report = simt.profile(kernel, grid, block, *args, shared_bytes=shared_bytes)
    except ModuleNotFoundError as error:
        pytest.skip(f"this kernel is simulated one thread after another, which needs {error.name}")
    assert report.ok
    return args


def agree(ours, theirs, inputs):
    """Raise AssertionError unless two launches left the same in their arguments."""
    from_reals = any(np.asarray(value).dtype.kind == "f" for value in inputs)
    for position, (a, b) in enumerate(zip(ours, theirs, strict=True)):
        if not isinstance(a, np.ndarray):
            continue
        if a.dtype.kind in "iu" and from_reals:
            assert np.mean(a != b) <= MOVED, f"argument {position}"
        else:
            np.testing.assert_allclose(a, b, rtol=RTOL, atol=RTOL, err_msg=f"argument {position}")


@pytest.mark.parametrize("case", RIGHT, ids=lambda case: case.name)
def test_a_real_launch_gives_what_the_oracle_says(case):
    args = real(case.kernel, case.grid, case.block, case.args(), case.shared_bytes)
    if case.chaotic:
        agree(args, simulated(case.kernel, case.grid, case.block, case.args()), case.args())
    else:
        case.compare(args, rtol=max(case.rtol, RTOL))


@pytest.mark.parametrize("case", [c for c in RIGHT if not c.unordered], ids=lambda case: case.name)
def test_the_simulated_gpu_agrees_with_the_real_one(case):
    launch = case.kernel, case.grid, case.block
    agree(
        simulated(*launch, case.args(), case.shared_bytes),
        real(*launch, case.args(), case.shared_bytes),
        case.args(),
    )


@pytest.mark.parametrize("name", ["vadd", "matmul_tiled", "histogram_private", "block_sum_by_shuffles"])
def test_profile_says_that_the_real_result_is_the_same(name):
    case = next(case for case in RIGHT if case.name == name)
    args = case.args()
    report = simt.profile(case.kernel, case.grid, case.block, *args, also_run=True)
    assert report.ok and any("same result" in note for note in report.notes)
    case.compare(args, rtol=max(case.rtol, RTOL))


def test_there_are_solutions():
    assert notebooks(), "no solution found: nothing was compared"


@pytest.mark.parametrize("notebook", notebooks(), ids=lambda path: path.stem)
def test_every_kernel_of_a_solution_agrees_with_the_real_launch(notebook, monkeypatch):
    for launch in launches(notebook, monkeypatch):
        case = launch.case
        inputs = tuple(case.build().values())
        ours = simulated(launch.kernel, case.grid, case.block, copy.deepcopy(inputs), case.shared_bytes)
        theirs = real(launch.kernel, case.grid, case.block, copy.deepcopy(inputs), case.shared_bytes)
        agree(ours, theirs, inputs)


def test_tensors_on_the_gpu_are_profiled_and_launched():
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("this torch has no CUDA")
    vadd = next(case for case in RIGHT if case.name == "vadd").kernel
    a, b = torch.rand(1000, device="cuda"), torch.rand(1000, device="cuda")
    launched, profiled = torch.zeros_like(a), torch.zeros_like(a)
    vadd[4, 256](a, b, launched)
    assert simt.profile(vadd, 4, 256, a, b, profiled).ok
    torch.cuda.synchronize()
    assert torch.equal(launched, a + b) and torch.equal(profiled, a + b)
