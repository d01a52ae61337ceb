"""One check object: visible cases, hidden ones, and points that are read on the last line."""

import pytest

from tests.checks.helpers import case, quietly, saxpy, saxpy_reference
from utils.checks import Case, check_function, check_kernel


def double(x):
    """Solve the task."""
    return 2 * x


def check(function=double, hidden=0):
    return check_function(function, lambda x: 2 * x, [Case("three", {"x": 3})], points=2, hidden=hidden)


def test_points_are_asked_for_once_and_shown_once():
    calls = []

    def counting(x):
        calls.append(x)
        return 2 * x

    one = check(counting)
    assert calls == []
    first, shown = quietly(one)
    again, silence = quietly(one)
    assert (first, again, calls) == (2.0, 2.0, [3])
    assert shown and not silence


def test_hidden_cases_are_as_many_as_declared():
    with pytest.raises(ValueError, match="hidden=1"):
        check(hidden=1).hidden([Case("four", {"x": 4}), Case("five", {"x": 5})])
    with pytest.raises(ValueError, match="hidden=0"):
        check().hidden([Case("four", {"x": 4})])


def test_hidden_cases_cannot_be_given_twice():
    one = check(hidden=1)
    one.hidden([Case("four", {"x": 4})])
    with pytest.raises(ValueError, match="hidden=0"):
        one.hidden([Case("five", {"x": 5})])


def test_cases_have_names_of_their_own():
    with pytest.raises(ValueError, match="share a name"):
        check(hidden=1).hidden([Case("three", {"x": 4})])


def test_a_check_without_cases_is_refused():
    with pytest.raises(ValueError, match="at least one"):
        check_function(double, double, [], points=1)


def test_hidden_cases_count():
    def only_three(x):
        return 6

    one = check(only_three, hidden=1)
    assert quietly(one)[0] == 1.0
    one.hidden([Case("four", {"x": 4})])
    points, shown = quietly(one)
    assert points == 1.0 and "wrong   four" in shown


def test_a_slip_in_the_reference_is_not_blamed_on_the_learner():
    with pytest.raises(ZeroDivisionError):
        quietly(check_function(double, lambda x: x / 0, [Case("three", {"x": 3})], points=1))


def test_a_seed_changes_the_inputs_and_not_the_points(monkeypatch):
    for seed in ("1", "2"):
        monkeypatch.setenv("CHECK_SEED", seed)
        assert quietly(check_kernel(saxpy, saxpy_reference, [case(97)], points=1, ops=2))[0] == 1.0


def test_a_check_says_how_to_end_its_cell():
    assert ".points" in repr(check())
