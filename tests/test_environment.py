"""Do pyproject.toml, constraints.txt, environment.yml and the Makefile agree, and with what is installed?"""

import re
import subprocess
import sys
import tomllib
from importlib import metadata

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name as canonical

SEVEN = ["jupyterlab", "numba", "torch", "matplotlib", "nbgrader", "pytest", "nbval"]


@pytest.fixture
def settings(project):
    return tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture
def pins(project):
    """The version of each pinned package."""
    lines = (project / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = [line.split("==") for line in lines if line and not line.startswith("#")]
    assert all(len(pin) == 2 for pin in pinned), "every line is name==version"
    return {canonical(name): version for name, version in pinned}


@pytest.fixture
def conda(project):
    return yaml.safe_load((project / "environment.yml").read_text(encoding="utf-8"))


def declared(settings):
    """Return every requirement of the project, extras included."""
    extras = [line for lines in settings["optional-dependencies"].values() for line in lines]
    return [Requirement(line) for line in settings["dependencies"] + extras]


def installed_below(names):
    """Map all that is installed because of `names`, themselves included, to its version."""
    found, to_see = {}, [canonical(name) for name in names]
    while to_see:
        name = to_see.pop()
        if name in found:
            continue
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
        needs = [Requirement(line) for line in metadata.requires(name) or ()]
        to_see += [canonical(n.name) for n in needs if n.marker is None or n.marker.evaluate({"extra": ""})]
    return found


def test_every_dependency_is_pinned_within_its_bounds(settings, pins):
    for requirement in declared(settings):
        assert requirement.specifier.contains(pins[canonical(requirement.name)]), requirement


def test_what_is_installed_is_what_is_pinned(settings, pins):
    """Would another machine get the versions that are tested here, also of what is needed indirectly?"""
    optional = {"numba-cuda"}
    installed = installed_below({r.name for r in declared(settings)} - optional)
    assert len(installed) > 100
    # A build's label, as in 2.13.0+cpu, is not part of the pin.
    assert {name: pins.get(name) for name in installed} == {n: v.split("+")[0] for n, v in installed.items()}


def test_conda_names_the_seven_packages_and_this_project(conda, settings):
    (lines,) = (entry["pip"] for entry in conda["dependencies"] if isinstance(entry, dict))
    assert lines[0] == "-c constraints.txt"
    assert lines[1:-1] == SEVEN
    extras = re.fullmatch(r"-e \.\[([\w,]+)\]", lines[-1]).group(1).split(",")
    assert set(extras) <= settings["optional-dependencies"].keys()
    assert set(SEVEN) <= {requirement.name for requirement in declared(settings)}
    assert "pip" in conda["dependencies"]
    assert conda["name"] == settings["name"]


def test_conda_brings_a_python_that_the_project_accepts(conda, settings):
    (python,) = (entry for entry in conda["dependencies"] if str(entry).startswith("python="))
    assert Requirement(f"python{settings['requires-python']}").specifier.contains(python.split("=")[1])


def test_only_utils_is_packaged(project):
    assert metadata.distribution("warps-to-clusters").read_text("top_level.txt").split() == ["utils"]


def test_make_help_lists_every_command(project):
    text = (project / "Makefile").read_text(encoding="utf-8")
    commands = re.search(r"^\.PHONY: (.*)$", text, re.MULTILINE).group(1).split()
    told = subprocess.check_output(["make", "--no-print-directory", "help"], cwd=project, text=True)
    assert [line.split()[1] for line in told.splitlines()] == commands


def test_ci_runs_make_test(project):
    assert (project / ".ci" / "run").read_text(encoding="utf-8").rstrip().endswith("make test")


def test_gpu_tests_are_left_out_unless_asked_for(project):
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "tests/gpu"]
    collected = subprocess.run(command, cwd=project, capture_output=True, text=True)
    assert "::" not in collected.stdout
