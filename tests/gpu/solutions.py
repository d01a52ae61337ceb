"""The kernels of the solutions, with the cases of their checks: read with `json` alone, run, and never judged."""

from __future__ import annotations

import json
import linecache
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from utils import checks

SOLUTIONS = Path(__file__).parents[2] / "solutions"


@dataclass(frozen=True)
class Launch:
    """A kernel of a solution and one case of its check."""

    kernel: Any
    case: Any


class Recorded:
    """Stands in for a check: it keeps what would have been asked."""

    points = 0.0

    def __init__(self, launches: list[Launch], kernel: Any, cases: Sequence[Any]) -> None:
        self._launches, self._kernel = launches, kernel
        self.hidden(cases)

    def hidden(self, cases: Sequence[Any] = ()) -> None:
        """Keep these cases, too."""
        if self._kernel is not None:
            self._launches += [Launch(self._kernel, case) for case in cases]


def notebooks() -> list[Path]:
    """Return the solutions, in order."""
    return sorted(SOLUTIONS.glob("*/*.ipynb"))


def launches(notebook: Path, monkeypatch: pytest.MonkeyPatch) -> list[Launch]:
    """Run a solution's code cells and return each kernel that is checked, with each of its cases."""
    found: list[Launch] = []

    def record(kernel: Any, reference: Any = None, cases: Sequence[Any] = (), **_: Any) -> Recorded:
        return Recorded(found, kernel, cases)

    monkeypatch.setattr(checks, "check_kernel", record)
    for name in ("check_function", "check_answer"):
        monkeypatch.setattr(checks, name, lambda *_, **__: Recorded(found, None, ()))
    names: dict[str, Any] = {"__name__": notebook.stem, "display": lambda *_: None}
    for number, source in enumerate(_code(notebook)):
        file = f"<{notebook.stem}, cell {number}>"
        # A kernel's source is asked for later, and there is no file to find it in.
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        exec(compile(source, file, "exec"), names)
    return found


def _code(notebook: Path) -> Iterator[str]:
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            source = cell["source"] if isinstance(cell["source"], str) else "".join(cell["source"])
            if not source.lstrip().startswith("%%"):
                yield "\n".join("" if line.lstrip().startswith(("%", "!")) else line for line in source.split("\n"))
