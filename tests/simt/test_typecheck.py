"""Would it compile? What our inference and Numba's say, with no driver."""

from __future__ import annotations

import numpy as np
import pytest
from numba import cuda, float32

from utils import simt
from utils.simt.typecheck import infer

WIDTH = 256
X = np.ones(4, np.float32)


@cuda.jit
def doubles(x):
    i = cuda.grid(1)
    x[i] = x[i] * float32(2)


@cuda.jit
def sums_wide(x):
    total = 0.0
    for k in range(4):
        total += x[k]
    x[0] = total


@cuda.jit
def shape_from_arithmetic(x):
    tile = cuda.shared.array(WIDTH + 2, float32)
    tile[0] = x[0]


@cuda.jit
def misspelt(x):
    x[0] = lenght  # noqa: F821


@cuda.jit
def adds_a_tuple(x):
    x[0] = x[1] + (1, 2)


@cuda.jit(device=True)
def square(value):
    return value * value


@cuda.jit
def calls(x):
    x[0] = square(x[0])


def test_a_kernel_that_compiles_draws_nothing():
    assert simt.typecheck(doubles, X) == []
    assert infer(doubles, X).known


@pytest.mark.parametrize(
    ("kernel", "words"),
    [
        (shape_from_arithmetic, "WIDTH + 2 is not known when the kernel is compiled"),
        (misspelt, "'lenght' is not defined"),
        (adds_a_tuple, "float32 + a tuple of 2 does not exist"),
    ],
)
def test_why_a_kernel_would_not_compile(kernel, words):
    (finding,) = simt.typecheck(kernel, X)
    assert finding.kind == "not-on-gpu" and words in finding.message
    assert finding.source in finding.message and finding.line > 1


def test_numba_alone_refuses_the_shape_and_a_read_only_array():
    frozen = X.copy()
    frozen.flags.writeable = False
    for kernel, arg in ((shape_from_arithmetic, X), (doubles, frozen)):
        (finding,) = infer(kernel, arg).findings
        assert "would not compile" in finding.message and "0x" not in finding.message


def test_a_device_function_needs_a_driver_and_is_unknown_not_wrong():
    assert simt.typecheck(calls, X) == []


def test_nothing_runs():
    x = X.copy()
    simt.typecheck(doubles, x)
    assert (x == 1).all()


def test_a_literal_makes_float64_and_only_where_no_argument_is():
    assert simt.accidental_float64(sums_wide, X) == ["total"]
    assert simt.accidental_float64(doubles, X) == []
    assert simt.accidental_float64(sums_wide, X.astype(np.float64)) == []
