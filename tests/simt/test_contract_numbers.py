"""Result types are Numba's, never NumPy's."""

import numba
import numpy as np
import pytest

from tests.simt.zoo.case import Case
from tests.simt.zoo.number_types import INTS, REALS, arguments, narrow_stores, number_types
from tests.simt.zoo.right import BY_NAME
from utils import connect, simt

SCHEDULES = ("lockstep", "ascending")


@pytest.fixture(autouse=True, scope="module")
def device():
    return connect()


def test_the_expected_values_are_numbas_own():
    args = arguments()
    numba.njit(number_types.py_func)(*args)
    assert args[4].tolist() == INTS
    assert args[5].tolist() == REALS


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_every_result_has_numbas_type(schedule):
    args = arguments()
    report = simt.profile(number_types, 1, 1, *args, schedule=schedule)
    assert report.findings == []
    assert args[4].tolist() == INTS
    assert args[5].tolist() == REALS


def test_a_plain_launch_computes_the_same(device):
    if not device.simulated:
        pytest.skip("tests/gpu compares real launches")
    args = arguments()
    number_types[1, 1](*args)
    assert (args[4].tolist(), args[5].tolist()) == (INTS, REALS)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_a_narrow_array_wraps_what_is_stored_in_it(schedule):
    values = np.array([-2, 2**32 + 5, 2**31 - 1], np.int64)
    bytes_, small = np.zeros(3, np.uint8), np.zeros(2, np.int32)
    assert simt.profile(narrow_stores, 1, 1, values, bytes_, small, schedule=schedule).ok
    assert bytes_.tolist() == [44, 255, 254]
    assert small.tolist() == [5, -(2**31)]


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_the_grey_of_three_times_200_is_200(schedule):
    case: Case = BY_NAME["grey"]
    image, out = np.full((4, 4, 3), 200, np.uint8), np.zeros((4, 4), np.uint8)
    assert simt.profile(case.kernel, 1, (4, 4), image, out, schedule=schedule).ok
    assert (out == 200).all()
