"""A picture of an episode with tools: tables of what the calls returned."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from aq_gym.core.drawing import (
    ADVANCE,
    INK,
    MUTED,
    PALETTE,
    PAPER,
    Drawing,
    Rect,
    Text,
    fitted,
    wrapped,
)
from aq_gym.core.text import plural
from aq_gym.tools.calls import Call

WIDTH = 640
# Where the world ends at the latest, above the last call.
BOTTOM = 440
NEW = "#fdf3d0"
# The size of what was seen, and its rows: a picture is often shown small.
_SIZE, _ROW = 18, 30
_MOST_ROWS, _MOST_COLUMNS = 9, 5
_MOST_CALLS, _LONGEST = 100, 10_000
_SENTENCE = 80


class Looked(NamedTuple):
    """A call that was carried out.

    Attributes:
        tool: The tool's name.
        arguments: Its arguments.
        value: What it returned; a text that is JSON is read.
    """

    tool: str
    arguments: Mapping[str, Any]
    value: Any


class Seen(NamedTuple):
    """The parts of an episode with tools that its picture shows.

    Attributes:
        task: The task.
        action: The last action.
        result: The observation after it.
        calls: The latest calls that were carried out, with their results.
    """

    task: str
    action: str = ""
    result: str = ""
    calls: tuple[tuple[Call, str], ...] = ()

    def __deepcopy__(self, memo: object) -> Seen:
        """Return itself, because it never changes."""
        return self

    def with_call(self, call: Call, result: str) -> Seen:
        """Return the same with another call; a result that is too long is left out."""
        # str() of a subclass, such as an error value of a sheet, is a plain text.
        kept = str(result) if len(result) <= _LONGEST else ""
        return self._replace(calls=(*self.calls, (call, kept))[-_MOST_CALLS:])

    def after(self, action: str, result: str) -> Seen:
        """Return the same after a step."""
        return self._replace(action=action[:_LONGEST], result=result[:_LONGEST])


def draw(seen: Seen, looked: Sequence[Looked]) -> Drawing:
    """Return tables of the results; the rows of the last call are coloured.

    Args:
        seen: What the agent has seen.
        looked: The calls, oldest first.
    """
    tables: dict[str, dict[str, dict[str, str]]] = {}
    new: set[tuple[str, str]] = set()
    for one in looked:
        new = {_add(tables, *record) for record in _records(one)}
        for kind, _ in new:
            # The table that was changed last comes first.
            tables = {kind: tables[kind], **tables}
    pages = [one.value for one in looked if _is_page(one.value)]
    title = f"What {plural(len(looked), 'call')} returned"
    drawing, y = framed(seen, title)
    if pages and looked[-1].value is pages[-1]:
        y = _page(drawing, y, pages[-1])
    for kind, table in tables.items():
        if y + 3 * _ROW > BOTTOM:
            break
        room = min(_MOST_ROWS, int((BOTTOM - y) / _ROW) - 2)
        # What was just looked up is shown, whatever its place.
        first = max((n for n, key in enumerate(table) if (kind, key) in new), default=0)
        rows = dict([*table.items()][max(0, first + 1 - room) :][:room])
        drawing.add(Text(12, y + 9, kind, _SIZE, PALETTE[0], "start", bold=True))
        if len(table) > len(rows):
            more = f"{len(table) - len(rows)} more"
            drawing.add(Text(WIDTH - 12, y + 9, more, 16, MUTED, "end"))
        y = _table(drawing, y + 24, rows, {key for name, key in new if name == kind})
    if pages and looked[-1].value is not pages[-1]:
        _page(drawing, y, pages[-1])
    return footed(drawing, seen)


def _is_page(value: Any) -> bool:
    return isinstance(value, str) and (len(value) > _SENTENCE or "\n" in value)


def _page(drawing: Drawing, y: float, text: str) -> float:
    """Draw a text, such as a file's, on a sheet, and return where it ends."""
    top, behind = y, len(drawing.shapes)
    for line in text.split("\n"):
        # The lines of a program keep their indentation.
        x = 20 + _SIZE * ADVANCE * min(24, len(line) - len(line.lstrip()))
        for part in wrapped(line, WIDTH - 20 - x, _SIZE):
            if y + 32 <= BOTTOM:
                drawing.add(Text(x, y + 18, part, _SIZE, INK, "start"))
                y += 24
    sheet = Rect(8, top, WIDTH - 16, y - top + 12, "#f5f7fa", "#cbd2d9", 4)
    drawing.shapes.insert(behind, sheet)
    return y + 22


