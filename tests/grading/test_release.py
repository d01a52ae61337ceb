"""Releases: the same bytes each time, nothing given away, and never a learner's work lost."""

import json
from datetime import datetime

import pytest

from tests.notebooks import tiny
from tests.notebooks.assignments import notebook_of
from utils.grading import release

NAME = "01_tiny/tiny.ipynb"
NOON = datetime(2026, 11, 21, 12, 0, 0)


@pytest.fixture(scope="module")
def small(tmp_path_factory, project):
    return tiny.project_with(tmp_path_factory.mktemp("release") / "project", project)


@pytest.fixture(scope="module")
def first(small):
    return release.generate(small, ["01_tiny"])


@pytest.fixture
def second(first):
    """A later release of the same assignment."""
    return first | {NAME: first[NAME].replace(b"# Tiny", b"# Tiny, second edition")}


def test_the_same_source_gives_the_same_bytes(small, first):
    assert release.generate(small, ["01_tiny"]) == first


def test_solutions_and_hidden_cases_are_gone_and_the_rest_stays(first):
    cells = {cell.id: cell.source for cell in notebook_of(first[NAME].decode()).cells}
    assert cells["double"] == 'raise NotImplementedError("your code here")'
    assert cells["setup"] == tiny.SETUP
    assert "Halves" not in cells["double-check"] and cells["double-check"].endswith("points")
    assert first["01_tiny/data.txt"] == b"3 1 4\n"


def test_generating_touches_nothing_of_the_project(small, first):
    assert not (small / "exercises").exists()
    assert not (small / "instructor" / "gradebook.db").exists()


def test_a_notebook_without_cell_ids_is_refused_by_name(tmp_path, project):
    old = json.loads(tiny.v4.writes(tiny.notebook()))
    del old["cells"][0]["id"]
    small = tiny.project_with(tmp_path / "project", project)
    (small / "solutions" / NAME).write_text(json.dumps(old | {"nbformat_minor": 4}))
    with pytest.raises(ValueError, match=r"01_tiny/tiny\.ipynb: a cell has no id"):
        release.generate(small, ["01_tiny"])


def test_a_first_release_is_written_and_recorded(tmp_path, first):
    told = release.place(first, tmp_path, NOON)
    assert told == ["new: 01_tiny/data.txt", f"new: {NAME}"]
    assert (tmp_path / NAME).read_bytes() == first[NAME]
    assert release.read_record(tmp_path) == {name: release.digest(first[name]) for name in first}
    assert not release.is_learners(tmp_path, NAME)
    assert release.place(first, tmp_path, NOON) == []


def test_an_untouched_notebook_is_renewed(tmp_path, first, second):
    release.place(first, tmp_path, NOON)
    assert release.place(second, tmp_path, NOON) == [f"renewed: {NAME}"]
    assert (tmp_path / NAME).read_bytes() == second[NAME]


def test_a_learners_notebook_is_kept_and_the_new_one_set_beside_it(tmp_path, first, second):
    release.place(first, tmp_path, NOON)
    (tmp_path / NAME).write_bytes(b"my work")
    (told,) = release.place(second, tmp_path, NOON)
    assert told.startswith(f"kept: {NAME}") and "tiny.new.ipynb" in told
    assert (tmp_path / NAME).read_bytes() == b"my work"
    assert (tmp_path / "01_tiny/tiny.new.ipynb").read_bytes() == second[NAME]
    assert release.is_learners(tmp_path, NAME)


def test_work_in_the_notebook_set_beside_is_not_lost_either(tmp_path, first, second):
    release.place(first, tmp_path, NOON)
    (tmp_path / NAME).write_bytes(b"my work")
    release.place(first, tmp_path, NOON)
    (tmp_path / "01_tiny/tiny.new.ipynb").write_bytes(b"more work")
    (told,) = release.place(second, tmp_path, NOON)
    assert "tiny.new.saved-20261121-120000.ipynb" in told
    assert (tmp_path / "01_tiny/tiny.new.saved-20261121-120000.ipynb").read_bytes() == b"more work"


def test_reset_saves_the_old_and_brings_back_a_blank(tmp_path, first):
    release.place(first, tmp_path, NOON)
    for work in (b"my work", b"more work"):
        (tmp_path / NAME).write_bytes(work)
        release.reset(first, tmp_path, NOON)
        assert (tmp_path / NAME).read_bytes() == first[NAME]
    assert (tmp_path / "01_tiny/tiny.saved-20261121-120000.ipynb").read_bytes() == b"my work"
    assert (tmp_path / "01_tiny/tiny.saved-20261121-120000-2.ipynb").read_bytes() == b"more work"


def test_reset_of_one_assignment_leaves_the_record_of_the_others(tmp_path, first):
    release.place(first | {"02_other/other.ipynb": b"{}"}, tmp_path, NOON)
    release.reset(first, tmp_path, NOON)
    assert "02_other/other.ipynb" in release.read_record(tmp_path)


def test_an_assignment_that_is_withdrawn_goes_unless_someone_worked_in_it(tmp_path, first):
    release.place(first, tmp_path, NOON)
    (tmp_path / NAME).write_bytes(b"my work")
    told = release.place({"02_other/other.ipynb": b"{}"}, tmp_path, NOON)
    assert (tmp_path / NAME).read_bytes() == b"my work"
    assert not (tmp_path / "01_tiny/data.txt").exists()
    assert any("holds your work" in sentence for sentence in told)


def test_the_command_releases_and_resets(small, capsys):
    assert release.main(["--project", str(small)]) == 0
    assert f"new: {NAME}" in capsys.readouterr().out
    (small / "exercises" / NAME).write_text("my work")
    assert release.main(["--project", str(small), "--reset", "01_tiny"]) == 0
    assert "saved: your 01_tiny/tiny.ipynb is now tiny.saved-" in capsys.readouterr().out
    for wrong in ("", "../01_tiny", "tiny"):
        assert release.main(["--project", str(small), "--reset", wrong]) == 2
        assert "01_tiny" in capsys.readouterr().out


def test_finding_no_assignment_is_a_failure(tmp_path, capsys):
    assert release.main(["--project", str(tmp_path)]) == 1
    assert "No assignment" in capsys.readouterr().out
