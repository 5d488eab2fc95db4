"""A picture of BabyAI: minigrid's view of the agent, who looks up."""

from __future__ import annotations

from aq_gym.core.drawing import (
    Circle,
    Drawing,
    Line,
    Polygon,
    Rect,
    Shape,
    Text,
    fitted,
    wrapped,
)
from aq_gym.envs.babyai.logic.layout import LOCKED, OPEN, WALL
from aq_gym.envs.babyai.logic.view import OWN_SLOT, SIZE, View
from aq_gym.envs.babyai.logic.world import World

# minigrid's default size of a cell.
_TILE = 32
_CELL = 56
_FLOOR, _GRID, _STONE, _HIDDEN = "#111417", "#59626d", "#7b8794", "#d5dbe1"
_COLOURS = {
    "red": "#f03e3e",
    "green": "#37b24d",
    "blue": "#4c7df0",
    "purple": "#a855c7",
    "yellow": "#f5d90a",
    "grey": "#a3adb8",
}


def draw(world: World, view: View, goal: str) -> Drawing:
    """Return the cells that the agent sees, what it carries, and its mission.

    Args:
        world: The world.
        view: The visible cells.
        goal: The mission in the agent's words.
    """
    side = SIZE * _CELL
    drawing = Drawing(side + 200, side + 16, "The view of the agent, who looks up")
    drawing.add(Rect(8, 8, side, side, _HIDDEN))
    for slot, content in {**view.slots, OWN_SLOT: 0}.items():
        row, column = divmod(slot, SIZE)
        x, y = column * _CELL + 8, row * _CELL + 8
        stone = content == WALL
        fill, edge = (_STONE, _STONE) if stone else (_FLOOR, _GRID)
        drawing.add(Rect(x, y, _CELL, _CELL, fill, edge))
        if content > WALL:
            drawing.add(*_thing(world, content, x, y))
    row, column = divmod(OWN_SLOT, SIZE)
    x, y = column * _CELL + 8, row * _CELL + 8
    corners = ((x + 8, y + 46), (x + 28, y + 10), (x + 48, y + 46))
    drawing.add(Polygon(corners, _COLOURS["red"]))
    left = side + 24
    drawing.add(Text(left, 24, "mission", 14, "#7b8794", "start"))
    lines = wrapped(goal, 170, 15, 8)
    for number, line in enumerate(lines):
        drawing.add(Text(left, 48 + 20 * number, line, 15, anchor="start", bold=True))
    below = 72 + 20 * len(lines)
    drawing.add(Text(left, below, "carries", 14, "#7b8794", "start"))
    if world.carrying:
        thing = world.things[world.carrying]
        drawing.add(Rect(left, below + 16, _CELL, _CELL, _FLOOR, _GRID))
        drawing.add(*_thing(world, world.carrying, left, below + 16))
        name = fitted(f"{thing.color} {thing.kind}", 110, 15)
        drawing.add(Text(left + 64, below + 16 + _CELL / 2, name, 15, anchor="start"))
    else:
        drawing.add(Text(left, below + 24, "nothing", 15, anchor="start"))
    return drawing


def _thing(world: World, code: int, x: float, y: float) -> list[Shape]:
    """Return the shapes of a thing in a cell."""
    thing = world.things[code]
    colour = _COLOURS[thing.color]
    if thing.kind == "ball":
        return [Circle(x + 28, y + 28, 17, colour)]
    if thing.kind == "box":
        frame = Rect(x + 9, y + 9, 38, 38, colour, radius=2)
        inner = Rect(x + 14, y + 14, 28, 28, _FLOOR)
        return [frame, inner, Rect(x + 9, y + 26, 38, 4, colour)]
    if thing.kind == "key":
        ring = [Circle(x + 32, y + 16, 10, colour), Circle(x + 32, y + 16, 4, _FLOOR)]
        teeth = [Rect(x + 20, y + at, 9, 4, colour) for at in (36, 44)]
        return [Rect(x + 29, y + 24, 6, 26, colour), *ring, *teeth]
    if world.doors[code] == OPEN:
        return [
            Rect(x + 44, y + 2, 10, 52, colour),
            Rect(x + 47, y + 5, 4, 46, _FLOOR),
        ]
    frame = Rect(x + 2, y + 2, 52, 52, colour)
    if world.doors[code] == LOCKED:
        panel = Rect(x + 8, y + 8, 40, 40, colour, _FLOOR)
        return [frame, panel, Line(x + 36, y + 22, x + 36, y + 34, _FLOOR, 5)]
    inner = Rect(x + 8, y + 8, 40, 40, _FLOOR)
    return [frame, inner, Circle(x + 40, y + 28, 4, colour)]
