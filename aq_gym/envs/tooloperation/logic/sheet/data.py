"""A generated workbook."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from aq_gym.envs.tooloperation.logic.names import Names
from aq_gym.envs.tooloperation.logic.sheet.addresses import Rect
from aq_gym.envs.tooloperation.logic.sheet.start import SheetData
from aq_gym.envs.tooloperation.logic.sheet.workbook import Grid


class _Kind(NamedTuple):
    """A kind of table: the name of its sheet, its header, and its groups."""

    sheet: str
    header: tuple[str, ...]
    groups: tuple[str, ...]


_KINDS = (
    _Kind(
        "Inventory",
        ("Product", "Category", "Price", "Stock", "Sold"),
        ("tools", "toys", "food", "garden"),
    ),
    _Kind(
        "Grades",
        ("Student", "Class", "Math", "Physics", "Music"),
        ("red", "blue", "green"),
    ),
    _Kind(
        "Hours",
        ("Job", "Team", "Planned", "Spent", "Open"),
        ("design", "sales", "support"),
    ),
)
_NAMED = 3
_MOST_NOTED = 100


def build(
    seed: int, records: int, restore: tuple[Callable[..., Any], Any]
) -> SheetData:
    """Build the workbook of a seed: a table, changes, a report and an old sheet."""
    rng = np.random.default_rng([seed, records, 11])
    names = Names(rng)
    kind = names.pick(_KINDS)
    rows: list[tuple[Any, ...]] = [kind.header]
    numbers = [(rng.permutation(9 * records)[:records] + 10).tolist() for _ in "123"]
    rows += [
        (names.word(), names.pick(kind.groups), *values)
        for values in zip(*numbers, strict=True)
    ]
    noted = rng.choice(min(records, _MOST_NOTED), size=_NAMED, replace=False)
    notes = {
        (int(row) + 2, 1): f"{kind.header[3]}: {10 + names.below(900)}" for row in noted
    }
    changed = rng.choice(records, size=_NAMED, replace=False).tolist()
    changes = [(rows[row + 1][0], 10 + names.below(900)) for row in changed]
    grids = {
        "main": _grid(kind.sheet, rows)._replace(notes=notes),
        "changes": _grid(
            "Changes", [(kind.header[0], f"New {kind.header[2]}"), *changes]
        ),
        "report": _report(names),
        "old": _grid(f"Old {names.word()}", [("Name", "Value"), (names.word(), 1)]),
    }
    return SheetData(grids, restore)


def _report(names: Names) -> Grid:
    """Return a table with blank rows and a blank column, a title and totals."""
    header = (None, "Spring", "Summer", "Autumn")
    body: list[tuple[Any, ...]] = [
        (names.word(), *(names.below(90) + 1 for _ in header[1:])) for _ in range(5)
    ]
    blank = 1 + names.below(3)
    lines = [(f"Report of {names.word()}",), (), header]
    for k, line in enumerate(body):
        lines += [line, ()] if k in (blank, blank + 1) else [line]
    place = 2 + names.below(2)
    wide = [(*line[:place], None, *line[place:]) for line in lines]
    last = len(wide)
    columns = [c for c in (2, 3, 4, 5) if c != place + 1]
    sums = ["Sum", None, None, None, None]
    for column in columns:
        letter = "ABCDE"[column - 1]
        sums[column - 1] = f"=SUM({letter}4:{letter}{last})"
    return _grid("Report", [*wide, tuple(sums)])


def _grid(name: str, rows: list[tuple[Any, ...]]) -> Grid:
    cells = {
        (r, c): value
        for r, line in enumerate(rows, start=1)
        for c, value in enumerate(line, start=1)
        if value is not None
    }
    return Grid(name, cells, {}, frozenset[Rect]())
