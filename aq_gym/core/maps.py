"""A map of the rooms that were visited, laid out by the directions walked."""

from __future__ import annotations

from itertools import count, product
from typing import NamedTuple

from aq_gym.core.drawing import (
    INK,
    MUTED,
    PALETTE,
    PAPER,
    Drawing,
    Line,
    Rect,
    Text,
    wrapped,
)

_STEPS = {
    "north": (0, -1),
    "south": (0, 1),
    "east": (1, 0),
    "west": (-1, 0),
    "northeast": (1, -1),
    "northwest": (-1, -1),
    "southeast": (1, 1),
    "southwest": (-1, 1),
    "up": (1, -1),
    "down": (-1, 1),
    "in": (1, 0),
    "out": (-1, 0),
}
_SHORT = {
    "n": "north",
    "s": "south",
    "e": "east",
    "w": "west",
    "ne": "northeast",
    "nw": "northwest",
    "se": "southeast",
    "sw": "southwest",
    "u": "up",
    "d": "down",
}
_WIDE, _TALL = 144, 88
_BOX = (126, 58)


class Room(NamedTuple):
    """A room, with its column and row on the map."""

    key: str
    name: str
    x: int
    y: int


class RoomMap(NamedTuple):
    """The rooms visited, the connections used between them, and the current room.

    Attributes:
        rooms: The rooms, in the order of the first visits.
        ways: Pairs of numbers of rooms.
        here: The number of the current room, -1 if it is unknown.
    """

    rooms: tuple[Room, ...] = ()
    ways: tuple[tuple[int, int], ...] = ()
    here: int = -1


def walked(before: RoomMap, key: str, seen: str, action: str) -> RoomMap:
    """Return the map after an action.

    Args:
        before: The map before the action.
        key: The current room: its name, and in brackets a mark that distinguishes it
            from other rooms of this name; "" if it is unknown.
        seen: The text that the agent read, which names a room unless it is dark.
        action: The action; a direction in it decides where a new room is drawn.
    """
    if not key:
        return before._replace(here=-1)
    if before.here >= 0:
        present = before.rooms[before.here]
        if present.key == key and present.name:
            return before
    name = key.partition(" (")[0]
    label = name if name.lower() in seen.lower() else ""
    rooms, here = list(before.rooms), before.here
    number = next((i for i, room in enumerate(rooms) if room.key == key), len(rooms))
    if number == len(rooms):
        start = rooms[here] if here >= 0 else Room("", "", 0, 0)
        spot = _free({(room.x, room.y) for room in rooms}, start, _step(action))
        rooms.append(Room(key, label, *spot))
    elif label and not rooms[number].name:
        rooms[number] = rooms[number]._replace(name=label)
    ways = before.ways
    pair = (min(here, number), max(here, number))
    if here >= 0 and here != number and pair not in ways:
        ways = (*ways, pair)
    return RoomMap(tuple(rooms), ways, number)


def _step(action: str) -> tuple[int, int]:
    words = (_SHORT.get(word, word) for word in action.lower().split()[:3])
    return next((_STEPS[word] for word in words if word in _STEPS), (0, 0))


def _free(
    taken: set[tuple[int, int]], start: Room, step: tuple[int, int]
) -> tuple[int, int]:
    """Return the first free place in a direction, or else the nearest one."""
    if not taken:
        return 0, 0
    if step != (0, 0):
        for steps in (1, 2, 3):
            spot = start.x + steps * step[0], start.y + steps * step[1]
            if spot not in taken:
                return spot
    for reach in count(1):
        around = product(range(-reach, reach + 1), repeat=2)
        # Places to the right and below come first, corners last.
        steps_to = sorted(around, key=lambda at: (abs(at[0]) + abs(at[1]), -sum(at)))
        spots = ((start.x + x, start.y + y) for x, y in steps_to)
        found = next((spot for spot in spots if spot not in taken), None)
        if found is not None:
            return found
    raise AssertionError("unreachable")


def draw_map(rooms: RoomMap, heading: str) -> Drawing:
    """Return the map as a picture."""
    spots = [(room.x, room.y) for room in rooms.rooms] or [(0, 0)]
    left, top = min(x for x, _ in spots), min(y for _, y in spots)
    columns = max(4, 1 + max(x for x, _ in spots) - left)
    rows = max(2, 1 + max(y for _, y in spots) - top)
    width = columns * _WIDE + 12
    lines = wrapped(heading, width - 20, 17, 2)
    above = 20 + 22 * len(lines)
    title = f"A map of the {len(rooms.rooms)} rooms visited"
    drawing = Drawing(width, above + rows * _TALL, title)
    for number, line in enumerate(lines):
        drawing.add(Text(10, 18 + 22 * number, line, 17, INK, "start", bold=True))
    middles = [
        ((x - left + 0.5) * _WIDE + 6, above + (y - top + 0.5) * _TALL)
        for x, y in spots
    ]
    for one, other in rooms.ways:
        drawing.add(Line(*middles[one], *middles[other], "#9aa5b1", 3))
    for number, (room, middle) in enumerate(zip(rooms.rooms, middles, strict=False)):
        here = number == rooms.here
        fill, ink = (PALETTE[0], PAPER) if here else ("#f5f7fa", INK)
        x, y = middle[0] - _BOX[0] / 2, middle[1] - _BOX[1] / 2
        drawing.add(Rect(x, y, *_BOX, fill, INK if here else "#9aa5b1", 6))
        names = wrapped(room.name or "?", _BOX[0] - 8, 16, 3)
        for row, text in enumerate(names):
            at = middle[1] + 18 * (row - (len(names) - 1) / 2)
            drawing.add(Text(middle[0], at, text, 16, ink, bold=here))
    if rooms.here < 0:
        drawing.add(Text(width / 2, above + 8, "where you are is unknown", 15, MUTED))
    return drawing
