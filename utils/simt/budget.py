"""How much work a launch may do before it counts as endless."""

from __future__ import annotations

LIMIT = 60_000_000
ACCESS = 5  # a memory access costs as much as so many statements


class BudgetSpent(Exception):
    """A batch of blocks used its budget up."""


class Budget:
    """Counts work, the same on every machine: no clock is asked.

    A statement costs 100 plus one for each 32 lanes, and a memory access five times that, which follows what they cost
    the simulation. The limit is for one batch of blocks, so a larger grid gets more.
    """

    def __init__(self, limit: int | None = None) -> None:
        self.limit = LIMIT if limit is None else limit
        self.left = self.limit

    def renew(self) -> None:
        """Start the next batch."""
        self.left = self.limit

    def spend(self, statements: int, lanes: int) -> None:
        """Pay for `statements` over `lanes`; BudgetSpent when there is nothing left."""
        self.left -= statements * (100 + (lanes >> 5))
        if self.left < 0:
            raise BudgetSpent
