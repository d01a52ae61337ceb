"""What a learner reads: yours, expected, why; every cause once; words beside colours."""

import re

import numpy as np
import pytest

from tests.checks.helpers import WHY, case, evidence_of, finding, saxpy_reference, sector_gate
from utils.checks import Case, Mistake, wording
from utils.checks.evidence import Evidence, Trouble
from utils.checks.exam import Exam
from utils.checks.feedback import show
from utils.checks.verdict import judge


def told(cases, evidence, remaining=0, **options):
    """Return the verdict on some evidence of saxpy."""
    exam = Exam("saxpy", saxpy_reference, 3, **{"ops": 2, "of_kernel": True} | options)
    return judge(exam, cases, evidence, remaining)


def wrong_from(start):
    """Return a change that leaves the elements from `start` on unwritten."""

    def change(arguments):
        arguments["out"][start:] = case(100).build()["out"][start:]

    return change


def test_a_wrong_result_tells_where_how_many_yours_expected_and_the_inputs():
    one = case(100)
    said = str(told([one], [evidence_of(one, change=wrong_from(63))]))
    x = float(one.build()["x"][63])
    assert "37 of 100 elements of out are wrong, the first at [63]: yours NaN, expected " in said
    assert f"x[63] is {x:.7g}" in said and "y[63] is" in said and "a is 1." in said
    assert "The wrong ones are the last 37." in said
    assert "They still hold what they held before." in said


def test_one_wrong_element_is_in_the_singular():
    one = case(100)
    said = str(told([one], [evidence_of(one, change=wrong_from(99))]))
    assert "1 of 100 elements of out is wrong, at [99]" in said
    assert "It is the last one. It still holds what it held before." in said


def test_a_computed_nan_is_not_taken_for_an_untouched_element():
    def compute_nan(arguments):
        arguments["out"][:] = np.float32("nan")

    one = case(100)
    said = str(told([one], [evidence_of(one, change=compute_nan)]))
    assert "All of these are NaN." in said and "still hold" not in said


def test_where_all_are_wrong_no_end_is_named():
    one = case(100)
    said = str(told([one], [evidence_of(one, change=wrong_from(0))]))
    assert "All 100 elements of out are wrong" in said and "last" not in said


def test_wrong_elements_in_the_middle_are_given_no_pattern():
    def middle(arguments):
        arguments["out"][10:20] += 1

    one = case(100)
    said = str(told([one], [evidence_of(one, change=middle)]))
    assert "10 of 100" in said and "last" not in said and "NaN" not in said


def test_a_small_error_is_set_beside_what_rounding_explains():
    def blur(arguments):
        arguments["out"][:] *= np.float32(1.0001)

    one = case(100)
    said = str(told([one], [evidence_of(one, change=blur)]))
    assert re.search(r"It is off by \d\S*; rounding explains \d\S*e-0[78]\.", said)


def test_numbers_that_look_alike_get_all_their_digits():
    exam = Exam("f", lambda: 0.1, 1, ops=1)
    said = str(judge(exam, [Case("once", {})], [Evidence(result=0.1000000001)]))
    assert "yours 0.1000000001, expected 0.1." in said


def test_a_cause_met_in_every_case_is_told_once():
    cases = [case(100), case(7), case(3)]
    evidence = [evidence_of(one, findings=[finding(), finding()]) for one in cases]
    said = str(told(cases, evidence))
    assert said.count("two threads write") == 1
    assert said.count("race: as above, line 9") == 2


def test_two_causes_are_two_sentences():
    one = case(100)
    findings = [
        finding(),
        finding("out-of-bounds", 9, "line 9: past the end."),
        finding(line=12, message="line 12: too."),
    ]
    said = str(told([one], [evidence_of(one, findings=findings)]))
    assert all(words in said for words in ("two threads", "past the end", "line 12: too."))


def test_a_missed_gate_tells_yours_ideal_gate_line_and_why():
    one = case(100)
    said = str(told([one], [evidence_of(one, sectors=1024)], gates=(sector_gate(),)))
    assert "missed  sectors per request (1 point)" in said
    assert "yours 32, ideal 4, gate 5 or less (naive 32; 100 elements)." in said
    assert f"Line 4, `x[i]`, costs most: 32. {WHY}" in said


