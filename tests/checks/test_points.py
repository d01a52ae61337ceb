"""Whatever happens, a check's points are a finite float between 0 and its whole."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.checks.helpers import case, evidence_of, finding, quietly, saxpy_reference, sector_gate
from utils.checks import Case, check_function
from utils.checks.evidence import Evidence, Trouble
from utils.checks.exam import Exam
from utils.checks.verdict import judge

POINTS = st.floats(0.01, 1000, allow_nan=False) | st.integers(1, 100)
anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.complex_numbers()
    | st.text(max_size=5)
    | st.sampled_from(
        [np.float32(1), np.zeros(3), np.array([np.nan]), np.array([None]), ..., object(), len, {1}]
    ),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.text(max_size=2), part, max_size=3),
    max_leaves=6,
)


def noise(arguments):
    arguments["out"][::3] = np.inf


FATES = {
    "right": lambda one: evidence_of(one),
    "naive": lambda one: evidence_of(one, sectors=1024),
    "racy": lambda one: evidence_of(one, findings=[finding()]),
    "wrong": lambda one: evidence_of(one, change=noise),
    "empty": lambda one: Evidence(),
    "raised": lambda one: Evidence(trouble=Trouble("error", "", "ValueError")),
}


@given(
    points=POINTS,
    gate_share=st.floats(0.1, 0.9),
    fates=st.lists(st.sampled_from(sorted(FATES)), min_size=1, max_size=6),
    remaining=st.integers(0, 5),
)
@settings(max_examples=60, deadline=None)
def test_points_are_finite_and_within_the_whole(points, gate_share, fates, remaining):
    gates = (sector_gate(points=points * gate_share),)
    exam = Exam("saxpy", saxpy_reference, points, ops=2, gates=gates, of_kernel=True)
    cases = [case(40 + index) for index in range(len(fates))]
    verdict = judge(
        exam, cases, [FATES[fate](one) for fate, one in zip(fates, cases, strict=True)], remaining
    )
    assert type(verdict.earned) is float and math.isfinite(verdict.earned)
    assert 0 <= verdict.earned <= verdict.available + 0.005 <= points + 0.005
    assert verdict.earned <= points
    assert (verdict.earned == points) is (set(fates) == {"right"} and remaining == 0)
    assert str(verdict) and verdict._repr_html_()


@given(points=POINTS, count=st.integers(1, 7), hidden=st.integers(0, 4))
@settings(max_examples=40, deadline=None)
def test_a_reference_earns_the_whole(points, count, hidden):
    def cases(prefix, number):
        return [
            Case(f"{prefix}{index}", lambda rng: {"x": rng.random(5, np.float32)}) for index in range(number)
        ]

    check = check_function(
        lambda x: x * 2, lambda x: x * 2, cases("seen", count), points=points, hidden=hidden
    )
    if hidden:
        released, shown = quietly(check)
        assert released + 0.005 > 0 and released < points
        assert f"{hidden} more case" in shown
    check.hidden(cases("hidden", hidden))
    assert quietly(check)[0] == points


@given(
    returned=anything, expected=st.sampled_from([1, 0.5, "a", True, np.zeros(3), (1, 2.0), {"a": 1}, None])
)
@settings(max_examples=150, deadline=None)
def test_no_return_value_breaks_a_check(returned, expected):
    check = check_function(lambda: returned, lambda: expected, [Case("once", {})], points=2)
    points, shown = quietly(check)
    assert points in (0.0, 2.0) and type(points) is float
    assert shown


@given(
    st.sampled_from(
        [ValueError, SystemExit, RecursionError, GeneratorExit, StopIteration, MemoryError, Warning]
    )
)
@settings(max_examples=20, deadline=None)
def test_no_exception_breaks_a_check(kind):
    def raising():
        raise kind("text")

    points, shown = quietly(check_function(raising, lambda: 1, [Case("once", {})], points=2))
    assert points == 0.0 and '`raise kind("text")`' in shown
