"""An answer is right within the rounding that its arithmetic causes, and not a bit beyond."""

import numpy as np
import pytest

from utils.checks import Expected
from utils.checks.compare import Tolerance, differences

SINGLE = Tolerance(2, np.dtype(np.float32))


def only(got, expected, tolerance=SINGLE, **rest):
    """Return the one difference that there must be."""
    found = differences(got, expected, tolerance, **rest)
    assert len(found) == 1
    return found[0]


def test_two_roundings_are_allowed_and_four_are_not():
    expected = np.array([1.0, 4.0])
    unit = np.finfo(np.float32).eps / 2
    near = (expected * (1 + 2 * unit)).astype(np.float32)
    far = (expected * (1 + 4 * unit)).astype(np.float32)
    assert differences(near, expected, SINGLE) == []
    assert only(far, expected).wrong == 2


def test_cancellation_is_judged_by_the_magnitude_of_its_terms():
    big = np.float32(1e4)
    got = np.array([(np.float32(1.1) * big - np.float32(11_000.5))], np.float32)
    exact = np.float64(np.float32(1.1)) * 1e4 - np.float64(np.float32(11_000.5))
    assert differences(got, np.array([exact]), SINGLE) != []
    assert differences(got, Expected(np.array([exact]), scale=np.array([22_000.0])), SINGLE) == []


def test_more_roundings_than_the_type_can_bound_are_the_instructors_error():
    with pytest.raises(ValueError, match="bound nothing"):
        differences(np.zeros(1, np.float16), np.zeros(1), Tolerance(2000, np.dtype(np.float16)))


@pytest.mark.parametrize(
    ("got", "expected", "right"),
    [
        (np.nan, 1.0, False),
        (1.0, np.nan, False),
        (np.nan, np.nan, True),
        (np.inf, np.inf, True),
        (-np.inf, np.inf, False),
        (5.0, np.inf, False),
        (np.inf, 5.0, False),
        (np.inf, 1e300, True),  # beyond float32, where it is stored
        (0.0, 1e-60, True),
        (1e-44, 0.0, False),
    ],
)
def test_values_at_the_edges(got, expected, right):
    found = differences(np.array([got], np.float32), np.array([expected]), SINGLE)
    assert (found == []) is right


def test_integers_are_exact_and_wrap_as_a_store_does():
    wide = np.array([300, -1], np.int64)
    stored = Expected(wide, dtype=np.uint8)
    assert differences(np.array([44, 255], np.uint8), stored, SINGLE) == []
    assert only(np.array([45, 255], np.uint8), stored).index == (0,)


def test_a_difference_tells_where_how_many_and_what_was_there_before():
    expected, before = np.arange(6.0).reshape(2, 3), np.full((2, 3), 9.0)
    got = expected.copy()
    got[1, 1:] = 9.0
    found = only({"out": got}, {"out": expected}, before={"out": before}, name="")
    assert (found.name, found.index, found.wrong, found.total) == ("out", (1, 1), 2, 6)
    assert found.tail and found.untouched
    got[0, 0] = np.nan
    found = only({"out": got}, {"out": expected}, before={"out": before}, name="")
    assert (found.index, found.nans, found.tail, found.untouched) == ((0, 0), 1, False, False)


def test_elements_that_are_left_out_do_not_count():
    expected = Expected(np.array([1.0, 2.0]), where=np.array([True, False]))
    assert differences(np.array([1.0, 7.0]), expected, SINGLE) == []
    assert only(np.array([0.0, 7.0]), expected).total == 1


@pytest.mark.parametrize(
    ("got", "expected", "words"),
    [
        (None, 32, "a number"),
        ("32", 32, "a number"),
        (True, 1, "a number"),
        (1, True, "a bool"),
        ([1, 2], np.array([1, 2]), "an array of shape (2,), of integers"),
        (np.zeros((2, 1)), np.zeros(2), "an array of shape (2,), float32"),
        (np.zeros(2, int), np.zeros(2), "an array of shape (2,), float32"),
        (np.zeros(2, np.float16), np.zeros(2), "an array of shape (2,), float32"),
        (np.zeros(2), Expected(np.zeros(2), dtype="float32"), "an array of shape (2,), float32"),
        (np.zeros(2), np.zeros(2, bool), "an array of shape (2,), bool"),
        ({"a": 1}, {"a": 1, "b": 2}, "a dict with the keys a, b"),
        ([1, 2, 3], (1, 2), "2 values, as a tuple or a list"),
        (4.0, Expected(4, dtype=np.int64), "an int"),
        (3, "three", "a str"),
        (3, None, "None"),
    ],
)
def test_a_wrong_form_is_named_before_any_value(got, expected, words):
    found = only(got, expected)
    assert (found.kind, found.expected) == ("form", words)


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        (4.0, 4),
        (4, 4.0),
        (4, Expected(4, dtype=np.int64)),
        (4.0, Expected(4, dtype=np.float64)),
        (0.1 + 0.2, 0.3),
        (2**200, 2**200),
        (1 + 1j, 1 + 1j),
        ([1, {"x": 2.0}], (1, {"x": 2.0})),
        (np.zeros(2, np.int32), np.zeros(2, np.int64)),
        (np.zeros(2), np.zeros(2)),
        ("warp", "warp"),
        (None, None),
        (np.zeros((0, 3)), np.zeros((0, 3))),
    ],
)
def test_the_same_value_in_another_dress_is_right(got, expected):
    assert differences(got, expected, Tolerance(2)) == []


@pytest.mark.parametrize(
    ("got", "expected"), [(31.25, 32), (2**200, 1.0), (2**2000, 1.0), (2**64, 2**64 + 1), ("a", "b")]
)
def test_another_number_is_wrong(got, expected):
    assert only(got, expected, Tolerance(4)).kind == "value"


def test_a_part_of_an_answer_is_called_by_its_place():
    assert only({"a": [1, 5]}, {"a": (1, 2)}).name == "result['a'][1]"
