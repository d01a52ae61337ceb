"""`profile` and `trace`: one launch, with every check on, or with everything written down."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import numpy as np

from utils.simt.connection import has_gpu
from utils.simt.launch import compiled, run
from utils.simt.recorder import Recorder, Trace
from utils.simt.report import Report
from utils.simt.staging import on_host


def profile(
    kernel: Any,
    grid: Any,
    block: Any,
    *args: Any,
    check: bool = True,
    schedule: str = "lockstep",
    shared_bytes: int = 0,
    readonly: Collection[str] = (),
    also_run: bool = False,
) -> Report:
    """Run a kernel on the simulated GPU and report what it did.

    Parameters
    ----------
    kernel : dispatcher or function
        Under ``@cuda.jit``, or a plain function.
    grid, block : int or tuple of int
        Blocks of the grid, threads of a block.
    *args
        The kernel's arguments. Arrays may be NumPy arrays, Numba device arrays or torch tensors; the kernel's stores
        are seen in them afterwards.
    check : bool
        Look for races and uninitialised reads, too.
    schedule : {"lockstep", "ascending", "descending"}
        The last two run one thread after another, with the warps of a block in that order.
    shared_bytes : int
        Dynamic shared memory for each block, bytes.
    readonly : collection of str
        Parameters that the kernel must not write to.
    also_run : bool
        Where there is a GPU, launch the kernel there as well and compare: a note of the report tells the outcome.

    Returns
    -------
    Report
        The same for the same arguments, in any process.

    Raises
    ------
    LaunchError
        If no GPU could run it; its `report` carries the finding that says why.
    """
    twin = None
    if also_run and has_gpu():
        with on_host(args, keep=True) as copies:
            twin = tuple(np.asarray(copy) if hasattr(copy, "detach") else copy for copy in copies)
        kernel[grid, block, 0, shared_bytes](*twin)
    with on_host(args) as staged:
        report = run(
            kernel,
            grid,
            block,
            staged,
            shared_bytes=shared_bytes,
            readonly=readonly,
            count=True,
            check=check,
            schedule=schedule,
        )
        if not also_run:
            return report
        note = "no GPU here: not compared with a real launch" if twin is None else _compared(kernel, staged, twin)
    return replace(report, notes=(*report.notes, note))


def trace(kernel: Any, grid: Any, block: Any, *args: Any, shared_bytes: int = 0) -> Trace:
    """Run a kernel and keep every request and every statement of every warp, for pictures.

    Parameters are those of `profile`. Memory grows with the number of statements: keep launches small.
    """
    recorder = Recorder()
    with on_host(args) as staged:
        recorder.sites = compiled(kernel).lanes.sites
        report = run(kernel, grid, block, staged, shared_bytes=shared_bytes, count=True, check=True, watch=[recorder])
    return Trace(report, recorder.requests, recorder.lanes)


def _compared(kernel: Any, simulated: tuple[Any, ...], real: tuple[Any, ...]) -> str:
    names = compiled(kernel).source.parameters
    for name, ours, theirs in zip(names, simulated, real, strict=True):
        if isinstance(theirs, np.ndarray) and not np.allclose(np.asarray(ours), theirs, rtol=1e-4, equal_nan=True):
            difference = np.max(np.abs(np.asarray(ours, np.float64) - np.asarray(theirs, np.float64)))
            return f"the real GPU gives another result in {name}: they differ by up to {difference:.3g}"
    return "the real GPU gives the same result"
