"""Parse a text as a move."""

from __future__ import annotations

import re

from aq_gym.core.text import normalize
from aq_gym.envs.game2048.logic.board import Direction

_NAMES: dict[str, Direction] = {
    "up": "up",
    "down": "down",
    "left": "left",
    "right": "right",
    "w": "up",
    "s": "down",
    "a": "left",
    "d": "right",
}
_MOVE = re.compile(
    r"(?:(?:move|slide|swipe|push|shift|press|go|direction)\b[ :=]*)?"
    r"(?:(?:the |all |all the )?tiles )?(?:to the )?"
    rf"[\"'`(\[*]*({'|'.join(_NAMES)})(?:wards?)?[\"'`)\]*.!]*"
)


def read(action: str) -> Direction | None:
    """Read a move: ``up``, ``w``, ``Move: up``, ``slide the tiles up`` and the like."""
    direction = _NAMES.get(action)
    if direction is None:
        match = _MOVE.fullmatch(normalize(action))
        direction = _NAMES[match[1]] if match else None
    return direction
