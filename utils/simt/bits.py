"""Bits and small arithmetic: ``popc clz ffs brev selp fma cbrt``."""

from __future__ import annotations

import numpy as np

from utils.simt.operations import Operation, Value, typed, value

INTEGERS = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64)
FLOATS = (np.float32, np.float64)
CHOSEN = tuple(map(np.dtype, (np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, *FLOATS)))


def _unsigned(number: Value) -> Value:
    return number.view(f"u{number.dtype.itemsize}")


def _count(number: Value) -> Value:
    """Return how many bits are set."""
    return np.bitwise_count(_unsigned(number))


def _spread_down(number: Value) -> Value:
    """Return `number`, unsigned, with every bit below its highest one set."""
    spread = _unsigned(number)
    for shift in (1, 2, 4, 8, 16, 32):
        if shift < spread.dtype.itemsize * 8:
            spread = spread | spread >> spread.dtype.type(shift)
    return spread


def _leading(number: Value) -> Value:
    """Return how many bits stand above the highest one that is set; all of them for 0."""
    return number.dtype.itemsize * 8 - np.bitwise_count(_spread_down(number)).astype(np.int64)


def _first(number: Value) -> Value:
    """Return the place of the lowest set bit, counted from 1; 0 for 0."""
    bits = _unsigned(number)
    one = bits.dtype.type(1)
    below = np.bitwise_count((bits & (~bits + one)) - one).astype(np.int64)
    return np.where(bits == 0, 0, below + 1)[()]


def _reversed(number: Value) -> Value:
    """Return the bits in the opposite order."""
    bits = np.asarray(number)
    octets = np.unpackbits(bits[..., None].view(np.uint8), axis=-1, bitorder="little")
    turned = np.packbits(octets[..., ::-1], axis=-1, bitorder="little")
    return np.ascontiguousarray(turned).view(bits.dtype)[..., 0][()]


def _fused(a: Value, b: Value, c: Value) -> Value:
    """Return a·b + c rounded once: exactly for float32, as near as an extended type comes for float64."""
    wide = np.float64 if a.dtype == np.float32 else np.longdouble
    return a.astype(wide) * b.astype(wide) + c.astype(wide)


def _select(test: Value, yes: Value, no: Value) -> Value:
    """Return `yes` where `test` holds; both are of one type."""
    parts = [value(part, "selp") for part in (test, yes, no)]
    dtype = parts[1].dtype
    if dtype != parts[2].dtype or dtype not in CHOSEN:
        raise TypeError(f"cuda.selp chooses between two numbers of one type, not {dtype} and {parts[2].dtype}")
    return np.where(parts[0].astype(bool), parts[1], parts[2])[()]


OPERATIONS: dict[str, Operation] = {
    "popc": typed("popc", _count, INTEGERS),
    "clz": typed("clz", _leading, INTEGERS),
    "ffs": typed("ffs", _first, INTEGERS, np.uint32),
    "brev": typed("brev", _reversed, (np.uint32, np.uint64)),
    "fma": typed("fma", _fused, FLOATS),
    "cbrt": typed("cbrt", np.cbrt, FLOATS),
    "selp": Operation("selp", _select),
}
