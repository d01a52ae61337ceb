"""Nothing that a learner's code does may reach stderr: nbgrader takes any word there for an error."""

import logging
import os
import subprocess
import sys
import warnings

import pytest

from utils.checks.capture import MAX_CHARACTERS, capture


def by_warning():
    warnings.warn("slow path", stacklevel=1)


def by_logging():
    logger = logging.getLogger("somewhere")
    logger.propagate = False  # pytest's own handler sits at the root; without any, logging turns to stderr
    logger.warning("slow path")


def by_child():
    subprocess.run([sys.executable, "-c", "import sys; sys.stderr.write('slow path')"], check=True)


@pytest.mark.parametrize(
    "speak",
    [
        by_warning,
        by_logging,
        by_child,
        lambda: print("slow path", file=sys.stderr),
        lambda: os.write(2, b"slow path\n"),
        lambda: sys.__stderr__.write("slow path"),
    ],
)
def test_every_road_to_stderr_is_caught(speak, capfd):
    with capture() as spoken:
        speak()
        sys.__stderr__.flush()
    assert "slow path" in spoken.err
    assert capfd.readouterr() == ("", "")


def test_a_logging_handler_made_earlier_is_led_away_and_back(capfd):
    logger, handler = logging.getLogger("early"), logging.StreamHandler(sys.stderr)
    logger.addHandler(handler)
    try:
        with capture() as spoken:
            logger.warning("slow path")
        assert "slow path" in spoken.err
        assert handler.stream is sys.stderr
        assert capfd.readouterr().err == ""
    finally:
        logger.removeHandler(handler)


def test_what_is_printed_is_kept_apart():
    with capture() as spoken:
        print("x is 3")
    assert (spoken.out, spoken.err, spoken.text) == ("x is 3\n", "", "x is 3\n")


def test_an_error_inside_still_gives_the_streams_back(capfd):
    with pytest.raises(KeyboardInterrupt), capture() as spoken:
        print("before")
        raise KeyboardInterrupt
    assert spoken.out == "before\n"
    print("after")
    os.write(2, b"and here\n")
    assert capfd.readouterr() == ("after\n", "and here\n")


def test_captures_nest():
    with capture() as outer:
        with capture() as inner:
            os.write(2, b"inner\n")
        os.write(2, b"outer\n")
    assert (inner.err, outer.err) == ("inner\n", "outer\n")


def test_a_flood_is_cut_and_counted():
    with capture() as spoken:
        for _ in range(3):
            print("x" * MAX_CHARACTERS)
        os.write(2, b"y" * 10 * MAX_CHARACTERS)
    assert "more characters left out" in spoken.out and "more characters left out" in spoken.err
    assert len(spoken.text) < 2 * MAX_CHARACTERS + 200


def test_a_warning_is_a_line_of_text_even_where_warnings_are_errors():
    with capture() as spoken:
        warnings.warn("old name", DeprecationWarning, stacklevel=1)
    assert "DeprecationWarning: old name" in spoken.err


def test_does_a_closed_descriptor_come_back(capfd):
    with capture():
        os.close(2)
    os.write(2, b"still here\n")
    assert capfd.readouterr().err == "still here\n"
