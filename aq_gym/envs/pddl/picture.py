"""Pictures of planning problems, chosen by the predicates of their domain.

Blocks and discs are drawn as towers, Sokoban as a grid, things that are at or in others
as nested boxes, and any other domain as a graph of its facts. The conditions of the
goal are listed beside the drawing, with a mark if they hold.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

from aq_gym.core.drawing import (
    ADVANCE,
    INK,
    MUTED,
    PALETTE,
    PAPER,
    Circle,
    Drawing,
    Line,
    Rect,
    Text,
    fitted,
)

Fact: TypeAlias = tuple[str, ...]

# The widths of the goals, of graphs, and of things in others.
_GOALS, _ROOM, _NESTED = 300, 430, 340
_MOST, _BLOCK = 24, 40
# A limit, because a user's problem can have very many facts.
_MOST_FACTS = 3_000
_CELL = re.compile(r"r(\d+)c(\d+)")
# For a predicate, the inner and the outer thing: the index of one of its objects, or a
# fixed name.
_INSIDE: dict[str, tuple[int | str, int | str]] = {
    "at": (0, 1),
    "in": (0, 1),
    "on": (0, 1),
    "in-city": (0, 1),
    "carry": (0, 1),
    "free": (0, "robot"),
    "at-robby": ("robot", 0),
    "aboard": (0, "ferry"),
    "ferry-at": ("ferry", 0),
    "have": (0, "you"),
    "loose": (0, 1),
    "tight": (0, 1),
    "contains": (1, 0),
    "holding": (1, 0),
    "ontable": (0, "table"),
}
_DEEPEST = 5


def draw(
    facts: Sequence[Fact],
    predicates: Collection[str],
    kinds: Mapping[str, str],
    conditions: Sequence[str],
    held: Sequence[bool],
) -> Drawing:
    """Return a state, and the conditions of the goal.

    Args:
        facts: The facts that hold, each a predicate and its objects.
        predicates: The predicates of the domain.
        kinds: The type of each object.
        conditions: The conditions of the goal in words.
        held: Whether each condition holds.
    """
    facts = facts[:_MOST_FACTS]
    names = set(predicates)
    if "player-at" in names and all(
        _CELL.fullmatch(fact[-1]) for fact in facts if fact[0] in ("plain", "target")
    ):
        drawing = _grid(facts)
    elif "on" in names and names & {"on-table", "ontable", "smaller"}:
        drawing = _towers(facts)
    elif names & {"at", "in", "contains", "have"}:
        drawing = _nested(facts, kinds)
    else:
        drawing = _graph(facts, kinds)
    left = drawing.width
    # Longer conditions are written smaller.
    longest = max(map(len, conditions), default=1)
    size = max(11.0, min(24.0, (_GOALS - 30) / (0.61 * longest)))
    line = max(22.0, 1.3 * size)
    done = f"{sum(held)} of {len(held)} conditions hold"
    drawing.title = f"{drawing.title}; {done}"
    drawing.width += _GOALS
    drawing.height = max(drawing.height, 240, 50 + line * min(len(held), _MOST + 1))
    drawing.add(Text(left + 8, 20, fitted(done, _GOALS - 16, 18), 18, INK, "start"))
    for row, (condition, holds) in enumerate(zip(conditions, held, strict=True)):
        y = 50 + line * row
        if row == _MOST:
            more = f"… {len(held) - row} more"
            drawing.add(Text(left + 24, y, more, 15, MUTED, "start"))
            break
        mark, ink = (PALETTE[2], INK) if holds else (PAPER, MUTED)
        drawing.add(Circle(left + 13, y, 6, mark, PALETTE[2] if holds else MUTED))
        text = fitted(condition, _GOALS - 30, size)
        drawing.add(Text(left + 26, y, text, size, ink, "start"))
    return drawing


def _towers(facts: Sequence[Fact]) -> Drawing:
    """Blocks on a table, or discs on pegs."""
    above = {fact[2]: fact[1] for fact in facts if fact[0] == "on"}
    below = {fact[1] for fact in facts if fact[0] == "on"}
    sizes: dict[str, int] = {}
    for fact in facts:
        if fact[0] == "smaller":
            sizes[fact[2]] = sizes.get(fact[2], 0) + 1
            sizes.setdefault(fact[1], 0)
    tabled = [fact[1] for fact in facts if fact[0] in ("on-table", "ontable")]
    bases = sorted(tabled or set(sizes) - below)
    held = [fact[1] for fact in facts if fact[0] == "holding"]
    towers = []
    for base in bases:
        tower = [base]
        while tower[-1] in above and len(tower) <= len(facts):
            tower.append(above[tower[-1]])
        towers.append(tower)
    wide = 120 if sizes else 72
    width = max(_GOALS, len(towers) * (wide + 12) + 24)
    blocks = sorted({*above, *below, *tabled, *held, *sizes})
    # Higher towers than half of the blocks are rare; discs are often one tower.
    rows = max(len(blocks) // 2, *map(len, towers), 3)
    height = _BLOCK * (len(blocks) - len(bases) if sizes else rows) + 120
    drawing = Drawing(width, height, f"{len(towers)} towers")
    bottom = height - 30
    drawing.add(Line(8, bottom, width - 8, bottom, INK, 4))
    colours = {one: PALETTE[i % len(PALETTE)] for i, one in enumerate(blocks)}
    largest = max(sizes.values(), default=0) or 1
    for column, tower in enumerate(towers):
        # Next to the goals, not far from them.
        x = width - (len(towers) - column) * (wide + 12)
        if sizes:
            drawing.add(Rect(x + wide / 2 - 3, 60, 6, bottom - 60, "#cbd2d9"))
            drawing.add(Text(x + wide / 2, bottom + 16, tower[0], 13, MUTED))
            tower = tower[1:]
        for row, block in enumerate(tower, 1):
            own = float(wide)
            if sizes:
                own = 48 + (wide - 48) * sizes[block] / largest
            edge = x + (wide - own) / 2
            drawing.add(
                *_block(edge, bottom - _BLOCK * row, own, block, colours[block])
            )
    for number, block in enumerate(held):
        x = width // 2 + number * 80
        drawing.add(Line(x + 36, 8, x + 36, 30, INK, 4))
        drawing.add(Rect(x + 8, 26, 56, 6, INK))
        drawing.add(*_block(x, 34, wide, block, colours[block]))
    return drawing


def _block(
    x: float, y: float, width: float, name: str, colour: str
) -> tuple[Rect, Text]:
    size = max(13, min(20, (width - 6) / (ADVANCE * len(name))))
    text = fitted(name, width - 6, size)
    ink = _ink(colour)
    return (
        Rect(x, y, width, _BLOCK - 2, colour, radius=3),
        Text(x + width / 2, y + _BLOCK / 2 - 1, text, size, ink, bold=True),
    )


def _ink(colour: str) -> str:
    light = sum(int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return INK if light > 400 else PAPER


def _grid(facts: Sequence[Fact]) -> Drawing:
    """Sokoban's cells, boxes and player."""
    floor: dict[tuple[int, int], str] = {}
    boxes: dict[tuple[int, int], str] = {}
    stored = {fact[1] for fact in facts if fact[0] == "stored"}
    player = (0, 0)
    for fact in facts:
        match = _CELL.fullmatch(fact[-1])
        if not match:
            continue
        cell = int(match[1]), int(match[2])
        if fact[0] in ("plain", "target"):
            floor[cell] = fact[0]
        elif fact[0] == "box-at":
            boxes[cell] = fact[1]
        elif fact[0] == "player-at":
            player = cell
    rows, columns = (max(cell[i] for cell in floor) for i in (0, 1))
    side = min(56.0, 420 / max(rows, columns))
    size = side * (columns + 2), side * (rows + 2)
    drawing = Drawing(*size, "Sokoban")
    drawing.add(Rect(0, 0, *size, "#616e7c"))
    for cell, kind in floor.items():
        y, x = cell[0] * side, cell[1] * side
        drawing.add(Rect(x, y, side, side, "#f5f7fa", "#cbd2d9"))
        if kind == "target":
            drawing.add(Circle(x + side / 2, y + side / 2, side / 5, PALETTE[4]))
    for cell, box in boxes.items():
        y, x = cell[0] * side + 4, cell[1] * side + 4
        colour = PALETTE[2] if box in stored else PALETTE[1]
        drawing.add(Rect(x, y, side - 8, side - 8, colour, INK, 3))
        name = fitted(box, side - 8, side / 4)
        drawing.add(Text(x + side / 2 - 4, y + side / 2 - 4, name, side / 4, INK))
    y, x = ((at + 0.5) * side for at in player)
    drawing.add(Circle(x, y, side / 3, PALETTE[0], PAPER))
    return drawing


