"""The one form in which a notebook is stored: a change to a lesson is then a change one can read.

Lessons keep their outputs; assignments keep none. Whatever depends on who saved the notebook, with which
program and when, is left out. `python -m utils.grading.canonical` names the notebooks that differ from this
form, and with `--fix` rewrites them (`make tidy`).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}

CELL_METADATA = {"alt", "deletable", "editable", "jupyter", "nbgrader", "tags"}
"""What a cell's metadata may say: all of it means something to a reader, to nbgrader or to a test."""


def canonical(text: str, keep_outputs: bool) -> str:
    """Write a notebook in its canonical form.

    Parameters
    ----------
    text : str
        The notebook's JSON, of any 4.x format in which each cell has an id.
    keep_outputs : bool
        True for a lesson; False empties outputs and execution counts.

    Returns
    -------
    str
        JSON of format 4.5, ending in a newline. The same notebook gives the same bytes.

    Raises
    ------
    ValueError
        If a cell has no id, or two have the same: any id made here would differ from run to run.
    """
    ids = [cell.get("id") for cell in json.loads(text)["cells"]]
    if None in ids or len(set(ids)) != len(ids):
        raise ValueError("a cell has no id of its own: save the notebook once in JupyterLab")
    notebook = nbformat.reads(text, as_version=4)
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": {"name": "python"}})
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({k: v for k, v in cell.metadata.items() if k in CELL_METADATA})
        cell.source = "\n".join(line.rstrip() for line in cell.source.strip("\n").split("\n"))
        if cell.cell_type == "code" and not keep_outputs:
            cell.outputs, cell.execution_count = [], None
    return str(nbformat.writes(notebook)).rstrip("\n") + "\n"


def stored_notebooks(project: Path) -> Iterator[tuple[Path, bool]]:
    """Yield each lesson and each assignment that is written by hand, and whether it keeps its outputs."""
    for lesson in sorted((project / "course").glob("*.ipynb")):
        yield lesson, True
    for assignment in sorted((project / "solutions").glob("*/*.ipynb")):
        yield assignment, False


def main(arguments: list[str] | None = None) -> int:
    """Name the notebooks that are not in canonical form, or rewrite them."""
    parser = argparse.ArgumentParser(prog="python -m utils.grading.canonical", description=__doc__)
    parser.add_argument("--fix", action="store_true", help="rewrite them")
    parser.add_argument("--project", type=Path, default=Path.cwd(), help="the folder that holds course/")
    options = parser.parse_args(arguments)
    differing = 0
    for path, keep_outputs in stored_notebooks(options.project):
        text = path.read_text(encoding="utf-8")
        wanted = canonical(text, keep_outputs)
        if text == wanted:
            continue
        differing += 1
        if options.fix:
            path.write_text(wanted, encoding="utf-8")
        print(("rewritten: " if options.fix else "not canonical: ") + str(path.relative_to(options.project)))
    return int(differing > 0 and not options.fix)


if __name__ == "__main__":
    sys.exit(main())
