"""The words of Gymnasium's toy-text environments."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gymnasium as gym

from aq_gym.adapters.known import Words

_COMPASS = {"left": "west", "right": "east", "up": "north", "down": "south"}
_WALK = ("go", "step", "walk")


def _moves(directions: Iterable[str], also: dict[str, str]) -> dict[str, list[str]]:
    """Return "move left" and the like with their synonyms."""
    return {
        f"move {way}": [
            *(f"move {word}" for word in (also[way],)),
            *(f"{verb} {word}" for verb in _WALK for word in (way, also[way])),
            way,
            also[way],
        ]
        for way in directions
    }


def _place(row: int, column: int) -> str:
    return f"row {row + 1}, column {column + 1}"


def _grid(rows: Iterable[Iterable[str]]) -> str:
    return "\n".join(" ".join(row) for row in rows)


def _frozen_lake(observation: Any, env: gym.Env[Any, Any]) -> str:
    rows = [[cell.decode() for cell in row] for row in env.get_wrapper_attr("desc")]
    row, column = divmod(int(observation), len(rows[0]))
    ends = {"H": " You fell into the hole there.", "G": " You reached the goal."}
    end = ends.get(rows[row][column], "")
    rows[row][column] = "P"
    return f"You are at {_place(row, column)}.{end}\n{_grid(rows)}"


def _cliff_walking(observation: Any, env: gym.Env[Any, Any]) -> str:
    rows = [["."] * 12 for _ in range(4)]
    rows[3] = ["S", *"C" * 10, "G"]
    row, column = divmod(int(observation), 12)
    end = " You reached the goal." if rows[row][column] == "G" else ""
    rows[row][column] = "P"
    return f"You are at {_place(row, column)}.{end}\n{_grid(rows)}"


_PADS = ("Red (R)", "Green (G)", "Yellow (Y)", "Blue (B)")


def _taxi(observation: Any, env: gym.Env[Any, Any]) -> str:
    rest, destination = divmod(int(observation), 4)
    rest, passenger = divmod(rest, 5)
    row, column = divmod(rest, 5)
    lines = [[cell.decode() for cell in line] for line in env.get_wrapper_attr("desc")]
    lines[1 + row][1 + 2 * column] = "T"
    where = f"waits at {_PADS[passenger]}" if passenger < 4 else "is in the taxi"
    if passenger == destination:
        where = f"is at the destination, {_PADS[destination]}"
    map_ = "\n".join(map("".join, lines))
    return (
        f"The taxi is at {_place(row, column)}. The passenger {where}. "
        f"The destination is {_PADS[destination]}.\n{map_}"
    )


def _blackjack(observation: Any, env: gym.Env[Any, Any]) -> str:
    total, dealer, ace = map(int, observation)
    usable = "with" if ace else "without"
    return (
        f"Your cards add up to {total}, {usable} a usable ace. "
        f"The dealer shows {'an ace' if dealer == 1 else dealer}."
    )


FROZEN_LAKE = Words(
    "You (P) are on a frozen lake. Walk over the frozen cells (F) from the start (S) "
    "to the goal (G) and avoid the holes (H). The ice can be slippery: then you may "
    "slide to one side instead. Row 1 is at the top, column 1 on the left.",
    _moves(("left", "down", "right", "up"), _COMPASS),
    _frozen_lake,
)
CLIFF_WALKING = Words(
    "You (P) walk along a cliff. Go from the start (S) to the goal (G). A step onto "
    "the cliff (C) puts you back at the start. Row 1 is at the top, column 1 on the "
    "left.",
    _moves(("up", "right", "down", "left"), _COMPASS),
    _cliff_walking,
)
TAXI = Words(
    "You drive a taxi (T). Go to the passenger, pick up the passenger, drive to the "
    "destination and drop off the passenger there. In the map a | is a wall, a : is "
    "none. Row 1 is at the top (north), column 1 on the left (west).",
    {
        **_moves(
            ("south", "north", "east", "west"),
            {name: way for way, name in _COMPASS.items()},
        ),
        "pick up": ["pickup", "pick up passenger", "pick up the passenger"],
        "drop off": ["dropoff", "drop off passenger", "drop off the passenger"],
    },
    _taxi,
)
BLACKJACK = Words(
    "You play blackjack: get closer to 21 than the dealer, but not above it. An ace is "
    "usable if it counts as 11 without exceeding 21.",
    {"stick": ["stand", "stay", "hold"], "hit": ["draw", "take a card"]},
    _blackjack,
)