def _nested(facts: Sequence[Fact], kinds: Mapping[str, str]) -> Drawing:
    """Things drawn inside the things that they are at, in or on."""
    inside: dict[str, list[str]] = {}
    within: set[str] = set()
    notes: dict[str, list[str]] = {}
    for fact in facts:
        pair = _INSIDE.get(fact[0])
        if pair is not None and len(fact) > 1 + max(map(_number, pair)):
            thing, where = (i if isinstance(i, str) else fact[i + 1] for i in pair)
            inside.setdefault(where, []).append(thing)
            within.add(thing)
            if fact[0] == "tight":
                notes.setdefault(thing, []).append("tight")
            elif fact[0] == "carry":
                inside.setdefault("robot", []).append(where)
                within.add(where)
        elif len(fact) == 2 and fact[0] not in kinds.values():
            notes.setdefault(fact[1], []).append(fact[0])
    colours = {one: PALETTE[i % 10] for i, one in enumerate(sorted({*kinds.values()}))}
    hollow = {kinds[place] for place in inside if place in kinds}
    drawing = Drawing(_NESTED, 0, "What is where")

    def paint(
        name: str, x: float, y: float, depth: int, dry: bool
    ) -> tuple[float, float]:
        """Draw a thing with its content, and return its size; ``dry`` only measures."""
        colour = colours.get(kinds.get(name, ""), MUTED)
        label = " ".join([name, *(f"·{note}" for note in notes.get(name, ()))])
        text = fitted(label, 290, 13)
        needed = len(text) * 7.9 + 14
        parts = inside.get(name, [])
        if depth > _DEEPEST or not (parts or kinds.get(name) in hollow):
            if not dry:
                box = Rect(x, y, needed, 26, colour, radius=4)
                drawing.add(box, Text(x + needed / 2, y + 13, text, 13, _ink(colour)))
            return needed, 26
        limit = 310.0 - 12 * depth
        places, width, height = _flowed(
            [paint(part, 0, 0, depth + 1, True) for part in parts], limit
        )
        width, height = max(width + 12, needed), height + (34 if parts else 28)
        if not dry:
            fill = ("#f5f7fa", "#e4e7eb", "#d5dbe1")[depth % 3]
            drawing.add(Rect(x, y, width, height, fill, colour, 6))
            drawing.add(Text(x + 8, y + 14, text, 13, INK, "start", bold=True))
            for part, place in zip(parts, places, strict=True):
                paint(part, x + 6 + place[0], y + 28 + place[1], depth + 1, False)
        return width, height

    names = [*kinds, "robot", "ferry", "you", "table"]
    shown = {*inside, *notes, *(one for one in kinds if kinds[one] in hollow)}
    roots = [one for one in names if one in shown and one not in within]
    places, width, height = _flowed(
        [paint(one, 0, 0, 0, True) for one in roots], _NESTED
    )
    for root, place in zip(roots, places, strict=True):
        paint(root, place[0] + 8, place[1] + 8, 0, False)
    drawing.width, drawing.height = max(_NESTED, width + 16), height + 16
    return drawing


