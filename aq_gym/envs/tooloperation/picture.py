"""Pictures of a to-do list and of a workbook, as far as the agent has seen them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from aq_gym.core.drawing import (
    ADVANCE,
    INK,
    MUTED,
    PALETTE,
    PAPER,
    Anchor,
    Circle,
    Drawing,
    Line,
    Rect,
    Text,
    fitted,
)
from aq_gym.envs.tooloperation.logic.sheet.formulas import (
    Position,
    column_name,
    read_rect,
)
from aq_gym.envs.tooloperation.logic.sheet.state import shown_value
from aq_gym.envs.tooloperation.logic.sheet.tools import SheetSession
from aq_gym.envs.tooloperation.logic.sheet.workbook import EMPTY, is_formula
from aq_gym.envs.tooloperation.logic.todo import Project, Section, Task, TodoSession
from aq_gym.tools.picture import (
    BOTTOM,
    NEW,
    WIDTH,
    Looked,
    Seen,
    footed,
    framed,
)

_LINE = 26
_MOST_CELLS = 2_000
_UNKNOWN = "#eef0f3"
_PRIORITIES = ("", "#56b4e9", "#e69f00", "#d55e00")
_TELLING = ("get_values", "get_cell", "find_cells", "set_cell", "clear_range")
_SHIFTS = ("sort_rows", "insert_", "delete_rows", "delete_columns")


class _Entry(NamedTuple):
    """A line of the list: a project, a section or a task."""

    key: str
    text: str
    task: Task | None = None
    deleted: bool = False
    bold: bool = True


def draw_list(seen: Seen, looked: Sequence[Looked], session: TodoSession) -> Drawing:
    """Return the projects, sections and tasks that results have named.

    What the agent has changed is coloured.

    Args:
        seen: What the agent has seen.
        looked: The calls that were carried out.
        session: The list now.
    """
    known = dict.fromkeys(key for one in looked for key in _named(one))
    read = {one.arguments["project_id"] for one in looked if one.tool == "get_tasks"}
    entries = [*_entries(session, known, read)]
    title = f"A to-do list, {len(known)} records seen"
    drawing, top = framed(seen, title)
    rows = int((BOTTOM - top) / _LINE)
    columns, size = (1, 18) if len(entries) <= rows else (2, 14)
    wide = (WIDTH - 12) / columns
    for number, one in enumerate(entries[: rows * columns]):
        x, y = 8 + number // rows * wide, top + (number % rows + 0.5) * _LINE
        if one.key in session.changed:
            drawing.add(Rect(x, y - _LINE / 2, wide - 6, _LINE, NEW))
        if one.task is None:
            ink = PALETTE[0] if one.bold else MUTED
            shown = fitted(one.text, wide - 20, size)
            drawing.add(Text(x + 4, y, shown, size, ink, "start", bold=one.bold))
            continue
        _draw_task(drawing, x, y, wide, size, one, one.task)
    return footed(drawing, seen)


def _draw_task(
    drawing: Drawing,
    x: float,
    y: float,
    wide: float,
    size: float,
    entry: _Entry,
    task: Task,
) -> None:
    labels = "".join(f" #{label}" for label in task.labels)
    ink = MUTED if task.completed or entry.deleted else INK
    # The date has ten characters.
    date = 6 * (size - 2)
    shown = fitted(f"{entry.text}{labels}", wide - date - 72, size)
    drawing.add(
        Text(x + 12, y, "☑" if task.completed else "☐", size, ink, "start"),
        Text(x + 32, y, shown, size, ink, "start"),
        Text(x + wide - 12, y, task.due_date, size - 2, MUTED, "end"),
    )
    if task.priority > 1:
        dot = _PRIORITIES[task.priority - 1]
        drawing.add(Circle(x + wide - date - 26, y, size / 4, dot))
    if entry.deleted:
        drawing.add(Line(x + 32, y, x + 32 + len(shown) * size * ADVANCE, y, INK))


def _named(looked: Looked) -> Iterator[str]:
    """Yield the ids of the records that a result describes."""
    tool, arguments, value = looked
    if tool == "get_task_details":
        yield arguments["task_id"]
    elif isinstance(value, list | dict):
        for record in value if isinstance(value, list) else [value]:
            yield next(iter(record.values()))


def _entries(
    session: TodoSession, known: dict[str, None], read: set[str]
) -> Iterator[_Entry]:
    start, changed = session.data.records, session.changed
    now: dict[str, Any] = {key: changed.get(key, start.get(key)) for key in known}
    gone = {key for key, record in now.items() if record is None and key in start}
    now |= {key: start[key] for key in gone}
    tasks = {key: one for key, one in now.items() if isinstance(one, Task)}
    homes = {key: None for key, one in now.items() if isinstance(one, Project)}
    for project in homes | dict.fromkeys(one.project_id for one in tasks.values()):
        home = now.get(project)
        name = home.name if home else f"project {project}"
        own = {key: one for key, one in tasks.items() if one.project_id == project}
        star = "★ " if home and home.favorite else ""
        rest = "" if own else " · no tasks" if project in read else " · ?"
        yield _Entry(project, f"{star}{name}{rest}")
        places = {one.section_id: None for one in own.values()}
        places |= {
            key: None
            for key, one in now.items()
            if isinstance(one, Section) and one.project_id == project
        }
        for section in sorted(places, key=lambda one: (one != "", one)):
            place = now.get(section)
            if section:
                title = place.name if place else f"section {section}"
                yield _Entry(section, f"  {title}", bold=False)
            for key, one in own.items():
                if one.section_id == section:
                    yield _Entry(key, one.content, one, key in gone)


def draw_book(seen: Seen, looked: Sequence[Looked], session: SheetSession) -> Drawing:
    """Return the sheet of the last call, with the cells that the agent knows.

    Cells that it does not know are grey, and cells that it has changed are coloured.

    Args:
        seen: What the agent has seen.
        looked: The calls that were carried out.
        session: The workbook now.
    """
    known, here, last = _known_cells(looked)
    keys = {name: session.book.key_of(name) for name in known}
    key = keys.get(here)
    title = f"A workbook, {len(known)} sheets seen"
    drawing, top = framed(seen, title)
    names = [session.book.grids[key].name for key in keys.values() if key]
    _draw_tabs(drawing, top, names, here)
    if key is None:
        return footed(drawing, seen)
    cells, top = known[here], top + 28
    now, start = session.book.grids[key], session.data.get(key, EMPTY)
    tall, width = now.size
    if cells is not None:
        tall, width = map(max, zip((1, 1), *cells, strict=True))
    rows = min(int((BOTTOM - top) / _LINE) - 1, max(6, tall + 1))
    first = max(1, last - rows + 2)
    columns = max(6, min(10, width))
    wide = (WIDTH - 52) / columns
    for row in range(rows + 1):
        y, number = top + row * _LINE, first + row - 1
        _draw_cell(drawing, 12, y, 32, str(number) if row else "")
        for column in range(1, columns + 1):
            x, place = 44 + (column - 1) * wide, (number, column)
            if not row:
                _draw_cell(drawing, x, y, wide, column_name(column))
                continue
            fill, text, is_text = _UNKNOWN, "", False
            if cells is None or place in cells:
                content = now.cells.get(place)
                fill = PAPER if content == start.cells.get(place) else NEW
                text = _shown(session, key, place, cells is None)
                is_text = isinstance(content, str) and not is_formula(content)
            _draw_cell(drawing, x, y, wide, text, fill, "start" if is_text else "end")
    return footed(drawing, seen)


def _shown(session: SheetSession, key: str, place: Position, whole: bool) -> str:
    """Return the text of a known cell; a formula's value needs all that it reads."""
    content = session.book.grids[key].cells.get(place)
    if is_formula(content) and not (whole and "!" not in str(content)):
        return "=…"
    return "" if content is None else shown_value(session.book.value(key, place))


