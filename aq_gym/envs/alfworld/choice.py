"""Which games the environment's arguments ask for."""

from __future__ import annotations

from collections.abc import Sequence

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


def choose_source(
    split: str, task_type: str | Sequence[str] | None, game: str | int | None
) -> Source:
    """Return what games are drawn from.

    Args:
        split: As given to the environment; its default counts as not given.
        task_type: As given to the environment.
        game: As given to the environment, a path as text.

    Raises:
        ValueError: If an argument is none of those allowed, or two contradict each
            other.
        FileNotFoundError: If the games are not there.
    """
    if split not in (*GENERATED, *OFFICIAL):
        raise ValueError(
            f"split={split!r}: choose one of {', '.join((*GENERATED, *OFFICIAL))}"
        )
    types = _task_types(task_type)
    if isinstance(game, str):
        return _one_game(split, task_type, game)
    if split in OFFICIAL:
        return official_games(split, types, game)
    if game is not None:
        raise ValueError(
            f"game={game} needs an official split, not split={split!r}: choose one of "
            f"{', '.join(OFFICIAL)}"
        )
    return Generated(split, types)


def _task_types(task_type: str | Sequence[str] | None) -> Sequence[str]:
    if task_type is None:
        return TASK_TYPES
    types = [task_type] if isinstance(task_type, str) else task_type
    if not types or not set(types) <= set(TASK_TYPES):
        raise ValueError(
            f"task_type={task_type!r}: choose from {', '.join(TASK_TYPES)}"
        )
    return types


def _one_game(split: str, task_type: str | Sequence[str] | None, game: str) -> Source:
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
