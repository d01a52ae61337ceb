"""Arithmetic asks Numba for its types and then works on vectors, silently, as hardware does."""

import math

import numpy as np
import pytest

from utils.simt import arithmetic

I8, U8, I32, U64, F32, F64 = np.int8, np.uint8, np.int32, np.uint64, np.float32, np.float64


@pytest.mark.parametrize(
    ("name", "first", "second", "result"),
    [
        ("Add", I32(1), I32(1), np.int64(2)),
        ("Add", U8(200), U8(200), U64(400)),
        ("Add", U8(200), np.int64(1), np.int64(201)),
        ("Mult", F32(0.5), I32(3), F64(1.5)),
        ("Mult", F32(0.5), F32(3), F32(1.5)),
        ("Div", I32(1), I32(2), F64(0.5)),
        ("FloorDiv", np.int64(-7), np.int64(2), np.int64(-4)),
        ("Mod", np.int64(-7), np.int64(3), np.int64(2)),
        ("Pow", np.int64(2), np.int64(-1), np.int64(0)),
        ("Pow", F32(3), np.int64(2), F32(9)),
        ("LShift", I32(1), I32(40), np.int64(1 << 40)),
        ("Lt", U8(200), I8(-1), np.bool_(False)),
    ],
)
def test_a_binary_operation_has_numbas_type_and_value(name, first, second, result):
    made = arithmetic.binary(name)(first, second)
    assert made == result and made.dtype == result.dtype


def test_a_shared_value_stays_shared_and_a_vector_stays_a_vector():
    add = arithmetic.binary("Add")
    assert isinstance(add(I32(1), I32(2)), np.generic)
    assert add(np.arange(3, dtype=I32), I32(2)).tolist() == [2, 3, 4]


def test_integers_wrap_at_64_bits():
    assert arithmetic.binary("Add")(np.array([2**63 - 1]), np.int64(1)).tolist() == [-(2**63)]


def test_a_negative_exponent_in_one_lane_does_not_stop_the_others():
    made = arithmetic.binary("Pow")(np.array([2, 2, 2]), np.array([3, -1, 0]))
    assert made.tolist() == [8, 0, 1]


@pytest.mark.parametrize("name", ["Add", "Pow"])
def test_what_has_no_type_is_a_type_error_that_names_both(name):
    with pytest.raises(TypeError, match=r"None .* int64"):
        arithmetic.binary("Add")(None, np.int64(1))
    with pytest.raises(TypeError, match="complex128"):
        arithmetic.binary("FloorDiv")(np.complex128(1), np.complex128(2))


def test_unary_operations_have_numbas_types():
    minus = arithmetic.unary("USub")(np.array([1, 2], I32))
    assert minus.tolist() == [-1, -2] and minus.dtype == np.int64
    assert arithmetic.unary("Invert")(I32(5)) == -6
    with pytest.raises(TypeError, match="takes numbers"):
        arithmetic.unary("USub")((1, 2))


@pytest.mark.parametrize(
    ("function", "arguments", "result"),
    [
        (math.sqrt, (F32(4),), F32(2)),
        (math.hypot, (F64(3), F64(4)), F64(5)),
        (math.lgamma, (F64(-1),), F64(np.nan)),
        (min, (np.int64(3), F64(2.5), np.int64(4)), F64(2.5)),
        (max, (np.int64(3), np.int64(7)), np.int64(7)),
        (abs, (np.int64(-3),), np.int64(3)),
        (round, (F64(2.5),), np.int64(2)),
        (round, (F64(2.345), np.int64(1)), F64(2.3)),
    ],
)
def test_functions_have_numbas_types(function, arguments, result):
    made = arithmetic.function(function)(*arguments)
    np.testing.assert_array_equal(made, result)
    assert made.dtype == result.dtype


def test_min_and_max_pass_over_a_nan_as_the_hardware_does():
    assert arithmetic.function(max)(F64(np.nan), F64(1)) == 1
    assert arithmetic.function(min)(F64(1), F64(np.nan)) == 1


def test_two_results_come_as_a_tuple():
    fraction, whole = arithmetic.function(math.modf)(F64(2.25))
    assert (fraction, whole) == (0.25, 2.0)


@pytest.mark.parametrize("function", [print, sorted, np.sort, np.frompyfunc(abs, 1, 1), open])
def test_a_function_that_no_gpu_has_is_none(function):
    assert arithmetic.function(function) is None


def test_a_cast_wraps_integers_and_refuses_what_is_no_number():
    assert arithmetic.cast(np.uint8)(np.int64(300)) == 44
    assert arithmetic.cast(float)() == 0.0
    assert arithmetic.cast("float32")(np.int64(2)).dtype == F32
    same = np.arange(3.0)
    assert arithmetic.cast(np.float64)(same) is same
    with pytest.raises(TypeError, match="a tuple of 2"):
        arithmetic.cast(np.int32)((1, 2))
    with pytest.raises(TypeError, match="complex"):
        arithmetic.cast(np.int32)(np.complex64(1))


def test_a_variable_on_two_paths_has_one_type_or_none():
    assert arithmetic.unify(np.int64(1), F64(2)) == F64
    assert arithmetic.unify(F32(1), F32(2)) == F32
    with pytest.raises(TypeError, match="a tuple of 1 on one path"):
        arithmetic.unify((1,), F64(2))


@pytest.mark.parametrize(
    ("value", "words"), [(F32(1), "float32"), ((1, 2), "a tuple of 2"), (None, "None"), ([], "a value of type list")]
)
def test_values_are_described_for_people(value, words):
    assert arithmetic.describe(value) == words
