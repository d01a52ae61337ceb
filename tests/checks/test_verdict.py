"""From evidence to points: what counts, what does not, and that the shares add up."""

import numpy as np
import pytest

from tests.checks.helpers import case, evidence_of, finding, saxpy_reference, sector_gate
from utils.checks import Case, Mistake
from utils.checks.evidence import Evidence, Trouble
from utils.checks.exam import Exam
from utils.checks.verdict import judge


def exam(**options):
    """Make a saxpy exam of 3 points."""
    return Exam("saxpy", saxpy_reference, 3, **{"ops": 2, "of_kernel": True} | options)


def verdict_of(the_exam, cases, remaining=0, **made):
    """Judge what a right saxpy leaves, changed as `made` says in every case."""
    return judge(the_exam, cases, [evidence_of(one, **made) for one in cases], remaining)


def one_wrong(arguments):
    arguments["out"][-1:] += 1


def test_all_right_is_all_points():
    verdict = verdict_of(exam(gates=(sector_gate(),)), [case(100), case(7)])
    assert (verdict.earned, verdict.available, verdict.remaining) == (3.0, 3.0, 0)
    assert all(outcome.right for outcome in verdict.outcomes)


def test_a_release_earns_its_visible_share_and_the_whole_adds_up():
    visible = verdict_of(exam(), [case(100), case(7)], remaining=4)
    assert (visible.earned, visible.available, visible.remaining) == (1.0, 1.0, 4)


def test_one_wrong_element_loses_its_case_only():
    cases = [case(100), case(7), case(3)]
    evidence = [evidence_of(cases[0], change=one_wrong), evidence_of(cases[1]), evidence_of(cases[2])]
    verdict = judge(exam(), cases, evidence)
    assert [outcome.right for outcome in verdict.outcomes] == [False, True, True]
    assert verdict.earned == 2.0
    assert verdict.outcomes[0].near.keys() == {"a", "x[99]", "y[99]"}


def test_any_finding_loses_the_case_however_right_the_numbers():
    verdict = verdict_of(exam(), [case(100)], findings=[finding()])
    assert verdict.earned == 0.0
    assert verdict.outcomes[0].findings and not verdict.outcomes[0].differences


def test_a_changed_input_loses_the_case():
    def spoil(arguments):
        arguments["x"][0] += 1

    assert verdict_of(exam(), [case(100)], change=spoil).outcomes[0].changed == ("x",)
    assert verdict_of(exam(), [case(100)], change=spoil).earned == 0.0
    assert verdict_of(exam(scratch=("x",)), [case(100)], change=spoil).earned == 3.0


def test_an_input_that_is_no_longer_plain_was_changed():
    one = Case("list", {"items": [1, 2]})
    verdict = judge(Exam("f", lambda items: 3, 1), [one], [Evidence(result=3, arguments={})])
    assert verdict.outcomes[0].changed == ("items",)


def test_a_right_but_naive_solution_keeps_its_result_points():
    verdict = verdict_of(exam(gates=(sector_gate(),)), [case(100), case(7)], sectors=1024)
    assert verdict.earned == 2.0
    assert verdict.gates[0].reading.yours == 32


def test_a_gate_missed_once_is_missed():
    cases = [case(100), case(7)]
    evidence = [evidence_of(cases[0], sectors=1024), evidence_of(cases[1])]
    verdict = judge(exam(gates=(sector_gate(),)), cases, evidence)
    assert verdict.earned == 2.0
    assert verdict.gates[0].reading.case == "100 elements"


def test_a_gate_is_judged_where_the_result_is_right_only():
    verdict = verdict_of(exam(gates=(sector_gate(),)), [case(100)], change=one_wrong)
    assert verdict.gates[0].reading is None and not verdict.gates[0].met
    assert verdict.earned == 0.0


def test_a_case_can_be_left_out_of_the_gates():
    cases = [case(100), case(1, gated=False)]
    evidence = [evidence_of(cases[0]), evidence_of(cases[1], sectors=1024)]
    assert judge(exam(gates=(sector_gate(),)), cases, evidence).earned == 3.0


def test_gates_and_results_share_the_points_as_declared():
    gates = (sector_gate(points=0.5), sector_gate(points=1.5, gate=1000))
    assert verdict_of(exam(gates=gates), [case(100)], sectors=1024).earned == 2.5


def test_doing_nothing_on_nothing_is_worth_nothing():
    """Does a kernel that does nothing earn the point of the empty array?"""

    def undo(arguments):
        arguments["out"][:] = np.nan

    cases = [case(0), case(100)]
    assert verdict_of(exam(), cases, change=undo).earned == 0.0
    assert verdict_of(exam(), cases).earned == 3.0
    assert verdict_of(exam(), cases).outcomes[0].idle


