"""Half precision: the functions of ``cuda.fp16``, each rounded to float16 once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from utils.simt.operations import Operation, Value, typed

ONE = np.float32(1)


def _half(name: str, compute: Callable[..., Value], result: type = np.float16) -> Operation:
    """Return an operation that works in float32, which holds every float16, and rounds at the end."""
    return typed(
        f"fp16.{name}",
        lambda *values: np.asarray(compute(*(v.astype(np.float32) for v in values)))[()],
        (np.float16,),
        result,
    )


def _fused(a: Value, b: Value, c: Value) -> Value:
    return a.astype(np.float64) * b + c  # exact before it is rounded


ARITHMETIC: dict[str, Callable[..., Value]] = {
    "hadd": np.add, "hsub": np.subtract, "hmul": np.multiply, "hdiv": np.true_divide, "hneg": np.negative,
    "habs": np.abs, "hfma": _fused, "hmax": np.fmax, "hmin": np.fmin,
    "hsin": np.sin, "hcos": np.cos, "hlog": np.log, "hlog2": np.log2, "hlog10": np.log10, "hexp": np.exp,
    "hexp2": np.exp2, "hexp10": lambda x: np.power(np.float32(10), x), "hsqrt": np.sqrt,
    "hrsqrt": lambda x: ONE / np.sqrt(x), "hceil": np.ceil, "hfloor": np.floor, "hrcp": lambda x: ONE / x,
    "htrunc": np.trunc, "hrint": np.rint,
}  # fmt: skip
COMPARISONS: dict[str, Callable[..., Value]] = {
    "heq": np.equal, "hne": np.not_equal, "hge": np.greater_equal, "hgt": np.greater, "hle": np.less_equal,
    "hlt": np.less,
}  # fmt: skip

OPERATIONS: dict[str, Operation] = {
    **{f"fp16.{name}": _half(name, compute) for name, compute in ARITHMETIC.items()},
    **{f"fp16.{name}": _half(name, compute, np.bool_) for name, compute in COMPARISONS.items()},
}
