"""Six kernels at sizes at which Numba's own simulator needs one to twenty seconds a launch."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.simt.zoo import elementwise, patterns, shared
from tests.simt.zoo.case import Case, floats, wholes

QUICK = ("tiled product 64x64x64", "histogram 16,384")


def _of(cases: list[Case], kernel: object) -> Case:
    return next(case for case in cases if case.kernel is kernel)


def bench_cases() -> dict[str, Case]:
    """Return the six launches by the name that the table shows."""
    blocks = 65536 // shared.THREADS
    return {
        "vector add 65,536": replace(
            _of(elementwise.CASES, elementwise.vadd),
            grid=256,
            make=lambda rng: (floats(rng, 65536), floats(rng, 65536), np.zeros(65536, np.float32)),
        ),
        "tiled product 64x64x64": replace(
            _of(shared.CASES, shared.matmul_tiled),
            grid=(4, 4),
            make=lambda rng: (wholes(rng, 64, 64), wholes(rng, 64, 64), np.zeros((64, 64), np.float32)),
        ),
        "reduction 16,384": replace(
            _of(shared.CASES, shared.block_sums),
            grid=blocks // 4,
            make=lambda rng: (wholes(rng, 16384), np.zeros(blocks // 4, np.float32)),
        ),
        "stencil 65,536": replace(
            _of(shared.CASES, shared.stencil),
            grid=blocks,
            make=lambda rng: (wholes(rng, 65536), np.zeros(65536, np.float32)),
        ),
        "tiled transpose 128x128": replace(
            _of(shared.CASES, shared.transpose_tiled),
            grid=(8, 8),
            make=lambda rng: (floats(rng, 128, 128), np.zeros((128, 128), np.float32)),
        ),
        "histogram 16,384": replace(
            _of(patterns.CASES, patterns.histogram),
            grid=32,
            block=256,
            make=lambda rng: (
                rng.integers(0, patterns.BINS, 16384).astype(np.int32),
                np.zeros(patterns.BINS, np.int32),
            ),
        ),
    }
