"""Is a learner told which file hides the course's `utils`?"""

import shutil
import subprocess
import sys

import pytest

from utils import setup_check


@pytest.fixture
def copy(tmp_path, project):
    """Another copy of the course, with one lesson."""
    other = tmp_path / "copy"
    (other / "utils").mkdir(parents=True)
    (other / "course").mkdir()
    (other / "course" / "00_a.ipynb").write_text("{}")
    (other / "utils" / "__init__.py").touch()
    for name in ("pyproject.toml", "utils/setup_check.py"):
        shutil.copy(project / name, other / name)
    return other


def test_a_folder_without_a_utils_of_its_own_is_well(tmp_path):
    assert setup_check.what_shadows(tmp_path) is None


@pytest.mark.parametrize("name", ["utils.py", "utils/__init__.py"])
def test_a_utils_beside_the_notebook_is_named(tmp_path, name):
    hiding = tmp_path / name
    hiding.parent.mkdir(exist_ok=True)
    hiding.touch()
    assert setup_check.what_shadows(tmp_path) == hiding.resolve()


def test_asking_leaves_imports_as_they_were(tmp_path):
    path, modules = sys.path[:], set(sys.modules)
    setup_check.what_shadows(tmp_path)
    assert sys.path == path and modules <= set(sys.modules)


def test_a_notebook_of_this_copy_or_of_none_is_well(tmp_path, project, monkeypatch):
    for folder in (tmp_path, project, project / "utils"):
        monkeypatch.chdir(folder)
        setup_check.check_setup()


def test_a_notebook_of_another_copy_is_told_both_places(copy, project, monkeypatch):
    monkeypatch.chdir(copy / "course")
    with pytest.raises(ImportError) as told:
        setup_check.check_setup()
    assert str(copy) in str(told.value) and str(project / "utils") in str(told.value)


def run_script(copy, **environment):
    command = [sys.executable, copy / "utils" / "setup_check.py"]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def test_the_script_is_silent_where_all_is_well(copy):
    done = run_script(copy, PYTHONPATH=str(copy))
    assert (done.returncode, done.stdout) == (0, "")


def test_the_script_names_the_folder_and_the_file(copy):
    (copy / "course" / "utils.py").touch()
    done = run_script(copy, PYTHONPATH=str(copy))
    assert done.returncode == 1
    assert f"Notebooks in course import {copy / 'course' / 'utils.py'}" in done.stdout


def test_this_project_is_installed_editable(project):
    done = run_script(project)
    assert (done.returncode, done.stdout) == (0, "")
