"""Inputs are fresh from a seed, the same in every process, and nobody sees what another call left in them."""

import numpy as np
import pytest

from tests.checks.helpers import case, inputs
from utils.checks import Case, seed, unwritten


def test_the_seed_is_the_graders(monkeypatch):
    monkeypatch.delenv("CHECK_SEED", raising=False)
    known = seed()
    first = case(100).build()["x"]
    monkeypatch.setenv("CHECK_SEED", str(known))
    assert np.array_equal(case(100).build()["x"], first)
    monkeypatch.setenv("CHECK_SEED", "7")
    assert not np.array_equal(case(100).build()["x"], first)


@pytest.mark.parametrize("text", ["seven", "-1", "1.5"])
def test_a_seed_that_is_no_number_is_refused(monkeypatch, text):
    monkeypatch.setenv("CHECK_SEED", text)
    with pytest.raises(ValueError, match="whole number"):
        seed()


def test_cases_draw_apart():
    one, two = Case("one", inputs, n=50), Case("two", inputs, n=50)
    assert not np.array_equal(one.build()["x"], two.build()["x"])


def test_arguments_are_made_anew_for_each_call():
    for one in (case(5), Case("given", {"x": np.zeros(5), "parts": [1]})):
        spoiled = one.build()
        spoiled["x"][:] = 7
        assert not (one.build()["x"] == 7).any()


def test_a_given_array_keeps_its_layout():
    assert Case("columns", {"a": np.zeros((3, 4)).T}).build()["a"].flags.f_contiguous


def test_formulas_read_sizes_and_wide_arguments():
    assert case(5)["n"] == 5
    assert case(5)["x"].dtype == np.float64
    assert case(5)["a"].dtype == np.float64


@pytest.mark.parametrize(
    ("arguments", "dtype"),
    [
        ({"x": np.zeros(2, np.float32), "n": 3}, "float32"),
        ({"x": np.zeros(2, np.float16), "y": np.float32(1)}, "float32"),
        ({"n": 3, "f": 0.5}, "float64"),
        ({"i": np.zeros(2, np.int8)}, "float64"),
    ],
)
def test_the_float_type_of_the_arguments_bounds_the_rounding(arguments, dtype):
    assert Case("any", arguments).float_type() == dtype


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "uint8", "complex64"])
def test_an_unwritten_buffer_is_nothing_that_a_kernel_computes(dtype):
    buffer = unwritten((2, 3), dtype)
    assert buffer.shape == (2, 3) and buffer.dtype == dtype
    assert not (buffer == 0).any()


def test_only_numbers_can_be_unwritten():
    with pytest.raises(TypeError, match="numbers"):
        unwritten(3, bool)


def test_a_case_shows_its_launch():
    assert repr(case(5)) == "Case('5 elements', grid=1, block=64)"