def test_trouble_in_one_case_leaves_the_others():
    cases = [case(100), case(7)]
    evidence = [
        Evidence(trouble=Trouble("error", "division by zero", "ZeroDivisionError")),
        evidence_of(cases[1]),
    ]
    assert judge(exam(), cases, evidence).earned == 1.5


def test_stale_lower_precision_or_missing_outputs_are_wrong():
    one = case(100)
    good = evidence_of(one).arguments
    half = good | {"out": good["out"].astype(np.float16)}
    for arguments in (half, {name: part for name, part in good.items() if name != "out"}, one.build()):
        assert judge(exam(), [one], [Evidence(arguments=arguments)]).earned == 0.0


def test_a_mistake_speaks_when_it_explains_every_answer():
    forgot_y = Mistake(lambda seen: seen["a"] * seen["x"], "y was never added.")

    def forget(arguments):
        arguments["out"][:] = arguments["a"] * arguments["x"]

    cases = [case(100), case(7), case(0)]
    assert verdict_of(exam(mistakes=(forgot_y,)), cases, change=forget).hints == ("y was never added.",)
    assert verdict_of(exam(mistakes=(forgot_y,)), cases).hints == ()
    assert verdict_of(exam(mistakes=(forgot_y,)), cases, change=one_wrong).hints == ()


def test_a_mistake_that_explains_one_answer_of_two_keeps_quiet():
    forgot_y = Mistake(lambda seen: seen["a"] * seen["x"], "y was never added.")
    cases = [case(100), case(7)]

    def forget(arguments):
        arguments["out"][:] = arguments["a"] * arguments["x"]

    evidence = [evidence_of(cases[0], change=forget), evidence_of(cases[1])]
    assert judge(exam(mistakes=(forgot_y,)), cases, evidence).hints == ()


def test_a_mistake_that_equals_the_right_answer_keeps_quiet():
    same = Mistake(lambda seen: saxpy_reference(seen["a"], seen["x"], seen["y"]), "Nobody may read this.")
    assert verdict_of(exam(mistakes=(same,)), [case(100)]).hints == ()


def test_a_mistake_is_silent_without_an_answer_and_speaks_beside_a_case_that_raised():
    forgot_y = Mistake(lambda seen: seen["a"] * seen["x"], "y was never added.")

    def forget(arguments):
        arguments["out"][:] = arguments["a"] * arguments["x"]

    cases = [case(100), case(7)]
    raised = Evidence(trouble=Trouble("error", "", "ValueError"))
    the_exam = exam(mistakes=(forgot_y,))
    assert judge(the_exam, cases, [raised, raised]).hints == ()
    assert judge(the_exam, cases, [raised, evidence_of(cases[1], change=forget)]).hints


def test_an_output_is_rounded_as_its_buffer_is():
    one = Case("sums", {"out": np.zeros(1, np.float32), "x": np.array([0.1])})
    the_exam = Exam("sum", lambda x: {"out": x}, 1, of_kernel=True)
    arguments = {"out": np.array([0.1 + 2e-9], np.float32), "x": np.array([0.1])}
    assert judge(the_exam, [one], [Evidence(arguments=arguments)]).earned == 1.0


def test_a_mistake_about_one_case_is_asked_there():
    cases = [Case("first", {"n": 1}), Case("second", {"n": 2})]
    wrong = Mistake(10, "This is ten.", case="first")
    evidence = [Evidence(result=10, arguments={"n": 1}), Evidence(result=7, arguments={"n": 2})]
    the_exam = Exam("f", lambda n: n, 2, mistakes=(wrong,))
    assert judge(the_exam, cases, evidence).hints == ("This is ten.",)
    assert judge(the_exam, cases, evidence[::-1]).hints == ()


@pytest.mark.parametrize(
    ("reference", "complaint"),
    [
        (lambda x: {"result": x}, "no array of that name"),
        (lambda x: {"out": x[1:]}, "shape"),
        (lambda a: a, "which output"),
    ],
)
def test_a_reference_that_does_not_fit_is_the_instructors_error(reference, complaint):
    with pytest.raises(ValueError, match=complaint):
        exam_of = Exam("saxpy", reference, 1, of_kernel=True)
        exam_of.expected(case(5))


@pytest.mark.parametrize(
    "options",
    [{"points": 0}, {"points": float("nan")}, {"points": float("inf")}, {"ops": -1}],
)
def test_points_and_roundings_must_make_sense(options):
    with pytest.raises(ValueError, match="must be"):
        Exam("f", max, **{"points": 1} | options)


def test_gates_cannot_be_worth_more_than_the_check():
    with pytest.raises(ValueError, match="more points"):
        exam(gates=(sector_gate(points=4),))


def test_a_verdict_is_text_and_html():
    verdict = verdict_of(exam(), [case(100)])
    assert str(verdict).startswith("saxpy: 3 of 3 points")
    assert verdict._repr_html_().startswith("<div")
