"""Words for environments: how to find them, and the words for Gymnasium's toy text."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium as gym
from gymnasium import spaces

from aq_gym.adapters.actions import Named


@dataclass(frozen=True)
class Words:
    """The words of an environment.

    Attributes:
        introduction: The task.
        actions: The names of the actions in the order of their numbers, each with its
            synonyms.
        observe: Returns the text of an observation of an environment.
    """

    introduction: str
    actions: Mapping[str, Sequence[str]]
    observe: Callable[[Any, gym.Env[Any, Any]], str]


def named(words: Words, space: spaces.Discrete) -> Named:
    """Return the format of named actions; their numbers are understood too."""
    actions, synonyms = {}, {}
    for number, (name, others) in enumerate(words.actions.items(), int(space.start)):
        actions[name] = number
        synonyms.update(dict.fromkeys((*others, str(number)), number))
    return Named(actions, synonyms)


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


_TOY_TEXT = {
    "gymnasium.envs.toy_text.frozen_lake:FrozenLakeEnv": FROZEN_LAKE,
    "gymnasium.envs.toy_text.taxi:TaxiEnv": TAXI,
    "gymnasium.envs.toy_text.cliffwalking:CliffWalkingEnv": CLIFF_WALKING,
    "gymnasium.envs.toy_text.blackjack:BlackjackEnv": BLACKJACK,
}
_MINIGRID = "minigrid.minigrid_env:MiniGridEnv"


def words_of(env: gym.Env[Any, Any]) -> Words | None:
    """Return the words of an environment, or None if it has none.

    Args:
        env: The environment. If a wrapper changes its observations or actions, it has
            no words, because their meaning may have changed.
    """
    layer = env
    while isinstance(layer, gym.Wrapper):
        if isinstance(layer, gym.ObservationWrapper | gym.ActionWrapper):
            return None
        layer = layer.env
    for cls in type(layer).__mro__:
        name = f"{cls.__module__}:{cls.__qualname__}"
        words = _minigrid() if name == _MINIGRID else _TOY_TEXT.get(name)
        if words and len(words.actions) == getattr(env.action_space, "n", None):
            return words
    return None


def _minigrid() -> Words:
    # Imported here, because the module imports MiniGrid, which may be missing.
    words: Words = importlib.import_module("aq_gym.adapters.minigrid").MINIGRID
    return words
