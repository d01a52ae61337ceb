"""Generate exercises/ from solutions/ without ever losing what a learner wrote.

nbgrader's own converter makes each release, in a temporary folder. From there it is placed: the record
`exercises/releases.json` holds the hash of every file as it was last released, so a file that differs from
its record is the learner's. It stays, and the new release is set beside it. `make exercises` and
`make reset NAME=...` call this module.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from traitlets.config.loader import PyFileConfigLoader

from utils.grading.canonical import canonical

RECORD = "releases.json"


def assignments(project: Path) -> list[str]:
    """Name the folders of solutions/ that hold a notebook, in order."""
    return sorted({notebook.parent.name for notebook in (project / "solutions").glob("*/*.ipynb")})


def generate(project: Path, names: Iterable[str], register: bool = False) -> dict[str, bytes]:
    """Make the release of some assignments with nbgrader, touching nothing of the project but its gradebook.

    Parameters
    ----------
    project : Path
        The folder that holds solutions/ and nbgrader_config.py.
    names : iterable of str
        Assignments, such as "02_first_kernels".
    register : bool
        Whether to record the assignments in the gradebook, which nbgrader asks for before it grades.

    Returns
    -------
    dict of str to bytes
        Every file of the release by its path below exercises/. The same sources give the same bytes.
    """
    config = PyFileConfigLoader("nbgrader_config.py", path=str(project)).load_config()
    released: dict[str, bytes] = {}
    with tempfile.TemporaryDirectory() as folder:
        workshop = Path(folder)
        config.CourseDirectory.root = str(workshop)
        # A learner needs no gradebook; an instructor's stays where the configuration has it.
        config.SaveCells.enabled = register
        for name in names:
            _refuse_unstable(project / "solutions" / name)
            shutil.copytree(project / "solutions" / name, workshop / "solutions" / name)
            course = CourseDirectory(config=config)
            course.assignment_id = name
            GenerateAssignment(coursedir=course, config=config, no_database=not register).start()
        for path in sorted((workshop / "exercises").rglob("*")):
            if path.is_file():
                released[path.relative_to(workshop / "exercises").as_posix()] = _stored_form(path)
    return released


def place(released: dict[str, bytes], exercises: Path, now: datetime) -> list[str]:
    """Write a complete release into `exercises`, and leave alone what a learner has changed there.

    Returns
    -------
    list of str
        One sentence for each file that was written, kept or removed.
    """
    exercises.mkdir(parents=True, exist_ok=True)
    record = read_record(exercises)
    told = [_place_one(exercises, name, content, record, now) for name, content in released.items()]
    told += [_withdraw(exercises, name, record[name]) for name in record.keys() - released.keys()]
    _write_record(exercises, {name: digest(content) for name, content in released.items()})
    return [sentence for sentence in told if sentence]


def reset(released: dict[str, bytes], exercises: Path, now: datetime) -> list[str]:
    """Write one assignment's release into `exercises` after saving every file there that differs from it.

    Returns
    -------
    list of str
        One sentence for each file that was saved or written.
    """
    told = []
    for name, content in released.items():
        target = exercises / name
        if target.exists() and target.read_bytes() != content:
            told.append(f"saved: your {name} is now {_save(target, now).name}")
        beside = _beside(target)
        if beside.exists() and beside.read_bytes() == content:
            beside.unlink()
        if not target.exists():
            _write(target, content)
            told.append(f"blank: {name}")
    _write_record(exercises, read_record(exercises) | {n: digest(c) for n, c in released.items()})
    return told


def read_record(exercises: Path) -> dict[str, str]:
    """Read the hash, sha256 in hexadecimal, of each file of the last release by its path."""
    path = exercises / RECORD
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}


def digest(content: bytes) -> str:
    """Return the sha256 of a file, in hexadecimal, as the record holds it."""
    return hashlib.sha256(content).hexdigest()


def is_learners(exercises: Path, name: str) -> bool:
    """Say whether the file differs from its last release: someone has worked in it."""
    return digest((exercises / name).read_bytes()) != read_record(exercises).get(name)


def main(arguments: list[str] | None = None) -> int:
    """Release every assignment, or with `--reset NAME` bring one back blank; tell what happened."""
    # nbgrader runs `alembic` from PATH when it makes a gradebook: the one beside this Python.
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    parser = argparse.ArgumentParser(prog="python -m utils.grading.release")
    parser.add_argument("--reset", metavar="NAME", help="save one assignment, bring back a blank")
    parser.add_argument("--register", action="store_true", help="also record the assignments in nbgrader's gradebook")
    parser.add_argument("--project", type=Path, default=Path.cwd(), help="the folder that holds solutions/")
    options = parser.parse_args(arguments)
    project = options.project.resolve()
    names = assignments(project)
    if not names:
        print("No assignment in solutions/: nothing to release.")
        return 1
    if options.reset is None:
        told = place(generate(project, names, options.register), project / "exercises", datetime.now())
        print("\n".join(told) or "exercises/ is up to date.")
        if options.register:
            print(f"The gradebook knows {', '.join(names)}.")
        return 0
    if options.reset not in names:
        print(f"Which assignment? make reset NAME={names[0]}   (there are: {', '.join(names)})")
        return 2
    told = reset(generate(project, [options.reset]), project / "exercises", datetime.now())
    print("\n".join(told) or f"{options.reset} is blank as it is.")
    return 0


def _refuse_unstable(folder: Path) -> None:
    """Raise ValueError, with the notebook's name, if its release would differ from run to run."""
    for path in sorted(folder.glob("*.ipynb")):
        try:
            canonical(path.read_text(encoding="utf-8"), keep_outputs=False)
        except ValueError as error:
            raise ValueError(f"{folder.name}/{path.name}: {error}") from None


