"""Time six kernels plain, with every check on, and on Numba's own simulator; print seconds and ratios."""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
from tqdm import tqdm

from tests.bench.cases import QUICK, bench_cases
from tests.bench.stock import stock_seconds
from tests.simt.zoo.case import Case
from utils import connect, simt

WAYS = ("plain", "checked")
REPEAT = 7


def median_seconds(launch: Callable[[tuple[Any, ...]], object], case: Case) -> float:
    """Return the median of `REPEAT` launches after a first one, which also reads and lowers the kernel."""
    samples = []
    for _ in range(1 + REPEAT):
        args = case.args()
        start = time.perf_counter()
        launch(args)
        samples.append(time.perf_counter() - start)
        case.compare(args)
    return statistics.median(samples[1:])


def plain(case: Case) -> Callable[[tuple[Any, ...]], object]:
    """Return what launches `case` as a learner does: bounds and barriers are checked."""
    return lambda args: case.kernel[case.grid, case.block](*args)


def checked(case: Case) -> Callable[[tuple[Any, ...]], object]:
    """Return what launches `case` with races, uninitialised reads and counters too."""

    def launch(args: tuple[Any, ...]) -> None:
        report = simt.profile(case.kernel, case.grid, case.block, *args)
        if not report.ok:
            raise AssertionError(f"{case.name} drew findings:\n{report}")

    return launch


def measure(names: list[str]) -> list[dict[str, Any]]:
    """Return one row for each kernel: its seconds each way, and how often they fit into Numba's."""
    cases = bench_cases()
    rows = []
    with tqdm(total=3 * len(names), unit="run", leave=False) as progress:

        def timed(label: str, work: Callable[[], float]) -> float:
            progress.set_description(label)
            seconds = work()
            progress.update()
            return seconds

        for name in names:
            case = cases[name]
            ours = {
                "plain": timed(f"{name}, plain", lambda case=case: median_seconds(plain(case), case)),
                "checked": timed(f"{name}, checked", lambda case=case: median_seconds(checked(case), case)),
            }
            stock = timed(f"{name}, Numba's simulator", lambda name=name: stock_seconds(name))
            rows.append(
                {"kernel": name, "numba_s": stock}
                | {f"{way}_s": ours[way] for way in WAYS}
                | {f"{way}_ratio": stock / ours[way] for way in WAYS}
            )
    return rows


def table(rows: list[dict[str, Any]], means: dict[str, float]) -> str:
    """Return the rows as aligned text, with the geometric means last."""
    head = f"{'kernel':26} {'Numba (s)':>10} {'plain (ms)':>11} {'ratio':>8} {'checked (ms)':>13} {'ratio':>8}"
    body = [
        f"{row['kernel']:26} {row['numba_s']:10.2f} {1e3 * row['plain_s']:11.2f} {row['plain_ratio']:8,.0f}"
        f" {1e3 * row['checked_s']:13.2f} {row['checked_ratio']:8,.0f}"
        for row in rows
    ]
    foot = f"{'geometric mean':26} {'':10} {'':11} {means['plain']:8,.0f} {'':13} {means['checked']:8,.0f}"
    return "\n".join([head, *body, foot])


def main() -> None:
    """Parse the command line, measure, print, and store what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="two kernels instead of six")
    parser.add_argument("--json", type=Path, metavar="FILE", help="store the rows there as well")
    options = parser.parse_args()
    connect()
    rows = measure(list(QUICK if options.quick else bench_cases()))
    means = {way: math.prod(row[f"{way}_ratio"] for row in rows) ** (1 / len(rows)) for way in WAYS}
    print(table(rows, means))
    if options.json:
        machine = {
            "python": platform.python_version(),
            "numpy": np.__version__,
            "numba": numba.__version__,
            "system": platform.platform(),
            "cores": os.cpu_count(),
        }
        record = {"machine": machine, "kernels": rows, "geometric_mean_ratio": means}
        options.json.write_text(json.dumps(record, indent=2) + "\n")


if __name__ == "__main__":
    main()
