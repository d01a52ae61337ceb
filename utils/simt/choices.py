"""The lane engine's expressions that choose: ``and``, ``or``, ``not``, ``yes if test else no``.

What a lane does not need it does not evaluate: each part runs under the mask of the lanes that ask for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from utils.simt.control import truth
from utils.simt.lanes import LaneControl


class LaneChoices(LaneControl):
    """Short circuits and conditional expressions over all lanes."""

    def both(self, first: Any, second: Any) -> Any:
        """Evaluate ``first and second``; `second` is a function, run only where it is needed."""
        return self.short_circuit(first, second, True)

    def either(self, first: Any, second: Any) -> Any:
        """Evaluate ``first or second``."""
        return self.short_circuit(first, second, False)

    def short_circuit(self, first: Any, second: Any, go_on: bool) -> Any:
        """Evaluate `second` in the lanes whose `first` is `go_on`."""
        if not isinstance(first, np.ndarray):
            return second() if bool(truth(first)) is go_on else first
        held = first if first.dtype == bool else first.astype(bool)
        entry = self.mask
        needed = held if go_on else ~held
        self.set_mask(needed if entry is None else needed & entry)
        value = second() if self.active else first
        here = self.full_mask()
        self.set_mask(entry)
        return self.select(here, value, first)

    def negate(self, value: Any) -> Any:
        """Evaluate ``not value``."""
        if not isinstance(value, np.ndarray):
            return np.bool_(not truth(value))
        return ~value.astype(bool)

    def choose(self, site: int, test: Any, yes: Any, no: Any) -> Any:
        """Evaluate ``yes() if test else no()``."""
        if not isinstance(test, np.ndarray):
            return self.join_types(site, yes() if bool(truth(test)) else no())[0]
        held = test if test.dtype == bool else test.astype(bool)
        entry = self.mask
        self.set_mask(held if entry is None else held & entry)
        first = yes() if self.active else self.undefined
        self.set_mask(~held if entry is None else ~held & entry)
        second = no() if self.active else self.undefined
        self.set_mask(entry)
        value = second if first is self.undefined else self.select(held, first, second)
        return self.join_types(site, value)[0]
