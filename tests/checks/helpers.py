"""Hand-made pieces for the tests of checks: cases, reports, evidence, and a right kernel."""

from contextlib import redirect_stdout
from io import StringIO

import numpy as np
from numba import cuda

from utils.checks import Case, Expected, Gate, unwritten
from utils.checks.evidence import Evidence
from utils.checks.values import plain_items
from utils.simt.report import Finding, Report, Site

WHY = "32 neighbours lie in 4 sectors."


def inputs(rng, n):
    """Arguments of saxpy for n elements of float32."""
    x, y = rng.standard_normal((2, n), dtype=np.float32)
    return {"out": unwritten(n, np.float32), "a": np.float32(rng.uniform(1, 2)), "x": x, "y": y}


def saxpy_reference(a, x, y):
    """Return a * x + y with the magnitudes of its terms."""
    return Expected(a * x + y, scale=abs(a * x) + abs(y))


def case(n, **options):
    """Make a case of n elements that is named by n, with threads enough."""
    return Case(f"{n} elements", inputs, n=n, grid=max(1, -(-n // 64)), block=64, **options)


@cuda.jit
def saxpy(out, a, x, y):
    """Solve the task."""
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a * x[i] + y[i]


def report(findings=(), sectors=128):
    """Make the report of a launch with 32 requests from one line."""
    site = Site(4, "x[i]", "global", "load", "x", requests=32, accesses=1024, bytes=4096, sectors=sectors)
    return Report("saxpy", (1, 1, 1), (64, 1, 1), findings=list(findings), sites=[site])


def finding(kind="race", line=9, message="line 9, out[i] = 1: two threads write out[0].", **rest):
    """Make a finding."""
    return Finding(kind, line, "out[i] = 1", message, **rest)


def sector_gate(**options):
    """Make a gate on sectors per request."""
    numbers = {"naive": 32, "ideal": 4, "gate": 5, "why": WHY} | options
    return Gate("sectors per request", lambda seen: seen.global_loads.sectors_per_request, **numbers)


def evidence_of(one_case, *, findings=(), sectors=128, change=None):
    """Make what a right saxpy leaves behind, after `change` has had its way with the arguments."""
    arguments = one_case.build()
    with np.errstate(all="ignore"):
        arguments["out"][:] = arguments["a"] * arguments["x"] + arguments["y"]
    if change:
        change(arguments)
    return Evidence(arguments=plain_items(arguments), report=report(findings, sectors))


def quietly(check):
    """Return the points of `check` and the text it shows."""
    shown = StringIO()
    with redirect_stdout(shown):
        points = check.points
    return points, shown.getvalue()
