"""A picture of a household: every receptacle, with the contents that were seen."""

from __future__ import annotations

from aq_gym.core.drawing import (
    ADVANCE,
    INK,
    MUTED,
    PALETTE,
    PAPER,
    Circle,
    Drawing,
    Rect,
    Text,
    fitted,
    wrapped,
)
from aq_gym.envs.alfworld.logic.house import NOTHING, House, State
from aq_gym.envs.alfworld.text import object_view

_WIDTH = 640
_GAP = 6
_HERE = "#e3f0fb"
_UNKNOWN = "#e4e7eb"
# The most lines of contents of a place elsewhere, and here.
_MOST = (4, 12)
# The text between the name of a receptacle and the list of its contents.
_LISTS = (", you see", " is open. In it, you see")


def seen(
    house: House, state: State, before: frozenset[int], observation: str
) -> frozenset[int]:
    """Return the receptacles whose contents the agent knows.

    These are the receptacles whose contents an observation has listed. The contents
    stay known, because only the agent changes them.

    Args:
        house: The household.
        state: The state after the observation.
        before: The receptacles known before.
        observation: The observation after the action.
    """
    new = [
        one
        for one in house.nearby[state.location]
        if one not in before
        and any(f"{house.receptacle_names[one]}{end}" in observation for end in _LISTS)
    ]
    return before.union(new) if new else before


def draw(house: House, state: State, known: frozenset[int], task: str) -> Drawing:
    """Return the picture: the agent's place, the held object, and the receptacles.

    Args:
        house: The household.
        state: The current state.
        known: The receptacles whose contents the agent has seen.
        task: The task in words.
    """
    count = len(house.receptacle_names)
    columns = 3 if count <= 12 else 4
    wide = (_WIDTH - _GAP) / columns - _GAP
    title = f"A household, {len(known)} of {count} receptacles seen"
    drawing = Drawing(_WIDTH, 0, title)
    drawing.add(Text(10, 18, fitted(task, 620, 18), 18, INK, "start", bold=True))
    held = "nothing"
    if state.held != NOTHING:
        view = object_view(house, state, state.held)
        hidden = not view.startswith("This is a ") or " normal " in view
        held = house.object_names[state.held] if hidden else view[10:-1]
    drawing.add(Text(10, 42, fitted(f"holds: {held}", 620, 16), 16, anchor="start"))
    here = house.nearby[state.location]
    y = 60.0
    for first in range(0, count, columns):
        row = range(count)[first : first + columns]
        # All that is here is shown, and of other places as much as fits.
        inside = {
            n: wrapped(_inside(house, state, n, known), wide - 10, 14, _MOST[n in here])
            for n in row
            if n in known or n in here
        }
        tall = 24 + 16 * max(map(len, inside.values()), default=0)
        for column, number in enumerate(row):
            x = _GAP + column * (wide + _GAP)
            name = house.receptacle_names[number]
            fill = _HERE if number in here else PAPER if number in known else _UNKNOWN
            edge = PALETTE[0] if number in here else "#9aa5b1"
            drawing.add(Rect(x, y, wide, tall, fill, edge, 4))
            size = max(11, min(16, (wide - 27) / (ADVANCE * len(name))))
            label = fitted(name, wide - 26, size)
            drawing.add(Text(x + 7, y + 12, label, size, INK, "start", bold=True))
            if number in here:
                drawing.add(Circle(x + wide - 10, y + 11, 5, PALETTE[0]))
            elif number not in known:
                drawing.add(Text(x + wide - 10, y + 12, "?", 16, MUTED))
            for line, part in enumerate(inside.get(number, ())):
                ink = INK if state.contents[number] and number in known else MUTED
                drawing.add(Text(x + 7, y + 29 + 16 * line, part, 14, ink, "start"))
        y += tall + _GAP
    drawing.fit()
    return drawing


def _inside(house: House, state: State, number: int, known: frozenset[int]) -> str:
    """Return what the agent knows of a place's contents, if it knows it or is there."""
    closed = number in house.openable and number not in state.opened
    if number not in known:
        return "closed, ?" if closed else "?"
    things = (house.object_names[thing] for thing in sorted(state.contents[number]))
    return "(closed) " * closed + (", ".join(things) or "empty")
