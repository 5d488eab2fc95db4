"""MiniGrid's environments in words: the partial view in AgentBoard's sentences."""

from __future__ import annotations

from collections import Counter
from typing import Any

import gymnasium as gym
import numpy as np
from minigrid.core.constants import IDX_TO_COLOR, IDX_TO_OBJECT, OBJECT_TO_IDX
from numpy.typing import NDArray

from aq_gym.adapters.words import Words

_THINGS = frozenset({"door", "key", "ball", "box", "goal", "lava"})
_WALL = OBJECT_TO_IDX["wall"]
_FIRST_THING = OBJECT_TO_IDX["door"]
_DOOR_STATES = ("open", "closed", "locked")


def _observe(observation: Any, env: gym.Env[Any, Any]) -> str:
    image = np.asarray(observation["image"])
    return f"Your mission: {observation['mission']}\n{_sentences(image)}"


def _sentences(image: NDArray[Any]) -> str:
    """Describe a view; in cell [x, y], x counts from the left and y from the far end.

    Objects of the same name are numbered, nearest first; at the same distance, far rows
    come first, each from left to right. The wording, with its double spaces, is
    AgentBoard's.
    """
    counts: Counter[str] = Counter()
    text = ""
    for ahead, right, name in _things(image):
        counts[name] += 1
        text += f"There is a {name} {counts[name]} {_where(ahead, right)} "
    if text:
        text = f"In front of you in this room, you can see several objects: {text}"
    elif not _visible(image):
        text = "You cannot see any objects within sight."
    else:
        text = "In front of you in this room, you can see several objects: "
    return f"{text}The room has walls around you. {_facing(image)}{_load(image)}"


def _things(image: NDArray[Any]) -> list[tuple[int, int, str]]:
    """Return the steps ahead and to the right, and the name, of each visible thing."""
    width, height, _ = image.shape
    found = []
    for x, y in np.argwhere(image[..., 0] >= _FIRST_THING).tolist():
        ahead, right = height - 1 - y, x - width // 2
        name = _name(image[x, y])
        if name and (ahead or right):
            found.append((ahead, right, name))
    return sorted(found, key=lambda item: (item[0] + abs(item[1]), -item[0], item[1]))


def _visible(image: NDArray[Any]) -> bool:
    """Return whether a wall or a thing is visible."""
    return bool((image[..., 0] >= _WALL).any())


def _name(cell: NDArray[Any]) -> str:
    kind, color, state = map(int, cell)
    name = IDX_TO_OBJECT[kind]
    if name not in _THINGS:
        return ""
    if name == "lava":
        return "lava"
    door = f"{_DOOR_STATES[state]} " if name == "door" else ""
    return f"{IDX_TO_COLOR[color]} {door}{name}"


def _where(ahead: int, right: int) -> str:
    if right == 0:
        return f"right in front of you {ahead} steps away. "
    hand = "right" if right > 0 else "left"
    return f"{ahead} steps in front of you and {abs(right)} steps to your {hand}. "


def _facing(image: NDArray[Any]) -> str:
    """Describe the nearest wall or box straight ahead; other things do not count."""
    width, height, _ = image.shape
    for ahead in range(1, height):
        kind = IDX_TO_OBJECT[int(image[width // 2, height - 1 - ahead, 0])]
        if kind in ("wall", "box"):
            return f"You are facing a {kind} {ahead} steps away. "
    return ""


def _load(image: NDArray[Any]) -> str:
    # MiniGrid shows what the agent carries in the agent's own cell.
    width, height, _ = image.shape
    name = _name(image[width // 2, height - 1])
    return f"You are carrying a {name}." if name else "You are not carrying anything."


MINIGRID = Words(
    "You are in a world of rooms on a grid and have a mission. You see what lies ahead "
    "of you and to either side, but not through walls and shut doors. You can carry "
    "one object at a time. Pick up takes the object right in front of you, drop puts "
    "down what you carry there, and toggle opens or closes the door or opens the box "
    "there.",
    {
        "turn left": ["left", "rotate left"],
        "turn right": ["right", "rotate right"],
        "move forward": ["forward", "go forward", "step forward", "walk forward"],
        "pick up": ["pickup", "pick it up"],
        "drop": ["drop it", "put down", "put it down"],
        "toggle": ["open", "toggle it"],
        "done": ["finish"],
    },
    _observe,
)
