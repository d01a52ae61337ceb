"""One launch on Numba's own simulator, in its own process: it must be chosen before Numba is imported."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
LIMIT_SECONDS = 600


def stock_seconds(name: str) -> float:
    """Launch the kernel called `name` once on Numba's own simulator and return the seconds it took."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.stock", name],
        cwd=ROOT,
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
        timeout=LIMIT_SECONDS,
    )
    if done.returncode:
        raise RuntimeError(f"Numba's simulator failed on {name}:\n{done.stderr}")
    return float(json.loads(done.stdout.splitlines()[-1]))


def main(name: str) -> None:
    """Time one launch, check its result, and print the seconds as JSON."""
    from tests.bench.cases import bench_cases

    case = bench_cases()[name]
    args = case.args()
    start = time.perf_counter()
    case.kernel[case.grid, case.block](*args)
    seconds = time.perf_counter() - start
    case.compare(args)
    print(json.dumps(seconds))


if __name__ == "__main__":
    main(sys.argv[1])
