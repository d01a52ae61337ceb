"""Only plain values cross from a learner's code to a judge."""

import numpy as np
import pytest

from utils.checks.values import NotPlainError, describe, plain, same, widen


class EqualToEverything:
    """A forger's favourite."""

    def __eq__(self, other):
        raise AssertionError("a check must not ask a learner's object")

    __hash__ = None
    __array__ = __float__ = __len__ = __iter__ = __eq__


class Subclassed(np.ndarray):
    pass


class Number(float):
    pass


@pytest.mark.parametrize(
    ("value", "rebuilt"),
    [
        (3, 3),
        (2**100, 2**100),
        (True, True),
        ("warp", "warp"),
        (None, None),
        (np.float32(0.5), 0.5),
        (np.array(4), 4),
        (np.longdouble(0.25), 0.25),
        (np.bool_(True), True),
        ((1, [2.0, "x"]), [1, [2.0, "x"]]),
        ({"a": np.int8(3), 1: ()}, {"a": 3, 1: []}),
    ],
)
def test_plain_values_are_rebuilt_from_python_types(value, rebuilt):
    assert same(plain(value), rebuilt)


@pytest.mark.parametrize(
    "value",
    [
        EqualToEverything(),
        [EqualToEverything()],
        Number(1.0),
        Subclassed((3,)),
        np.ma.zeros(3),
        (i for i in range(3)),
        range(3),
        {1, 2},
        ...,
        np.array([object()]),
        np.array(["text"]),
        np.zeros(2, [("x", "f4")]),
        {(1, 2): 3},
        print,
        int,
    ],
)
def test_anything_else_is_refused_by_its_type_alone(value):
    with pytest.raises(NotPlainError):
        plain(value)


def test_a_copy_does_not_follow_the_learners_array():
    mine = np.zeros(3)
    copy = plain(mine)
    mine[:] = 1
    assert not copy.any()


def test_are_endless_answers_refused():
    loop = []
    loop.append(loop)
    for value in (loop, [0] * 100_001, [np.zeros(1 << 24)] * 3):
        with pytest.raises(NotPlainError):
            plain(value)


def test_an_array_on_the_device_is_told_to_come_back():
    class DeviceNDArray:
        pass

    with pytest.raises(NotPlainError, match="copy_to_host"):
        plain(DeviceNDArray())


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [("float16", "float64"), ("uint8", "int64"), ("int32", "int64"), ("uint64", "uint64"), ("bool", "bool")],
)
def test_references_compute_in_the_wide_type(narrow, wide):
    assert widen(np.ones(2, narrow)).dtype == wide


@pytest.mark.parametrize(
    ("left", "right"),
    [(1, 1.0), (True, 1), ([1], [1, 2]), ({"a": 1}, {"b": 1}), (np.zeros(2), np.zeros(3)), ("a", "b")],
)
def test_what_differs_is_not_the_same(left, right):
    assert not same(left, right)


def test_nan_is_the_same_as_nan():
    assert same([np.nan, np.array([np.nan])], [np.nan, np.array([np.nan])])


def test_a_description_calls_nothing():
    assert describe(EqualToEverything()) == "an object of type EqualToEverything"
    assert describe(np.zeros((2, 3), np.int16)) == "an array of shape (2, 3), int16"
    assert describe([1]) == "a list of 1 item"
    assert describe(1) == "an int"
