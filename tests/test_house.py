"""The rules of the house: short files, imports that run downward, few public names, no trace of a machine."""

import ast
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
LONGEST_FILE = 300
FILES = [path for room in ("utils", "tests") for path in sorted((PROJECT / room).rglob("*.py"))]

LEVEL = {"grading": 4, "checks": 3, "meters": 2, "ranks": 2, "simt": 2, "streams": 2}
# A figure may draw what the others of the lowest row hold: timings, a GPU's limits.
LEVEL |= {"plot": 1, "gpus": 0, "data": 0, "timing": 0, "setup_check": 0}


def room_of(module):
    """Return "simt" for "utils.simt.lanes"; None for what is not a room of utils."""
    parts = module.split(".")
    return parts[1] if parts[0] == "utils" and len(parts) > 1 else None


def imported(tree):
    """Yield the module names that a program imports when it runs, wherever in it the import stands."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == "utils":
            yield from (f"utils.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")
        yield from imported(node)


def upward_imports(room, source):
    """Name the imports of a file of `room` that do not run downward."""
    found = []
    for module in imported(ast.parse(source)):
        target = room_of(module)
        if module.startswith("."):
            found.append(f"{module}: write the whole name")
        elif (
            module.split(".")[0] == "tests"
            or (target and target not in LEVEL)
            or (target and target != room and LEVEL[target] >= LEVEL[room])
        ):
            found.append(module)
    return found


def test_no_file_is_longer_than_its_idea():
    lengths = {path.relative_to(PROJECT).as_posix(): len(path.read_text().splitlines()) for path in FILES}
    assert {name: length for name, length in lengths.items() if length > LONGEST_FILE} == {}


def test_imports_run_downward():
    found = {}
    for path in FILES:
        parts = path.relative_to(PROJECT).with_suffix("").parts
        if parts[0] != "utils" or parts[1] == "__init__":
            continue
        assert parts[1] in LEVEL, f"utils/{parts[1]} is in no level: see docs/architecture.md"
        if wrong := upward_imports(parts[1], path.read_text(encoding="utf-8")):
            found["/".join(parts)] = wrong
    assert found == {}


@pytest.mark.parametrize(
    ("room", "source"),
    [
        ("simt", "from utils.checks.verdict import Verdict"),
        ("plot", "from utils import simt"),
        ("simt", "def f():\n    import utils.ranks"),
        ("checks", "from tests import bench"),
        ("checks", "from . import verdict"),
        ("plot", "from utils import connect"),
        ("timing", "from utils.plot import bars"),
    ],
)
def test_an_upward_import_is_noticed(room, source):
    assert len(upward_imports(room, source)) == 1


@pytest.mark.parametrize(
    ("room", "source"),
    [
        ("checks", "from utils.simt.report import Report\nimport utils.checks.gates\nimport numpy"),
        ("plot", "from utils.timing import Timing"),
        ("plot", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from utils.simt import Report"),
    ],
)
def test_a_downward_import_passes(room, source):
    assert upward_imports(room, source) == []


def test_few_names_are_public_and_all_exist():
    import utils

    assert 0 < len(utils.__all__) < 12
    assert all(hasattr(utils, name) for name in utils.__all__)


def test_importing_utils_loads_no_torch_and_no_greenlet():
    program = "import sys, utils; print(*{'torch', 'greenlet', 'matplotlib'} & sys.modules.keys())"
    told = subprocess.check_output([sys.executable, "-c", program], cwd=PROJECT, text=True)
    assert told.split() == []


def test_nothing_names_a_path_of_this_machine():
    # A clone in /tmp or in the root of the disk has a parent that is anybody's; its own path is still telling.
    shared = {Path(PROJECT.anchor), Path(tempfile.gettempdir())}
    here = f"{(PROJECT if PROJECT.parent in shared else PROJECT.parent).as_posix()}/"
    if not (PROJECT / ".git").exists():
        pytest.skip("only a clone can tell what is part of the project")
    found = subprocess.run(["git", "grep", "-nIF", here], cwd=PROJECT, capture_output=True, text=True)
    assert found.stdout == ""
