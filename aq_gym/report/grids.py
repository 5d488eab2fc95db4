"""Boards and grids that an environment's class reads from its observations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium as gym
from gymnasium.envs.registration import load_env_creator

Grid = list[list[str]]
_MOST_CELLS = 10_000
_LONGEST = 40


def grid_of(env: str) -> Callable[[object], Grid | None]:
    """Return the function that reads an environment's grid, or None.

    An environment's class may offer ``grid(observation: str) -> list[list[str]] |
    None`` as a static or class method. Only the class of an id that is registered
    already is imported: a name in a file never causes an import.

    Args:
        env: The environment's id, with or without its module.
    """
    draw = _drawer(env.rpartition(":")[2])

    def grid(observation: object) -> Grid | None:
        if draw is None or not isinstance(observation, str):
            return None
        return _checked(draw(observation), env)

    return grid


def _drawer(name: str) -> Callable[[str], Any] | None:
    spec = gym.registry.get(name)
    creator: Any = spec.entry_point if spec is not None else None
    if isinstance(creator, str):
        try:
            creator = load_env_creator(creator)
        except (ImportError, AttributeError):
            # The engine is not installed here: the report has no grids.
            return None
    draw = getattr(creator, "grid", None)
    return draw if callable(draw) else None


def _checked(rows: Any, env: str) -> Grid | None:
    if rows is None:
        return None
    if not all(isinstance(cell, str) for row in rows for cell in row):
        raise TypeError(f"grid() of {env} must return a list of lists of str")
    if sum(map(len, rows)) > _MOST_CELLS:
        return None
    return [[cell[:_LONGEST] for cell in row] for row in rows]
