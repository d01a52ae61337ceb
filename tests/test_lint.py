"""Do ruff and mypy, as pyproject.toml sets them, find nothing?"""

import subprocess
import sys

import pytest


def run(project, *command):
    done = subprocess.run([sys.executable, "-m", *command], cwd=project, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_ruff_finds_nothing(project):
    status, told = run(project, "ruff", "check", "--output-format=concise", ".")
    assert status == 0, told


@pytest.mark.slow
def test_mypy_finds_nothing(project):
    status, told = run(project, "mypy")
    assert status == 0, told


def test_ruff_would_notice(project, tmp_path):
    (tmp_path / "wrong.py").write_text("import os\n")
    status, told = run(project, "ruff", "check", "--config=pyproject.toml", str(tmp_path))
    assert status == 1 and "F401" in told
