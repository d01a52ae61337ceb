"""Values of several parts with names: vectors, named tuples."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class Fields(tuple[Any, ...]):
    """A tuple whose parts have names.

    Parameters
    ----------
    parts : iterable
    names : tuple of str
    kind : str
        What it is called in messages.
    """

    indexed = True
    names: tuple[str, ...]
    description: str

    def __new__(cls, parts: Iterable[Any], names: tuple[str, ...], kind: str) -> Fields:
        made = super().__new__(cls, parts)
        made.names, made.description = names, kind
        return made

    def field(self, name: str) -> Any:
        """Return the part called `name`; TypeError if there is none."""
        if name not in self.names:
            raise TypeError(f"{self.description} has no .{name}: it has {', '.join(self.names)}")
        return self[self.names.index(name)]


def rebuilt(model: tuple[Any, ...], parts: Iterable[Any]) -> tuple[Any, ...]:
    """Return `parts` as the same kind of tuple as `model`."""
    if isinstance(model, Fields):
        return type(model)(parts, model.names, model.description)
    return tuple(parts)


def alike(first: tuple[Any, ...], second: tuple[Any, ...]) -> bool:
    """Whether two tuples can be one variable: as many parts, under the same names."""
    names = getattr(first, "names", None)
    return len(first) == len(second) and type(first) is type(second) and names == getattr(second, "names", None)
