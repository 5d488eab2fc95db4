"""The reference policy: ScienceWorld's own solution."""

from __future__ import annotations

from functools import lru_cache

from aq_gym.envs.scienceworld.engine import POOL
from aq_gym.envs.scienceworld.tasks import Instance


@lru_cache(maxsize=1_000)
def gold_path(instance: Instance) -> tuple[str, ...]:
    """Return ScienceWorld's own solution of an instance.

    ScienceWorld plays the instance to find it, which takes 0.2 to 30 seconds.

    Raises:
        EngineError: If ScienceWorld fails.
    """
    with POOL.anywhere() as engine:
        return engine.gold(instance)


def next_action(path: tuple[str, ...], done: tuple[str, ...]) -> str | None:
    """Return the first action of a path that was not taken yet, or None at its end.

    Args:
        path: The actions of a solution.
        done: The actions so far; actions outside the path are ignored.
    """
    position = 0
    for action in done:
        if position < len(path) and action == path[position]:
            position += 1
    return path[position] if position < len(path) else None