def _number(place: int | str) -> int:
    return -1 if isinstance(place, str) else place


def _flowed(
    sizes: Iterable[tuple[float, float]], limit: float
) -> tuple[list[tuple[float, float]], float, float]:
    """Return the positions of boxes in rows of limited width, and the total size."""
    places: list[tuple[float, float]] = []
    x = y = tall = width = 0.0
    for one, height in sizes:
        if x and x + one > limit:
            x, y, tall = 0.0, y + tall + 6, 0.0
        places.append((x, y))
        width = max(width, x + one)
        x, tall = x + one + 6, max(tall, height)
    return places, width, y + tall


def _graph(facts: Sequence[Fact], kinds: Mapping[str, str]) -> Drawing:
    """Objects on a circle, and a line for each fact of two."""
    drawing = Drawing(_ROOM, 480, "The facts as a graph")
    names = list(kinds)[:_MOST]
    spots = {
        name: (
            _ROOM / 2 + 160 * math.sin(2 * math.pi * i / len(names)),
            240 - 190 * math.cos(2 * math.pi * i / len(names)),
        )
        for i, name in enumerate(names)
    }
    for fact in facts:
        if len(fact) == 3 and fact[1] in spots and fact[2] in spots:
            (x1, y1), (x2, y2) = spots[fact[1]], spots[fact[2]]
            drawing.add(Line(x1, y1, x2, y2, "#9aa5b1"))
            middle = x1 + (x2 - x1) * 0.4, y1 + (y2 - y1) * 0.4
            drawing.add(Text(*middle, fitted(fact[0], 90, 10), 10, MUTED))
    for name, (x, y) in spots.items():
        own = [fact[0] for fact in facts if fact[1:] == (name,)]
        width = min(100.0, len(name) * 7.5 + 14)
        drawing.add(
            Rect(x - width / 2, y - 12, width, 24, "#e4e7eb", INK, 6),
            Text(x, y, fitted(name, width, 12), 12),
            Text(x, y + 20, fitted(", ".join(own), 130, 10), 10, PALETTE[0]),
        )
    return drawing
