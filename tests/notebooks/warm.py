"""The server behind tests.notebooks.shell: imports what notebooks import once, then forks for each notebook.

Requests and answers are JSON, one a line, on stdin and stdout. A request names the folder to run in, the
cells and a time limit in seconds; the answer holds, for each cell, the outputs a Jupyter kernel would send.
"""

import importlib
import json
import os
import select
import signal
import sys
import tempfile
import time
from io import TextIOBase

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

outputs: list[dict] = []


class Stream(TextIOBase):
    """A standard stream whose text becomes an output of the cell."""

    def __init__(self, name):
        self.name = name

    def writable(self):
        return True

    def write(self, text):
        add_text(self.name, text)
        return len(text)


def add_text(name, text):
    """Append text to the cell's outputs, to the last one if it is of the same stream."""
    if outputs and outputs[-1].get("name") == name:
        outputs[-1]["text"] += text
    elif text:
        outputs.append({"output_type": "stream", "name": name, "text": text})


def text_of(raw):
    """Take what was written to descriptor 2. A kernel may send it at any time; first is worst for a grade."""
    raw.seek(0)
    text = raw.read().decode(errors="replace")
    raw.seek(0)
    raw.truncate()
    return [{"output_type": "stream", "name": "stderr", "text": text}] if text else []


class Publisher(DisplayPublisher):
    """Records what `display` is given."""

    def publish(self, data, metadata=None, source=None, **_):
        outputs.append({"output_type": "display_data", "data": data, "metadata": metadata or {}})


class Hook(DisplayHook):
    """Records the value of a cell's last expression."""

    def write_output_prompt(self):
        pass

    def write_format_data(self, format_dict, md_dict=None):
        result = {"output_type": "execute_result", "data": format_dict, "metadata": md_dict or {}}
        outputs.append(result | {"execution_count": 1})

    def finish_displayhook(self):
        pass


class Shell(InteractiveShell):
    """IPython without a terminal or a kernel; errors are outputs."""

    def enable_gui(self, gui=None):
        pass

    def _showtraceback(self, etype, evalue, stb):
        error = {"ename": etype.__name__, "evalue": str(evalue), "traceback": list(stb)}
        outputs.append({"output_type": "error"} | error)


def run_cells(shell, cells):
    """Run cells one after another, also past errors, and return the outputs of each."""
    sys.stdout, sys.stderr = Stream("stdout"), Stream("stderr")
    answers = []
    with tempfile.TemporaryFile() as raw:
        # What a library writes to descriptor 2 counts as stderr too, as it does in a kernel.
        os.dup2(raw.fileno(), 2)
        for source in cells:
            outputs.clear()
            shell.run_cell(source, store_history=False)
            answers.append([*text_of(raw), *(dict(output) for output in outputs)])
    return answers


def answer(shell, request):
    """Fork, run the request in the child, and return its answer; say why where there is none."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        os.chdir(request["folder"])
        text = json.dumps({"cells": run_cells(shell, request["cells"])}, default=str)
        with os.fdopen(write_end, "w") as pipe:
            pipe.write(text)
        os._exit(0)
    os.close(write_end)
    deadline = time.monotonic() + request["seconds"]
    received = b""
    while (left := deadline - time.monotonic()) > 0 and select.select([read_end], [], [], left)[0]:
        piece = os.read(read_end, 1 << 20)
        if not piece:
            break
        received += piece
    else:
        os.kill(child, signal.SIGKILL)
    os.close(read_end)
    _, status = os.waitpid(child, 0)
    if status:
        return json.dumps({"failure": f"status {status} after at most {request['seconds']} s"})
    return received.decode()


def main():
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for name in sys.argv[1:]:
        importlib.import_module(name)
    config = Config()
    config.HistoryManager.enabled = False
    shell = Shell(config=config, display_pub_class=Publisher, displayhook_class=Hook, colors="nocolor")
    InteractiveShell._instance = Shell._instance = shell
    for line in sys.stdin:
        print(answer(shell, json.loads(line)), file=replies, flush=True)


if __name__ == "__main__":
    main()
