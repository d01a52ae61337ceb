"""Functions and predictions: what they return, however they return it."""

import os
import sys
import warnings

import numpy as np
import pytest

from tests.checks.helpers import quietly
from utils.checks import Case, Expected, Mistake, check_answer, check_function

CASES = [Case("1 and 2", {"a": 1, "b": 2}), Case("3 and 0", {"a": 3, "b": 0})]


def ratio(b, a):
    """Take the arguments by name, in any order."""
    return a / b if b else 0.0


def check(function, reference=ratio, cases=CASES, **options):
    return check_function(function, reference, cases, **{"points": 2} | options)


def right(a, b):
    return a / b if b else 0.0


def test_a_right_function_earns_everything():
    assert quietly(check(right)) == (2.0, "right: 2 of 2 points\n  right   1 and 2\n  right   3 and 0\n")


def test_an_error_in_one_case_names_the_line_and_leaves_the_other():
    def careless(a, b):
        return a / b

    points, shown = quietly(check(careless))
    assert points == 1.0
    assert "`return a / b`: ZeroDivisionError" in shown and "Traceback" not in shown


def starter(a, b):
    raise NotImplementedError


def test_a_starter_hears_one_sentence():
    points, shown = quietly(check(starter))
    assert points == 0.0
    assert len(shown.splitlines()) == 2 and "Not written yet: put your code in place of line" in shown


def noisy(a, b):
    warnings.warn("slow", stacklevel=1)
    os.write(2, b"from C\n")
    print("a is", a)
    print("to stderr", file=sys.stderr)
    return right(a, b)


def test_a_right_function_that_warns_and_prints_keeps_its_points(capfd):
    check_of_noisy = check(noisy)
    assert check_of_noisy.points == 2.0
    out, err = capfd.readouterr()
    assert err == ""
    assert all(words in out for words in ("slow", "from C", "a is 1", "a is 3", "to stderr"))


class Always(float):
    def __eq__(self, other):
        return True

    __hash__ = None
    __le__ = __lt__ = __ge__ = __gt__ = __eq__


class Any:
    __eq__ = Always.__eq__
    __hash__ = None

    def __array__(self, *_, **__):
        return np.array([0.5])

    def __float__(self):
        return 0.5


@pytest.mark.parametrize(
    "returned",
    [
        Any(),
        Always(0.5),
        [Any()],
        None,
        ...,
        float("nan"),
        float("inf"),
        "0.5",
        (x for x in [0.5]),
        np.array([0.5]),
        np.ma.array(0.5),
        [0.5],
        {"result": 0.5},
        True,
        lambda: 0.5,
    ],
)
def test_nothing_but_the_number_is_right(returned):
    points, shown = quietly(check(lambda a, b: returned))
    assert points == 0.0
    assert "wrong" in shown


@pytest.mark.parametrize("act", [sys.exit, exit, lambda: os._exit if 0 else sys.exit("bye")])
def test_an_attempt_to_leave_is_one_wrong_case(act):
    points, shown = quietly(check(lambda a, b: act()))
    assert points == 0.0 and "ends Python" in shown


@pytest.mark.parametrize("given", [None, 3, "text", np.zeros(3)])
def test_what_is_no_function_is_told_so(given):
    points, shown = quietly(check(given))
    assert points == 0.0 and "not a function" in shown


def test_wrong_arguments_are_an_error_of_the_learner():
    points, shown = quietly(check(lambda a: a))
    assert points == 0.0 and "TypeError" in shown


def test_an_input_must_stay_as_it_is():
    def sort_in_place(x):
        x.sort()
        return x

    cases = [Case("five", lambda rng: {"x": rng.random(5, np.float32)})]
    points, shown = quietly(check_function(sort_in_place, lambda x: np.sort(x), cases, points=1))
    assert points == 0.0 and "x is an input, to be read only" in shown
    assert quietly(check_function(np.sort, lambda x: np.sort(x), cases, points=1))[0] == 1.0


@pytest.mark.parametrize(
    ("dtype", "points"), [("float16", 0.0), ("float32", 1.0), ("float64", 1.0), ("int64", 0.0)]
)
def test_a_result_is_as_precise_as_the_arguments(dtype, points):
    cases = [Case("five", lambda rng: {"x": rng.random(5, np.float32) + 1})]
    assert quietly(check_function(lambda x: x.astype(dtype), lambda x: x, cases, points=1))[0] == points


def test_a_type_that_is_asked_for_is_asked_for():
    cases = [Case("five", lambda rng: {"x": rng.random(5, np.float32)})]

    def halved(x):
        return Expected(x / 2, dtype=np.float16)

    assert quietly(check_function(lambda x: (x / 2).astype(np.float16), halved, cases, points=1))[0] == 1.0
    points, shown = quietly(check_function(lambda x: x / 2, halved, cases, points=1))
    assert points == 0.0 and "float32, expected an array of shape (5,), float16" in shown


def test_predictions_are_counted_apart():
    points, shown = quietly(check_answer({"warps": 32, "idle": 7}, {"warps": 32, "idle": 24}, points=2))
    assert points == 1.0
    assert "yours 7 is too small." in shown and "24" not in shown


def test_a_right_prediction_may_be_shown_beside_a_wrong_one():
    assert "expected 24" in quietly(check_answer(7, 24, points=1, reveal=True))[1]


def test_predictions_may_be_compared_with_a_count():
    assert quietly(check_answer({"warps": 4}, lambda: {"warps": 4}, points=1))[0] == 1.0
    assert quietly(check_answer(4, lambda: 4, points=1))[0] == 1.0


def test_hidden_answers_are_received_now_and_compared_when_graded():
    released = check_answer({"warps": 4, "idle": 24, "late": ...}, {"warps": 4}, points=3, hidden=2)
    points, shown = quietly(released)
    assert points == 1.0
    assert "idle: 24, compared when graded." in shown
    assert "late: no answer yet" in shown
    assert "2 more cases when graded, for 2 points." in shown
    released.hidden({"idle": 24, "late": 1})
    points, shown = quietly(released)
    assert points == 2.0 and "not written yet: no answer yet" in shown


def test_no_answers_at_all_are_one_sentence():
    points, shown = quietly(check_answer({"warps": ..., "idle": None}, {"warps": 4, "idle": 24}, points=2))
    assert points == 0.0
    assert len(shown.splitlines()) == 2 and "Not answered yet" in shown


def test_a_mistake_is_about_one_answer():
    mistakes = [Mistake(31.25, "A warp that is half full is still a warp.", case="warps")]
    expected = {"warps": 32, "idle": 24}
    shown = quietly(check_answer({"warps": 31.25, "idle": 9}, expected, points=2, mistakes=mistakes))[1]
    assert "hint    A warp that is half full is still a warp." in shown
    shown = quietly(check_answer({"warps": 31, "idle": 31.25}, expected, points=2, mistakes=mistakes))[1]
    assert "hint" not in shown


def test_an_expected_answer_that_nobody_gives_is_the_instructors_error():
    with pytest.raises(ValueError, match="No answer is called"):
        check_answer({"warps": 4}, {"wraps": 4}, points=1)
    with pytest.raises(ValueError, match="hidden=1"):
        check_answer({"a": 1, "b": 2, "c": 3}, {"a": 1}, points=1, hidden=1).hidden({"b": 2, "c": 3})
