"""Make sure that the `utils` which a notebook imports is this project's own.

Python takes the first `utils` it meets: a learner's `utils.py` beside a notebook, or a package that installed
one, hides the course's. `check_setup` asks inside a notebook. Run as a script, as `make lab` does, this file
asks for every folder that holds notebooks. It needs the standard library only.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

PROJECT = Path(__file__).resolve().parent.parent
"""The folder that holds `utils`, `course` and `exercises`."""

NAME_LINE = 'name = "warps-to-clusters"'


def check_setup() -> None:
    """Raise ImportError unless this notebook and the `utils` it imported are of one copy of the course.

    Silent where all is well. A notebook outside any copy (an instructor's working folder) is not judged.
    """
    home = _project_around(Path.cwd())
    if home is not None and home != PROJECT:
        raise ImportError(
            f"This notebook is in {home}, but `import utils` found {PROJECT / 'utils'}, another copy of the "
            f"course. Start JupyterLab with `make lab` in {home}."
        )


def what_shadows(folder: Path) -> Path | None:
    """Find what a notebook in `folder` would import as `utils` instead of the course's own.

    Parameters
    ----------
    folder : Path
        Where the notebook lies: a kernel starts there, and looks there first.

    Returns
    -------
    Path or None
        The file, or the folder without an `__init__.py`, that hides ours; the path of the missing
        `utils/__init__.py` where nothing is found at all; None if ours is found.
    """
    ours = PROJECT / "utils" / "__init__.py"
    kept_path, kept_modules = sys.path[:], _set_aside("utils")
    # Python puts a script's own folder, here utils/ itself, on its path; a kernel does not.
    sys.path[:] = [str(folder), *(entry for entry in kept_path if Path(entry).resolve() != ours.parent)]
    importlib.invalidate_caches()
    try:
        spec = importlib.util.find_spec("utils")
    finally:
        sys.path[:] = kept_path
        sys.modules.update(kept_modules)
    if spec is None:
        return ours
    found = Path(spec.origin or next(iter(spec.submodule_search_locations or ()))).resolve()
    return None if found == ours else found


def folders_with_notebooks(project: Path = PROJECT) -> Iterator[Path]:
    """List the folders of `course`, `exercises` and `solutions` that hold a notebook, in order."""
    for room in ("course", "exercises", "solutions"):
        yield from sorted({notebook.parent for notebook in (project / room).rglob("*.ipynb")})


def main() -> int:
    """Print what hides `utils` from which notebooks; the exit status is 1 if anything does."""
    ours = PROJECT / "utils" / "__init__.py"
    status = 0
    for folder in folders_with_notebooks():
        found = what_shadows(folder)
        if found is None:
            continue
        status = 1
        where = folder.relative_to(PROJECT)
        if found == ours:
            print(f"Notebooks in {where} find no `utils`. Install the project: pip install -e .")
        else:
            print(f"Notebooks in {where} import {found}, which hides the course's own utils. Rename it.")
    return status


def _project_around(folder: Path) -> Path | None:
    """Return the copy of the course that `folder` lies in, or None."""
    for parent in (folder, *folder.parents):
        settings = parent / "pyproject.toml"
        if settings.is_file() and NAME_LINE in settings.read_text(encoding="utf-8"):
            return parent.resolve()
    return None


def _set_aside(name: str) -> dict[str, ModuleType]:
    """Take `name` out of the imported modules: a spec is searched for only where there is none."""
    return {name: sys.modules.pop(name)} if name in sys.modules else {}


if __name__ == "__main__":
    sys.exit(main())
