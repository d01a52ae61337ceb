"""Keep what a learner's code says away from stderr, where nbgrader takes any word for an error.

One warning in a right solution would cost all its points. So inside a check three roads to stderr lead into a
buffer: ``sys.stderr``, file descriptor 2 (C code, child processes), and logging handlers that took hold of
the stream earlier. What is caught is shown on stdout.
"""

from __future__ import annotations

import contextlib
import io
import logging
import os
import sys
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

MAX_CHARACTERS = 20_000


@dataclass
class Spoken:
    """What was caught: text printed, and text meant for stderr; complete once the context has ended."""

    out: str = ""
    err: str = ""

    @property
    def text(self) -> str:
        """Both, in that order, each ending with a line break."""
        return "".join(part if part.endswith("\n") else part + "\n" for part in (self.out, self.err) if part)


class Capped(io.StringIO):
    """A buffer that keeps the first 20,000 characters: 300,000 prints must not drown the verdict."""

    def __init__(self) -> None:
        super().__init__()
        self.left_out = 0

    def write(self, text: str) -> int:
        """Keep what fits, count the rest."""
        room = max(0, MAX_CHARACTERS - self.tell())
        self.left_out += max(0, len(text) - room)
        super().write(text[:room])
        return len(text)

    def text(self) -> str:
        """Return what was kept, and how much was not."""
        rest = f"\n({self.left_out:,} more characters left out)\n" if self.left_out else ""
        return self.getvalue() + rest


@contextlib.contextmanager
def capture() -> Iterator[Spoken]:
    """Catch all that is printed and all that is meant for stderr, also when the code inside raises."""
    spoken = Spoken()
    out, err = Capped(), Capped()
    with contextlib.ExitStack() as stack:
        # Undone in reverse: the buffers are read last, after each road has been given back.
        stack.callback(lambda: _read(spoken, out, err))
        stack.enter_context(_descriptor(2, err))
        stack.enter_context(_handlers(sys.stderr, err))
        stack.enter_context(contextlib.redirect_stdout(out))
        stack.enter_context(contextlib.redirect_stderr(err))
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("default")
        # Under pytest, or a logging.captureWarnings, this hook may lead elsewhere.
        warnings.showwarning = _show_warning
        yield spoken


def _read(spoken: Spoken, out: Capped, err: Capped) -> None:
    spoken.out, spoken.err = out.text(), err.text()


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: IO[str] | None = None,
    line: str | None = None,
) -> None:
    print(f"line {lineno}: {category.__name__}: {message}", file=file or sys.stderr)


@contextlib.contextmanager
def _descriptor(number: int, buffer: Capped) -> Iterator[None]:
    """Lead file descriptor `number` into a file, and on leaving into `buffer`."""
    try:
        saved = os.dup(number)
    except OSError:  # no such descriptor: nothing can be written to it
        yield
        return
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), number)
        try:
            yield
        finally:
            os.dup2(saved, number)
            os.close(saved)
            size = os.fstat(file.fileno()).st_size
            caught = os.pread(file.fileno(), 4 * MAX_CHARACTERS, 0)
            buffer.write(caught.decode("utf-8", "replace"))
            buffer.left_out += size - len(caught)


@contextlib.contextmanager
def _handlers(stream: IO[str], buffer: Capped) -> Iterator[None]:
    """Lead logging handlers that write to `stream` into `buffer`."""
    loggers = [logging.getLogger(), *logging.Logger.manager.loggerDict.values()]
    handlers = {
        handler
        for logger in loggers
        if isinstance(logger, logging.Logger)
        for handler in logger.handlers
        if isinstance(handler, logging.StreamHandler) and handler.stream is stream
    }
    for handler in handlers:
        handler.setStream(buffer)
    try:
        yield
    finally:
        for handler in handlers:
            handler.setStream(stream)
