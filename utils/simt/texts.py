"""The text of functions that ``exec`` makes.

Python keeps the text of a cell or a file, but not of a string that a program runs. Numba's stock simulator runs kernels
made that way, so in its place we must, too: an audit hook hears of each string that becomes code, and its text is kept
for as long as the function lives. A hook stays for good, so nothing installs it outside of that mode.
"""

from __future__ import annotations

import inspect
import sys
from functools import cache
from types import CodeType
from typing import Any
from weakref import WeakKeyDictionary

FROM_A_STRING = "<string>"  # what Python calls the file of such code
_texts: WeakKeyDictionary[CodeType, str] = WeakKeyDictionary()
_latest: list[str] = []


@cache
def keep() -> None:
    """Begin to keep texts; once is enough."""
    sys.addaudithook(_listen)


def lines_of(code: CodeType) -> tuple[list[str], int]:
    """Return the source lines of a function's code, and the first one's number; OSError if they are not known."""
    text = _texts.get(code)
    if text is None:
        raise OSError("no text is known")
    lines = text.splitlines(keepends=True)[code.co_firstlineno - 1 :]
    return inspect.getblock(lines), code.co_firstlineno


def _listen(event: str, arguments: tuple[Any, ...]) -> None:
    """Hear of each text that Python compiles and of the code that it then runs."""
    if event == "compile":
        source, filename = arguments
        if type(source) is bytes:
            source = source.decode(errors="replace")
        if filename == FROM_A_STRING and type(source) is str and "def " in source:
            _latest[:] = [source]
    elif event == "exec" and _latest:
        (code,) = arguments
        if type(code) is CodeType and code.co_filename == FROM_A_STRING:
            text = _latest.pop()
            for part in code.co_consts:
                if type(part) is CodeType:
                    _texts[part] = text
