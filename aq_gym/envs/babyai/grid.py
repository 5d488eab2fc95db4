"""The view as a grid, read from an observation."""

from __future__ import annotations

import re

from aq_gym.envs.babyai.logic.view import SIZE

_AGENT = "▲"
_MIDDLE = SIZE // 2
# "a red ball 1 2 steps in front of you and 1 steps to your left." and the others.
_AGENTBOARD = re.compile(
    r"There is a ([a-z ]{3,30} \d{1,3}) (?:right in front of you (\d) steps away"
    r"|(\d) steps in front of you and (\d) steps to your (left|right))\."
)
_FACING = re.compile(r"You are facing a (wall|box) (\d) steps away\.")
_BALROG = re.compile(
    r"^a ([a-z ]{3,30}?) (?:(\d) steps? (left|right))?(?: and )?"
    r"(?:(\d) steps? forward)?$",
    re.MULTILINE,
)


def grid(observation: str) -> list[list[str]] | None:
    """Return the view in an observation as rows of cells, farthest first.

    The agent stands in the middle of the last row and looks up. A cell that the
    observation does not mention is empty.

    Args:
        observation: Any text.

    Returns:
        The grid, None if the text describes none.
    """
    grid = [[""] * SIZE for _ in range(SIZE)]
    found = [_agentboard(match) for match in _AGENTBOARD.finditer(observation)]
    found += [(m[1], int(m[2]), 0) for m in _FACING.finditer(observation)]
    if not found:
        found = [_balrog(match) for match in _BALROG.finditer(observation)]
    for name, ahead, right in found:
        row, column = SIZE - 1 - ahead, _MIDDLE + right
        # Of two things on one cell, the first has the nearer and fuller name.
        if 0 <= row < SIZE and 0 <= column < SIZE and not grid[row][column]:
            grid[row][column] = name
    if not found:
        return None
    grid[-1][_MIDDLE] = _AGENT
    return grid


def _agentboard(match: re.Match[str]) -> tuple[str, int, int]:
    name, straight, ahead, aside, hand = match.groups()
    if straight is not None:
        return name, int(straight), 0
    return name, int(ahead), int(aside) * (1 if hand == "right" else -1)


def _balrog(match: re.Match[str]) -> tuple[str, int, int]:
    name, aside, hand, ahead = match.groups()
    return name, int(ahead or 0), int(aside or 0) * (1 if hand == "right" else -1)
