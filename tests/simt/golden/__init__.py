"""The reports of twenty-odd kernels, as they were when somebody last looked at them.

A refactor leaves them byte for byte. Who changes on purpose what a report says runs ``python -m tests.simt.golden``,
reads the difference and commits it. Lines are counted from the kernel's own first line: a kernel may move in its file.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.simt.zoo.right import RIGHT
from tests.simt.zoo.wrong import WRONG
from utils import simt

FOLDER = Path(__file__).parent
EVERY_SECOND_RIGHT = RIGHT[::2]
EVERY_SECOND_WRONG = [wrong for wrong in WRONG[::2] if wrong.name != "never_ends"]
CASES = {case.name: case for case in [*EVERY_SECOND_RIGHT, *EVERY_SECOND_WRONG]}


def golden(name: str) -> str:
    """Return the report of a case as text: JSON, one value a line."""
    case = CASES[name]
    report = simt.profile(
        case.kernel,
        case.grid,
        case.block,
        *case.args(),
        shared_bytes=getattr(case, "shared_bytes", 0),
        readonly=getattr(case, "readonly", ()),
    )
    values = report.to_dict()
    first = values.pop("first_line")
    del values["code"]
    for record in [*values["findings"], *values["sites"]]:
        record["line"] -= first
    for finding in values["findings"]:
        finding["message"] = re.sub(r"line (\d+)", lambda m: f"line {int(m[1]) - first}", finding["message"])
        if finding["other"]:
            line, *who = finding["other"]
            finding["other"] = [line - first, *who]
    return json.dumps(values, indent=1) + "\n"


def write() -> None:
    """Store all reports anew."""
    for old in FOLDER.glob("*.json"):
        old.unlink()
    for name in CASES:
        (FOLDER / f"{name}.json").write_text(golden(name))
