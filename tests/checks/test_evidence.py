"""What a learner's code does is written down: nothing it raises ends the check, no line of ours is blamed."""

import pytest

from utils.checks.evidence import Evidence, gather, not_written
from utils.simt.report import LaunchError, Report


def written_by_a_learner(act):
    """Return what is written down when `act` is what the learner's function does."""

    def ask():
        act()
        return Evidence(result=1)

    return gather(ask)


def divide():
    return 1 / 0


def through_a_library():
    import json

    return json.loads("{")


def test_an_answer_and_what_was_printed():
    found = written_by_a_learner(lambda: print("x is 3"))
    assert (found.result, found.trouble, found.printed) == (1, None, "x is 3\n")


@pytest.mark.parametrize(
    ("act", "kind", "error", "source"),
    [
        (divide, "error", "ZeroDivisionError", "return 1 / 0"),
        (through_a_library, "error", "JSONDecodeError", 'return json.loads("{")'),
    ],
)
def test_an_error_names_the_learners_own_line(act, kind, error, source):
    trouble = written_by_a_learner(act).trouble
    assert (trouble.kind, trouble.error, trouble.source) == (kind, error, source)
    assert trouble.line > 1


def starter():
    raise NotImplementedError


def leave():
    raise SystemExit(3)


def end():
    raise BaseException("a raw one")


@pytest.mark.parametrize(("act", "kind"), [(starter, "not-written"), (leave, "exit"), (end, "error")])
def test_base_exceptions_do_not_pass(act, kind):
    assert written_by_a_learner(act).trouble.kind == kind


def test_the_learners_own_interrupt_passes():
    def interrupt():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        written_by_a_learner(interrupt)


def test_an_exception_that_cannot_even_be_read():
    class Hostile(Exception):
        def __str__(self):
            raise ValueError

    def act():
        raise Hostile

    assert "without a readable message" in written_by_a_learner(act).trouble.message


def test_a_long_message_is_cut():
    def act():
        raise ValueError("x" * 10_000)

    assert len(written_by_a_learner(act).trouble.message) == 500


def test_a_refused_launch_brings_its_report():
    report = Report("k", (1, 1, 1), (2048, 1, 1))

    def act():
        raise LaunchError("a block has at most 1,024 threads", report)

    found = written_by_a_learner(act)
    assert (found.trouble.kind, found.report) == ("refused", report)


def test_what_poses_as_a_report_does_not_pass():
    def act():
        raise LaunchError("forged", "10 points")

    assert written_by_a_learner(act).report is None


def test_a_starter_is_told_by_its_code_without_running_it():
    line = starter.__code__.co_firstlineno + 1
    assert not_written(starter.__code__) == line
    assert not_written(divide.__code__) is None
