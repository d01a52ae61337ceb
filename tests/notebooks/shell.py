"""Run a notebook's cells in a process of their own, in milliseconds where a Jupyter kernel takes a second."""

import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat

PROJECT = Path(__file__).resolve().parents[2]


class Shell:
    """A warm process that forks for each notebook, so that no run sees what another did.

    Parameters
    ----------
    modules : iterable of str
        What to import once, before the first fork.
    """

    def __init__(self, modules=()):
        command = [sys.executable, "-m", "tests.notebooks.warm", *modules]
        environment = os.environ | {"MPLBACKEND": "Agg", "OMP_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            command, cwd=PROJECT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, cells, folder, seconds=120):
        """Run cells in `folder`, also past errors.

        Parameters
        ----------
        cells : list of str
            Source of the code cells, in order.
        folder : path
            Where a kernel would have been started.
        seconds : float
            After this the process is killed and RuntimeError is raised.

        Returns
        -------
        list of list of NotebookNode
            The outputs of each cell, as a notebook stores them.
        """
        request = {"cells": list(cells), "folder": str(folder), "seconds": seconds}
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        if "failure" in answer:
            raise RuntimeError(f"The notebook's process ended early: {answer['failure']}")
        return [[nbformat.from_dict(output) for output in outputs] for outputs in answer["cells"]]

    def close(self):
        """End the warm process."""
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(timeout=10)
