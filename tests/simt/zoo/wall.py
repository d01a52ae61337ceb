"""Kernels that would act as Python: open a file, call, import, walk an object. None of it may happen.

Whatever runs as Python leaves a word in `LOG` or a file in `FOLDER`. The line that must be named is marked.
"""

# ruff: noqa: B009, SIM115, UP030, UP032

from __future__ import annotations

import math
import os
import tempfile
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import cuda

LOG: list[str] = []
FOLDER = tempfile.mkdtemp(prefix="wall-")
PATH = os.path.join(FOLDER, "written")


@dataclass(frozen=True)
class Forbidden:
    """A kernel of ``(x, out)``; one that need not be `refused` may run, without its side effect."""

    kernel: Any
    refused: bool = True

    @property
    def name(self) -> str:
        """The kernel's name."""
        return getattr(self.kernel, "py_func", self.kernel).__name__


FORBIDDEN: list[Forbidden] = []


def forbidden(kernel, refused=True):
    """Register `kernel`."""
    FORBIDDEN.append(Forbidden(kernel, refused))
    return kernel


def touch(value=0, *_):
    """Leave a trace."""
    LOG.append("called")
    return value


def touching(function):
    """Leave a trace, and decorate nothing."""
    LOG.append("decorated")
    return function


@forbidden
@cuda.jit
def open_file(x, out):
    open(PATH, "w").write("x")  # <- here


@forbidden
@cuda.jit
def with_file(x, out):
    with open(PATH, "w") as file:  # <- here
        file.write("x")


@forbidden
@cuda.jit
def array_to_file(x, out):
    x.tofile(PATH)  # <- here


@forbidden
@cuda.jit
def save_array(x, out):
    np.save(PATH, x)  # <- here


@forbidden
@cuda.jit
def make_folder(x, out):
    os.mkdir(PATH)  # <- here


@forbidden
@cuda.jit
def import_by_call(x, out):
    __import__("os").mkdir(PATH)  # <- here


@forbidden
@cuda.jit
def walk_classes(x, out):
    out[0] = len(().__class__.__base__.__subclasses__())  # <- here


@forbidden
@cuda.jit
def array_dunder(x, out):
    out.__setitem__(0, touch(1.0))  # <- here


@forbidden
@cuda.jit
def array_class(x, out):
    out[0] = x.__class__(4)[0]  # <- here


@forbidden
@cuda.jit
def module_dunder(x, out):
    math.__loader__.load_module("os").mkdir(PATH)  # <- here


@forbidden
@cuda.jit
def function_dunder(x, out):
    touch.__globals__["LOG"].append("x")  # <- here


@forbidden
@cuda.jit
def call_plain_function(x, out):
    out[0] = touch(1.0)  # <- here


@forbidden
@cuda.jit
def get_attribute(x, out):
    getattr(LOG, "append")("x")  # <- here


@forbidden
@cuda.jit
def evaluate(x, out):
    out[0] = eval("touch(1.0)")  # <- here


@forbidden
@cuda.jit
def execute(x, out):
    exec("touch()")  # <- here


@forbidden
@cuda.jit
def format_method(x, out):
    out[0] = len("{0.__class__}".format(x))  # <- here


@forbidden
@cuda.jit
def append_to_global(x, out):
    LOG.append("x")  # <- here


@forbidden
@cuda.jit
def store_in_global(x, out):
    LOG[0] = "x"  # <- here


@forbidden
@cuda.jit
def by_globals(x, out):
    globals()["LOG"].append("x")  # <- here


@forbidden
@cuda.jit
def set_attribute(x, out):
    touch.trace = 1  # <- here


@forbidden
@cuda.jit
def set_shape(x, out):
    out.shape = (8, 4)  # <- here


@forbidden
@cuda.jit
def sort_array(x, out):
    ordered = np.sort(x)  # <- here
    out[0] = ordered[0]


@forbidden
@cuda.jit
def sort_in_place(x, out):
    out.sort()  # <- here


@forbidden
@cuda.jit
def host_call_of_cuda(x, out):
    other = cuda.to_device(x)  # <- here
    out[0] = other[0]


@forbidden
@cuda.jit
def wait_for_device(x, out):
    cuda.synchronize()  # <- here
