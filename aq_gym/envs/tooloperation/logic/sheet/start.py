"""The sheets at the start, and how later ones differ from them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, Self

from aq_gym.envs.tooloperation.logic.sheet.addresses import Position
from aq_gym.envs.tooloperation.logic.sheet.workbook import Grid, Workbook

EMPTY = Grid("", {}, {}, frozenset())


class SheetData(dict[str, Grid]):
    """The sheets at the start, by key. It is never changed, and copies share it."""

    def __init__(
        self, grids: Mapping[str, Grid], restore: tuple[Callable[..., Any], Any]
    ) -> None:
        super().__init__(grids)
        self._restore = restore
        self._values: dict[str, Mapping[Position, Any]] | None = None

    def values_of(self, key: str) -> Mapping[Position, Any]:
        """Return the values of the cells of a sheet at the start.

        Args:
            key: The sheet; a new one has no cells.
        """
        if self._values is None:
            book = Workbook(self)
            self._values = {one: book.values(one) for one in self}
        return self._values.get(key, EMPTY.cells)

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Callable[..., Any], Any]:
        return self._restore


def add_differences(
    found: dict[Any, Hashable],
    group: str,
    now: Mapping[Position, Any],
    old: Mapping[Position, Any],
) -> None:
    """Add the differences of two tables to the changes of a group."""
    before = old.get
    for position, value in now.items():
        # Most cells hold the very object of the start, which is the faster test.
        if (past := before(position)) is not value and past != value:
            found[group, position] = value
    if not old.keys() <= now.keys():
        for position in [one for one in old if one not in now]:
            found[group, position] = None
