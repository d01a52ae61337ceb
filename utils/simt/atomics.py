"""What each atomic does to one element."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Atomic:
    """One operation of ``cuda.atomic``.

    Attributes
    ----------
    update : callable
        From the old value and the operands to the new value, all of the array's type.
    ufunc : numpy.ufunc or None
        The same for many elements at once, where the old values are not wanted.
    operands : int
    integers : bool
        Whether it works on integers only.
    keeps_nan : bool
        Whether an element that is NaN stays so, which `ufunc` does not see to.
    """

    update: Callable[..., Any]
    ufunc: np.ufunc | None = None
    operands: int = 1
    integers: bool = False
    keeps_nan: bool = False

    def at_once(self, old: np.ndarray) -> bool:
        """Whether `ufunc` may update elements that hold `old`."""
        return self.ufunc is not None and not (self.keeps_nan and old.dtype.kind == "f" and bool(np.isnan(old).any()))

    def one_by_one(self, flat: np.ndarray, address: np.ndarray, values: list[np.ndarray]) -> np.ndarray:
        """Update ``flat[address]`` in order and return the (n,) old values, of the type of `flat`."""
        old = np.empty(address.size, flat.dtype)
        for i, (place, *operands) in enumerate(zip(address.tolist(), *values, strict=True)):
            old[i] = before = flat[place]
            flat[place] = self.update(before, *operands)
        return old


OPERATIONS: dict[str, Atomic] = {
    "add": Atomic(lambda old, value: old + value, np.add),
    "sub": Atomic(lambda old, value: old - value, np.subtract),
    "max": Atomic(lambda old, value: value if value > old else old, np.fmax, keeps_nan=True),
    "min": Atomic(lambda old, value: value if value < old else old, np.fmin, keeps_nan=True),
    "nanmax": Atomic(np.fmax, np.fmax),
    "nanmin": Atomic(np.fmin, np.fmin),
    "exch": Atomic(lambda old, value: value),
    "cas": Atomic(lambda old, expected, value: value if old == expected else old, operands=2, integers=True),
    "inc": Atomic(lambda old, limit: old + old.dtype.type(1) if old < limit else old.dtype.type(0), integers=True),
    "dec": Atomic(lambda old, limit: limit if old == 0 or old > limit else old - old.dtype.type(1), integers=True),
    "and_": Atomic(lambda old, value: old & value, np.bitwise_and, integers=True),
    "or_": Atomic(lambda old, value: old | value, np.bitwise_or, integers=True),
    "xor": Atomic(lambda old, value: old ^ value, np.bitwise_xor, integers=True),
}
