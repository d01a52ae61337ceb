"""A refactor leaves the reports of these kernels byte for byte."""

from __future__ import annotations

import pytest

from tests.simt.golden import CASES, FOLDER, golden


def test_there_are_twenty_and_one_file_for_each():
    assert len(CASES) >= 20
    assert {path.stem for path in FOLDER.glob("*.json")} == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_the_report_is_the_stored_one(name):
    assert golden(name) == (FOLDER / f"{name}.json").read_text()


def test_a_report_is_the_same_twice():
    name = next(iter(CASES))
    assert golden(name) == golden(name)
