"""``%%inspect``: run a cell, and show a report for each launch in it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from utils.simt.report import Report


def register(inspect: Callable[[], AbstractContextManager[list[Report]]]) -> None:
    """Make ``%%inspect`` known, where the code runs in IPython.

    Parameters
    ----------
    inspect : callable
        `utils.simt.inspect`.
    """
    try:
        from IPython.core.getipython import get_ipython
        from IPython.display import display
    except ImportError:
        return
    shell: Any = get_ipython()
    if shell is None:
        return

    def cell_magic(line: str, cell: str) -> None:
        with inspect() as reports:
            result = shell.run_cell(cell)
        for report in reports:
            display(report)
        if not result.success:
            result.raise_error()

    shell.register_magic_function(cell_magic, magic_kind="cell", magic_name="inspect")