def read(text: str) -> Any:
    """Return a result as a value; a text that is not JSON stays a text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def framed(seen: Seen, title: str) -> tuple[Drawing, float]:
    """Return a picture with the task, and where the world begins."""
    drawing = Drawing(WIDTH, 0, title)
    y = 20.0
    for line in wrapped(seen.task, WIDTH - 24, _SIZE, 4):
        drawing.add(Text(12, y, line, _SIZE, INK, "start", bold=True))
        y += 24
    drawing.height = y
    return drawing, y + 4


def footed(drawing: Drawing, seen: Seen) -> Drawing:
    """Return a framed picture with the last action below the world.

    It is as high as that; where nothing of the world has been seen, it says so.
    """
    task = drawing.height
    drawing.fit()
    if drawing.height <= task:
        drawing.add(Text(WIDTH / 2, task + 30, "nothing seen yet", 16, MUTED))
        drawing.fit(32)
    bottom = drawing.height
    drawing.add(Rect(8, bottom, WIDTH - 16, 32, "#e4e7eb", radius=6))
    called = f"> {seen.action}" if seen.action else "no call yet"
    said = seen.result.rpartition("\n")[2]
    if said[:1] in ("[", "{") or seen.result.count("\n") > 1:
        said = ""
    said = fitted(said, WIDTH * 0.4, 16)
    foot, room = bottom + 16, WIDTH - 52 - 16 * ADVANCE * len(said)
    drawing.add(
        Text(20, foot, fitted(called, room, 16), 16, INK, "start"),
        Text(WIDTH - 20, foot, said, 16, MUTED, "end"),
    )
    drawing.fit(8)
    return drawing


def _records(looked: Looked) -> list[tuple[str, str, Mapping[str, Any]]]:
    """Return what a call told: the kind of each thing, its key and its fields.

    A thing has an id, in a list of records or in the arguments. Other results are rows
    of a table of their tool.
    """
    tool, arguments, value = looked
    about = [key for key in arguments if key.endswith("_id")][:1]
    name = tool.removeprefix("get_").replace("_", " ")
    if isinstance(value, list) and value and all(isinstance(v, dict) for v in value):
        own = next((key for key in value[0] if key.endswith("_id")), "")
        given = {} if own else {key: arguments[key] for key in about}
        kind = own.removesuffix("_id") or name
        return [
            (kind, _cell(one.get(own, f"{given} {n}")), {**given, **one})
            for n, one in enumerate(value)
        ]
    fields = value if isinstance(value, dict) else {name if about else "result": value}
    if about:
        key = _cell(arguments[about[0]])
        return [(about[0].removesuffix("_id"), key, {about[0]: key, **fields})]
    if isinstance(value, str) and (" " in value or _is_page(value)):
        return []
    return [(name, json.dumps(arguments), {**arguments, **fields})]


def _add(
    tables: dict[str, dict[str, dict[str, str]]],
    kind: str,
    key: str,
    fields: Mapping[str, Any],
) -> tuple[str, str]:
    row = tables.setdefault(kind, {}).setdefault(key, {})
    row.update({name: _cell(value) for name, value in fields.items()})
    return kind, key


def _cell(value: Any) -> str:
    try:
        if isinstance(value, list):
            return ", ".join(map(_cell, value))
        return (
            value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        )
    except RecursionError:
        return "…"


def _table(
    drawing: Drawing, y: float, rows: Mapping[str, Mapping[str, str]], new: set[str]
) -> float:
    """Draw a table, and return where it ends."""
    names = [*dict.fromkeys(name for row in rows.values() for name in row)]
    names = names[:_MOST_COLUMNS]
    if not names:
        return y
    lines = [names, *([row.get(name, "") for name in names] for row in rows.values())]
    most = max(24, 48 // len(names))
    needed = [
        min(most, 3 + max(map(len, column))) for column in zip(*lines, strict=True)
    ]
    unit = min(12.0, (WIDTH - 24) / sum(needed))
    for line, key in zip(lines, ("", *rows), strict=True):
        x, heading = 12.0, line is names
        fill = "#e3f0fb" if heading else NEW if key in new else PAPER
        for text, share in zip(line, needed, strict=True):
            shown = fitted(
                text.replace("_", " ") if heading else text, share * unit, _SIZE
            )
            drawing.add(
                Rect(x, y, share * unit, _ROW, fill, "#cbd2d9"),
                Text(x + 6, y + _ROW / 2, shown, _SIZE, INK, "start", heading),
            )
            x += share * unit
        y += _ROW
    return y + 12
