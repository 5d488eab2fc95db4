"""Which games the environment's arguments ask for."""

from __future__ import annotations

from aq_gym.envs.alfworld.logic.goal import TASK_TYPES
from aq_gym.envs.alfworld.sources import (
    GENERATED,
    OFFICIAL,
    Generated,
    Source,
    official_games,
    one_game,
)

__all__ = ["choose_source"]

_SPLITS = (*GENERATED, *OFFICIAL)


def choose_source(split: object, task_type: object, game: object) -> Source:
    """Check the three arguments and return what games are drawn from.

    Args:
        split: As given to the environment; its default counts as not given.
        task_type: As given to the environment.
        game: As given to the environment, a path as text.

    Raises:
        TypeError: If an argument is of another type.
        ValueError: If it is none of those allowed, or two contradict each other.
        FileNotFoundError: If the games are not there.
    """
    if not isinstance(split, str):
        raise TypeError(f"split={split!r} must be text: one of {', '.join(_SPLITS)}")
    if split not in _SPLITS:
        raise ValueError(f"split={split!r}: choose one of {', '.join(_SPLITS)}")
    types = _task_types(task_type)
    if isinstance(game, str):
        return _one_game(split, task_type, game)
    if isinstance(game, bool) or not isinstance(game, int | None):
        raise TypeError(
            f"game={game!r} must be the path of a game file, the number of a game in "
            "an official split, or None"
        )
    if split in OFFICIAL:
        return official_games(split, types, game)
    if game is not None:
        raise ValueError(
            f"game={game} needs an official split, not split={split!r}: choose one of "
            f"{', '.join(OFFICIAL)}"
        )
    return Generated(split, types)


def _task_types(task_type: object) -> tuple[str, ...]:
    if task_type is None:
        return TASK_TYPES
    types = [task_type] if isinstance(task_type, str) else task_type
    if not isinstance(types, list | tuple):
        raise TypeError(
            f"task_type={task_type!r} must be None, one of {', '.join(TASK_TYPES)}, or "
            "a list of them"
        )
    if not types or any(kind not in TASK_TYPES for kind in types):
        raise ValueError(
            f"task_type={task_type!r}: choose from {', '.join(TASK_TYPES)}"
        )
    return tuple(types)


def _one_game(split: str, task_type: object, game: str) -> Source:
    """Take one file, which is of no split and has a type of its own."""
    given = []
    if split != "generated":
        given.append(f"split={split!r}")
    if task_type is not None:
        given.append(f"task_type={task_type!r}")
    if given:
        raise ValueError(
            f"game={game!r} is one file, so {' and '.join(given)} can't be meant: "
            "leave it out, or give game= the number of a game in an official split"
        )
    return one_game(game)