def test_a_met_gate_tells_its_numbers_and_no_more():
    one = case(100)
    said = str(told([one], [evidence_of(one)], gates=(sector_gate(),)))
    assert "yours 4, ideal 4, gate 5 or less (naive 32)" in said and WHY not in said


def test_a_case_says_what_it_is_there_for_when_it_fails():
    one = case(100, why="A last block has idle threads.")
    assert "idle threads" not in str(told([one], [evidence_of(one)]))
    assert "why: A last block has idle threads." in str(told([one], [evidence_of(one, change=wrong_from(9))]))


@pytest.mark.parametrize(
    ("remaining", "words"),
    [
        (0, "saxpy: 3 of 3 points"),
        (1, "saxpy: 1.5 of 3 points so far. 1 more case when graded, for 1.5 points."),
        (2, "saxpy: 1 of 3 points so far. 2 more cases when graded, for 2 points."),
    ],
)
def test_the_headline_adds_up(remaining, words):
    one = case(100)
    assert str(told([one], [evidence_of(one)], remaining)).splitlines()[0] == words


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        (Trouble("error", "boom", "ValueError", 3, "f(x)"), "error: line 3, `f(x)`: ValueError: boom."),
        (
            Trouble("error", "", "AssertionError", 3, "assert x"),
            "line 3, `assert x`: AssertionError. The run",
        ),
        (Trouble("exit", "", "SystemExit", 3, "exit()"), "exit: line 3, `exit()`: this ends Python itself."),
        (Trouble("refused", "saxpy cannot run."), "cannot run: saxpy cannot run."),
        (Trouble("not-plain", "It returns a set."), "wrong kind: It returns a set."),
    ],
)
def test_trouble_is_told_in_the_learners_terms(trouble, words):
    cases = [case(100), case(7)]
    said = str(told(cases, [Evidence(trouble=trouble), evidence_of(cases[1])]))
    assert words in said


def test_a_refusal_with_findings_is_told_by_its_findings():
    one = case(100)
    evidence = Evidence(
        trouble=Trouble("refused", "cannot run."), report=evidence_of(one, findings=[finding()]).report
    )
    said = str(told([one], [evidence]))
    assert "race: line 9" in said and "cannot run" not in said


def test_the_html_escapes_what_learners_write_and_needs_no_style_sheet():
    one = case(100)
    nasty = finding(message="line 9, <script>alert(1)</script>: & so on.")
    html = told([one], [evidence_of(one, findings=[nasty])], gates=(sector_gate(),))._repr_html_()
    assert "<script" not in html and "&lt;script&gt;" in html
    assert "class=" not in html and "<style" not in html and "var(" not in html
    assert html.count("<div") == html.count("</div>")


def test_a_hint_stands_out_in_both_forms():
    def forget(arguments):
        arguments["out"][:] = arguments["a"] * arguments["x"]

    one = case(100)
    mistake = Mistake(lambda seen: seen["a"] * seen["x"], "y <was> never added.")
    verdict = told([one], [evidence_of(one, change=forget)], mistakes=(mistake,))
    assert "hint    y <was> never added." in str(verdict)
    assert "<b>hint</b> y &lt;was&gt; never added." in verdict._repr_html_()


def test_a_colour_never_stands_alone():
    one = case(100)
    for evidence, word in ((evidence_of(one), "right"), (evidence_of(one, change=wrong_from(9)), "wrong")):
        assert f">{word}</b>" in told([one], [evidence])._repr_html_()


def test_what_was_printed_is_shown_once_before_the_verdict(capsys):
    one = case(100)
    show(told([one], [evidence_of(one)]), [("a", "x is 3\n"), ("b", "x is 3\n"), ("c", ""), ("d", "other\n")])
    shown = capsys.readouterr().out
    assert shown.startswith("Printed in 2 cases:\n  x is 3\nPrinted in d:\n  other\nsaxpy: 3 of 3")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3, "3"),
        (1234567, "1,234,567"),
        (0.1 + 0.2, "0.3"),
        (32.0, "32"),
        (float("nan"), "NaN"),
        (float("-inf"), "-infinity"),
        (True, "True"),
        (None, "None"),
        ("warp", "'warp'"),
        (1 + 2j, "1+2j"),
        (10**400, "a huge number"),
        ("x" * 100, "'" + "x" * 59 + "…"),
    ],
)
def test_numbers_are_written_as_people_write_them(value, text):
    assert wording.number(value) == text