def _draw_tabs(drawing: Drawing, y: float, names: list[str], here: str) -> None:
    x = 12.0
    for name in names:
        shown, is_here = fitted(name, 150, 14), name.casefold() == here
        wide = len(shown) * 8.5 + 20
        fill, ink = (PALETTE[0], PAPER) if is_here else (_UNKNOWN, INK)
        drawing.add(Rect(x, y, wide, 22, fill, radius=4))
        drawing.add(Text(x + wide / 2, y + 11, shown, 14, ink, bold=is_here))
        x += wide + 6


def _draw_cell(
    drawing: Drawing,
    x: float,
    y: float,
    wide: float,
    text: str,
    fill: str = "#e4e7eb",
    anchor: Anchor = "middle",
) -> None:
    at = {"start": x + 5, "middle": x + wide / 2, "end": x + wide - 5}[anchor]
    ink = MUTED if anchor == "middle" else INK
    drawing.add(
        Rect(x, y, wide, _LINE, fill, "#cbd2d9"),
        Text(at, y + _LINE / 2, fitted(text, wide - 6, 14), 14, ink, anchor),
    )


def _known_cells(
    looked: Sequence[Looked],
) -> tuple[dict[str, set[Position] | None], str, int]:
    """Return the known cells of each sheet, None for all; the last sheet and row."""
    known: dict[str, set[Position] | None] = {}
    here, at = "", 1
    for tool, given, value in looked:
        if tool == "list_sheets":
            known = {one["sheet"].casefold(): set() for one in value} | known
        new = str(given.get("name", "")).strip().casefold()
        name = str(given.get("sheet", new)).strip().casefold()
        if tool in ("rename_sheet", "delete_sheet"):
            # Another sheet can have the name now.
            cells = known.pop(name, None) if name in known else set()
            known, name = {**known, new: cells} if new else known, new or name
        cells = known.get(name, set())
        if tool == "add_sheet" or (tool == "get_values" and not given["cells"]):
            cells = None
        elif cells is not None:
            found = {*_positions(tool, given, value)}
            cells = set() if tool.startswith(_SHIFTS) else cells | found
            at = max((row for row, _ in found), default=at)
        if (
            name
            and tool != "delete_sheet"
            and ("sheet" in given or tool == "add_sheet")
        ):
            known[name], here = cells, name
    return known, here, at


def _positions(tool: str, given: Any, value: Any) -> Iterator[Position]:
    """Yield the cells whose contents a call has read or written."""
    if tool == "set_range" and (first := read_rect(given["start"])):
        for r, line in enumerate(given["values"]):
            yield from ((first.top + r, first.left + c) for c in range(len(line)))
    names = value if tool == "find_cells" else [given.get("cell") or given.get("cells")]
    # Notes and merged cells tell nothing of contents.
    for name in names if tool in _TELLING else ():
        # A range that is cleared can have millions of cells.
        if name and (rect := read_rect(name)) and rect.area <= _MOST_CELLS:
            yield from rect.positions()
