"""Numba's typing rules are asked, not written down: what comes back, and what is no type at all."""

import operator

import numba
import numpy as np
import pytest

from utils.simt import numba_types
from utils.simt.numba_types import numpy_dtype, signature, unified

I32, U8, F32, F64 = (np.dtype(kind) for kind in ("int32", "uint8", "float32", "float64"))


@pytest.mark.parametrize(
    ("first", "second", "result"),
    [(I32, I32, "int64"), (U8, U8, "uint64"), (U8, I32, "int64"), (F32, I32, "float64"), (F32, F32, "float32")],
)
def test_a_sum_has_numbas_type_and_not_numpys(first, second, result):
    casts, made = signature(operator.add, first, second)
    assert made == np.dtype(result) and len(casts) == 2


def test_what_a_gpu_cannot_do_has_no_signature():
    assert signature(operator.floordiv, np.dtype(complex), np.dtype(complex)) is None
    assert signature(sorted, I32) is None


def test_min_casts_every_argument_to_its_result():
    casts, made = signature(min, I32, F64, U8)
    assert casts == (F64, F64, F64) and made == F64


@pytest.mark.parametrize(
    ("kind", "dtype"),
    [
        (numba.float32, "float32"),
        (numba.types.uint8, "uint8"),
        (numba.boolean, "bool"),
        (np.int16, "int16"),
        (np.dtype("f8"), "float64"),
        ("int32", "int32"),
        (float, "float64"),
        (int, "int64"),
        (complex, "complex128"),
    ],
)
def test_every_way_to_name_an_element_type(kind, dtype):
    assert numpy_dtype(kind) == np.dtype(dtype)


@pytest.mark.parametrize("kind", [numba.float32[:], numba.types.unicode_type, list, 7, None, object()])
def test_what_names_no_element_type_is_a_type_error(kind):
    with pytest.raises(TypeError):
        numpy_dtype(kind)


@pytest.mark.parametrize(
    ("first", "second", "result"), [(I32, I32, I32), (I32, F32, F64), (F32, F64, F64), (U8, I32, I32)]
)
def test_a_variable_has_the_unified_type_of_its_values(first, second, result):
    assert unified(first, second) == unified(second, first) == result


def test_the_context_is_that_of_the_cuda_target():
    """Are these the types of a GPU, or those of Numba's CPU target?"""
    assert "cuda" in type(numba_types.typing_context()).__module__
