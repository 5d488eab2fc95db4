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
    rows = -(-count // columns)
    tall = max(50.0, min(76.0, 400 / rows - _GAP))
    title = f"A household, {len(known)} of {count} receptacles seen"
    drawing = Drawing(_WIDTH, 64 + rows * (tall + _GAP), title)
    drawing.add(Text(10, 18, fitted(task, 620, 18), 18, INK, "start", bold=True))
    held = "nothing"
    if state.held != NOTHING:
        view = object_view(house, state, state.held)
        hidden = not view.startswith("This is a ") or " normal " in view
        held = house.object_names[state.held] if hidden else view[10:-1]
    drawing.add(Text(10, 42, fitted(f"holds: {held}", 620, 16), 16, anchor="start"))
    here = house.nearby[state.location]
    for number, name in enumerate(house.receptacle_names):
        row, column = divmod(number, columns)
        x = _GAP + column * (wide + _GAP)
        y = 60 + row * (tall + _GAP)
        inside = state.contents[number]
        # The agent knows whether it is closed if it is there or knows the contents.
        is_known = number in known or number in here
        closed = is_known and number in house.openable and number not in state.opened
        fill = _HERE if number in here else PAPER if number in known else _UNKNOWN
        edge = PALETTE[0] if number in here else "#9aa5b1"
        drawing.add(Rect(x, y, wide, tall, fill, edge, 4))
        size = max(11, min(16, (wide - 27) / (ADVANCE * len(name))))
        label = fitted(name, wide - 26, size)
        drawing.add(Text(x + 7, y + 12, label, size, INK, "start", bold=True))
        if number in here:
            drawing.add(Circle(x + wide - 10, y + 11, 5, PALETTE[0]))
        if number not in known:
            unknown = "closed, ?" if closed else "?"
            drawing.add(Text(x + wide / 2, y + tall * 0.62, unknown, 16, MUTED))
            continue
        things = ", ".join(house.object_names[thing] for thing in sorted(inside))
        things = f"(closed) {things or 'empty'}" if closed else things
        lines = wrapped(things or "empty", wide - 10, 14, int((tall - 20) // 16))
        for line, part in enumerate(lines):
            ink = INK if things else MUTED
            drawing.add(Text(x + 7, y + 30 + 16 * line, part, 14, ink, "start"))
    return drawing