def _stored_form(path: Path) -> bytes:
    """Return a released file's bytes: a notebook in canonical form, anything else as it is."""
    if path.suffix != ".ipynb":
        return path.read_bytes()
    return canonical(path.read_text(encoding="utf-8"), keep_outputs=False).encode()


def _place_one(exercises: Path, name: str, content: bytes, record: dict[str, str], now: datetime) -> str:
    """Write one file of a release where no work is lost by it; say what was done, if anything was."""
    target = exercises / name
    if not target.exists():
        _write(target, content)
        return f"new: {name}"
    present = target.read_bytes()
    if present == content:
        return ""
    if digest(present) == record.get(name):
        _write(target, content)
        return f"renewed: {name}"
    beside = _beside(target)
    saved = ""
    if beside.exists() and beside.read_bytes() != content:
        # Someone may have worked in the last one set beside.
        saved = f", the one there before is {_save(beside, now).name}"
    _write(beside, content)
    return f"kept: {name} holds your work; the new release is beside it as {beside.name}{saved}"


def _withdraw(exercises: Path, name: str, recorded: str) -> str:
    """Remove a file that is no longer released, unless a learner changed it."""
    target = exercises / name
    if not target.exists():
        return ""
    if digest(target.read_bytes()) != recorded:
        return f"kept: {name} is no longer part of the course, but holds your work"
    target.unlink()
    if not any(target.parent.iterdir()):
        target.parent.rmdir()
    return f"removed: {name} is no longer part of the course"


def _beside(path: Path) -> Path:
    """Return where a new release goes when `path` is a learner's."""
    return path.with_name(f"{path.stem}.new{path.suffix}")


def _save(path: Path, now: datetime) -> Path:
    """Rename `path` so that it carries the time, and return its new name; no file is overwritten."""
    stamp = f"{path.stem}.saved-{now:%Y%m%d-%H%M%S}"
    saved = path.with_name(f"{stamp}{path.suffix}")
    count = 1
    while saved.exists():
        count += 1
        saved = path.with_name(f"{stamp}-{count}{path.suffix}")
    return path.rename(saved)


def _write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    partial.write_bytes(content)
    os.replace(partial, path)


def _write_record(exercises: Path, record: dict[str, str]) -> None:
    text = json.dumps(dict(sorted(record.items())), indent=1) + "\n"
    _write(exercises / RECORD, text.encode())


if __name__ == "__main__":
    sys.exit(main())
