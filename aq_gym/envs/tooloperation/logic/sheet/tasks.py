"""The generated workbook, and the templates of tasks about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from aq_gym.envs.tooloperation.logic.builder import Builder, Template
from aq_gym.envs.tooloperation.logic.names import Names
from aq_gym.envs.tooloperation.logic.sheet.formulas import Rect, column_name
from aq_gym.envs.tooloperation.logic.sheet.tools import SheetSession
from aq_gym.envs.tooloperation.logic.sheet.workbook import Grid, SheetData


class _Kind(NamedTuple):
    """A kind of table: the name of the sheet, the header, and the groups of rows."""

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
    """Build the workbook of a seed: a table, changes to it, a report, an old sheet."""
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


_MOST_READ = 2_000
_ORDERS = ("ascending", "descending")


def _set_value(b: Builder) -> str:
    main = _main(b)
    names = b.sample(_names(main), 1 + b.below(2))
    column, value = 3 + b.below(3), 5 + b.below(5_000)
    for name in names:
        row = _row_of(b, main, name)
        b.require(main.cells[row, column] != value)
        cell = f"{column_name(column)}{row}"
        b.call("set_cell", sheet=main.name, cell=cell, value=value)
    listed = " and ".join(f'"{name}"' for name in names)
    head = main.cells[1, column]
    return f'In the sheet "{main.name}", set the {head} of {listed} to {value}.'


def _from_changes(b: Builder) -> str:
    main = _main(b)
    for name, value in b.call("get_values", sheet="Changes")[1:]:
        row = _row_of(b, main, name)
        b.call("set_cell", sheet=main.name, cell=f"C{row}", value=value)
    return (
        f'Put the new values of the sheet "Changes" into the column "'
        f'{main.cells[1, 3]}" of the sheet "{main.name}".'
    )


def _sort(b: Builder) -> str:
    main = _read(b)
    column, order = 1 + 2 * b.below(3), b.pick(_ORDERS)
    letter = column_name(column)
    b.call("sort_rows", sheet=main.name, column=letter, order=order)
    head = main.cells[1, column]
    return f'Sort the rows of the sheet "{main.name}" by {head} in {order} order.'


def _delete_group(b: Builder) -> str:
    main = _read(b)
    group = b.pick(sorted({main.cells[row, 2] for row in _rows(main)}))
    rows = b.call(
        "filter_rows", sheet=main.name, column="B", comparison="=", value=group
    )
    b.require(1 <= len(rows) < len(_rows(main)))
    b.call("delete_rows", sheet=main.name, rows=rows)
    head = main.cells[1, 2]
    return f'In the sheet "{main.name}", delete the rows whose {head} is "{group}".'


def _delete_and_sort(b: Builder) -> str:
    main = _read(b)
    column, order = 3 + b.below(3), b.pick(_ORDERS)
    values = sorted(main.cells[row, column] for row in _rows(main))
    limit, letter = values[-min(4, len(values) - 2)], column_name(column)
    rows = b.call(
        "filter_rows", sheet=main.name, column=letter, comparison=">=", value=limit
    )
    rows = [row for row in rows if row > 1]
    b.call("delete_rows", sheet=main.name, rows=rows)
    b.call("sort_rows", sheet=main.name, column="D", order=order)
    head, by = main.cells[1, column], main.cells[1, 4]
    return (
        f'In the sheet "{main.name}", delete the rows whose {head} is {limit} or more, '
        f"and sort the other rows by {by} in {order} order."
    )


def _add_rows(b: Builder) -> str:
    main = _main(b)
    b.call("list_sheets")
    names = Names(b.rng)
    rows = [
        [names.word(), main.cells[2, 2], *(10 + names.below(900) for _ in "123")]
        for _ in range(1 + b.below(3))
    ]
    end = main.size[0] + 1
    b.call("set_range", sheet=main.name, start=f"A{end}", values=rows)
    listed = "; ".join(", ".join(map(str, row)) for row in rows)
    return f'Add these rows below the others of the sheet "{main.name}": {listed}.'


def _blank(b: Builder) -> str:
    values = b.call("get_values", sheet="Report")
    rows = [k for k, line in enumerate(values, start=1) if not any(line)]
    columns = [
        column_name(k)
        for k, line in enumerate(zip(*values, strict=True), start=1)
        if all(value is None for value in line)
    ]
    b.call("delete_rows", sheet="Report", rows=rows)
    b.call("delete_columns", sheet="Report", columns=columns)
    end = "and leave the rest as it is" if b.below(2) else "and nothing else"
    return f'Delete the blank rows and columns of the sheet "Report", {end}.'


def _title(b: Builder) -> str:
    b.call("get_values", sheet="Report")
    cells, text = "A1:E1", f"Year {1900 + b.below(10_000)}"
    b.call("set_cell", sheet="Report", cell="A1", value=text)
    b.call("merge_cells", sheet="Report", cells=cells)
    return (
        f'In the sheet "Report", change the title in A1 to "{text}" and merge the '
        f"cells {cells}."
    )


def _notes(b: Builder) -> str:
    main = _read(b)
    for row, column in sorted(main.notes):
        found = b.call("get_cell", sheet=main.name, cell=f"{column_name(column)}{row}")
        value = int(found["note"].rpartition(" ")[2])
        b.call("set_cell", sheet=main.name, cell=f"D{row}", value=value)
    noted = [main.cells[position] for position in sorted(main.notes)]
    listed = ", ".join(f'"{name}"' for name in noted)
    return (
        f'In the sheet "{main.name}", the cells with the names {listed} have notes '
        "with new values. Write these values into the table."
    )


def _total_column(b: Builder) -> str:
    main = _read(b)
    head = f"{Names(b.rng).word()} total"
    formulas = [[f"=SUM(C{row}:E{row})"] for row in _rows(main)]
    b.call("set_range", sheet=main.name, start="F1", values=[[head], *formulas])
    first, last = main.cells[1, 3], main.cells[1, 5]
    return (
        f'Add a column "{head}" to the right of the sheet "{main.name}", with the sum '
        f"from {first} to {last} in each row."
    )


def _summary_row(b: Builder) -> str:
    main = _main(b)
    b.call("list_sheets")
    end = main.size[0]
    word, name, label = b.pick(_SUMMARIES), main.name, Names(b.rng).word()
    formulas = [
        f"=ROUND({word}({letter}2:{letter}{end}),2)" for letter in ("C", "D", "E")
    ]
    values = [[label, None, *formulas]]
    b.call("set_range", sheet=name, start=f"A{end + 1}", values=values)
    return (
        f'Add a row below the table of the sheet "{name}": "{label}" in column A, and '
        f"the {word} of each column of numbers, rounded to 2 decimals."
    )


def _rank(b: Builder) -> str:
    main = _read(b)
    head = f"{Names(b.rng).word()} rank"
    column = 3 + b.below(3)
    letter, after = column_name(column), column_name(column + 1)
    b.call("sort_rows", sheet=main.name, column=letter, order="descending")
    b.call("insert_columns", sheet=main.name, column=after)
    ranks = [[head], *([rank] for rank in range(1, main.size[0]))]
    b.call("set_range", sheet=main.name, start=f"{after}1", values=ranks)
    return (
        f'Sort the sheet "{main.name}" by {main.cells[1, column]} in descending order, '
        f'and insert a column "{head}" after this column with the ranks 1, 2, 3 '
        "and so on."
    )


def _by_group(b: Builder) -> str:
    main = _read(b)
    title, column = f"{Names(b.rng).word()} sums", 3 + b.below(3)
    groups = sorted({main.cells[row, 2] for row in _rows(main)})
    letter, end = column_name(column), main.size[0]
    source = f"{main.name}!"
    values = [
        [
            group,
            f'=SUMIF({source}B2:B{end},"{group}",{source}{letter}2:{letter}{end})',
        ]
        for group in groups
    ]
    b.call("add_sheet", name=title)
    b.call("set_range", sheet=title, start="A1", values=values)
    head, by = main.cells[1, column], main.cells[1, 2]
    return (
        f'Add a sheet "{title}". In its column A list each {by} of the sheet '
        f'"{main.name}" in alphabetical order, and in column B the sum of {head} of '
        "its rows, without a header."
    )


def _mark_most(b: Builder) -> str:
    main = _main(b)
    column, note = 3 + b.below(3), f"checked by {Names(b.rng).word()}"
    letter, end = column_name(column), main.size[0]
    most = b.call(
        "calculate", sheet=main.name, formula=f"=MAX({letter}2:{letter}{end})"
    )
    cell = b.call("find_cells", sheet=main.name, text=str(most), column=letter)[0]
    b.call("set_note", sheet=main.name, cell=f"A{cell[1:]}", note=note)
    head, kind = main.cells[1, column], main.cells[1, 1]
    return (
        f'In the sheet "{main.name}", write the note "{note}" to the {kind} with the '
        f"largest {head}, in column A."
    )


def _tidy_sheets(b: Builder) -> str:
    main = _main(b)
    b.call("list_sheets")
    name = f"{Names(b.rng).word()} table"
    session: SheetSession = b.session  # type: ignore[assignment]
    old = session.data["old"].name
    b.call("delete_sheet", sheet=old)
    b.call("rename_sheet", sheet=main.name, name=name)
    return f'Delete the sheet "{old}", and rename the sheet "{main.name}" to "{name}".'


def _insert_row(b: Builder) -> str:
    main = _main(b)
    after = b.pick(_names(main)[:-1])
    row = _row_of(b, main, after) + 1
    new = [Names(b.rng).word(), main.cells[2, 2], *(10 + b.below(900) for _ in "123")]
    b.call("insert_rows", sheet=main.name, row=row)
    b.call("set_range", sheet=main.name, start=f"A{row}", values=[new])
    listed = ", ".join(map(str, new))
    return (
        f'In the sheet "{main.name}", insert a row after that of "{after}" with these '
        f"values: {listed}."
    )


_SUMMARIES = ("SUM", "AVERAGE", "MAX", "MIN", "MEDIAN")


def _main(b: Builder) -> Grid:
    session: SheetSession = b.session  # type: ignore[assignment]
    return session.data["main"]


def _read(b: Builder) -> Grid:
    """Return the table, after adding the call that reads it."""
    main = _main(b)
    small = main.size[0] * main.size[1] <= _MOST_READ
    arguments: dict[str, Any] = {"sheet": main.name}
    if not small:
        arguments["cells"] = "A1:E20"
    b.call("get_values", **arguments)
    return main


def _rows(main: Grid) -> range:
    return range(2, main.size[0] + 1)


def _names(main: Grid) -> list[str]:
    return [main.cells[row, 1] for row in _rows(main)]


def _row_of(b: Builder, main: Grid, name: str) -> int:
    found = b.look_up(name, "find_cells", sheet=main.name, text=name, column="A")
    return int(found[0][1:])


TEMPLATES = (
    Template("set-value", _set_value),
    Template("from-changes", _from_changes),
    Template("sort", _sort),
    Template("delete-group", _delete_group, small=True),
    Template("delete-and-sort", _delete_and_sort),
    Template("add-rows", _add_rows),
    Template("insert-row", _insert_row),
    Template("blank", _blank),
    Template("title", _title),
    Template("notes", _notes),
    Template("total-column", _total_column, small=True),
    Template("summary-row", _summary_row),
    Template("rank", _rank, small=True),
    Template("by-group", _by_group),
    Template("mark-most", _mark_most),
    Template("tidy-sheets", _tidy_sheets),
)
