"""One kernel of one thread that asks what type each result has; plain enough for Numba's CPU compiler too."""

import math

import numpy as np
from numba import cuda, float32, int32


@cuda.jit
def number_types(small, bytes_, single, big, ints, reals):
    # Whole numbers: every sum and product of narrow ones is 64 bits wide, and wraps there.
    ints[0] = small[0] + small[0]
    ints[1] = small[0] * small[0]
    ints[2] = bytes_[0] + 1
    ints[3] = bytes_[0] + bytes_[0]
    ints[4] = bytes_[1] - bytes_[0]
    ints[5] = big[0] + 1
    ints[6] = big[0] * 2
    ints[7] = -7 // 2
    ints[8] = small[1] // 2
    ints[9] = small[1] % 3
    ints[10] = small[2] << 40
    ints[11] = int32(big[0])
    ints[12] = int(single[2])
    ints[13] = (small[0] > 0) + (small[1] < 0)
    ints[14] = small[1] ** 2
    ints[15] = ~small[2]
    count = bytes_[0]
    for _ in range(3):
        count += 1
    ints[16] = count
    total = small[0]
    for _ in range(3):
        total += small[0]
    ints[17] = total
    # Real numbers: single precision only where both sides are single.
    reals[0] = single[0] + single[1]
    reals[1] = single[0] + 1
    reals[2] = single[0] + 1.0
    reals[3] = single[0] + small[2]
    reals[4] = single[3] * single[3]
    reals[5] = small[0] / small[2]
    reals[6] = bytes_[1] - bytes_[0]
    reals[7] = float32(0.1)
    reals[8] = math.sqrt(single[3])
    reals[9] = math.sqrt(small[2])
    reals[10] = single[2] // 2
    reals[11] = single[2] % 3
    double = 0.0
    for k in range(2):
        double += single[k]
    reals[12] = double
    half = float32(0)
    for k in range(2):
        half += single[k]
    reals[13] = half
    mixed = 0
    for _ in range(3):
        mixed += 0.5
    reals[14] = mixed
    reals[15] = single[3] if small[0] > 0 else 1
    reals[16] = max(single[3], 0)


@cuda.jit
def narrow_stores(values, bytes_, small):
    bytes_[0] = 300
    bytes_[1] = -1
    bytes_[2] = values[0]
    small[0] = values[1]
    small[1] = values[2] + 1


def arguments():
    """Return the arguments of `number_types`; the last two take the results."""
    return (
        np.array([2**31 - 1, -7, 1], np.int32),
        np.array([255, 0], np.uint8),
        np.array([2.0**24, 1.0, -7.5, 0.1], np.float32),
        np.array([2**63 - 1], np.int64),
        np.zeros(18, np.int64),
        np.zeros(17, np.float64),
    )


INTS = [
    *(2**32 - 2, (2**31 - 1) ** 2, 256, 510, -255, -(2**63), -2, -4, -4),
    *(2, 2**40, -1, -7, 2, 49, -2, 258, 4 * (2**31 - 1)),
]
"""What `ints` must hold, by Numba's rules."""

REALS = [
    *(2.0**24, 2.0**24 + 1, 2.0**24 + 1, 2.0**24 + 1, float(np.float32(0.1) * np.float32(0.1)), 2.0**31 - 1),
    *(2.0**64 - 255, float(np.float32(0.1)), float(np.sqrt(np.float32(0.1))), 1.0, -4.0, 1.5),
    *(2.0**24 + 1, 2.0**24, 1.5, float(np.float32(0.1)), float(np.float32(0.1))),
]
"""What `reals` must hold, by Numba's rules."""
