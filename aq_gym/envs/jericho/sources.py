"""The tasks of a story: one for each number of its random stream."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import numpy as np

from aq_gym.core.splits import Split
from aq_gym.core.tasks import GeneratedTasks
from aq_gym.envs.jericho.game import Game

__all__ = ["story_tasks", "task_id"]

_SEEDS = 1_000_000
# With fewer layouts a fifth of them is one or none.
_FEWEST_LAYOUTS = 10
_TRIED = 60


def story_tasks(
    game: Game, split: Split, layout: Callable[[int], str]
) -> GeneratedTasks[int]:
    """Return the tasks of a story, each the number of its random stream.

    Many numbers make the same layout, which decides the split.

    Args:
        game: The story.
        split: "all", "train" or "test".
        layout: Returns a text that identifies the layout that a number makes.

    Raises:
        ValueError: If the story has too few layouts to be divided.
    """
    if split != "all":
        _check_layouts(game, split, layout)
    # They keep the story's name alone: a pickled env finds its story again.
    return GeneratedTasks(
        partial(_draw_id, game.name),
        partial(_seed_of, game.name, game.first_seed),
        f"{game.name}-N with N from {game.first_seed} to {_SEEDS - 1}",
        split,
        layout,
    )


def _check_layouts(game: Game, split: Split, layout: Callable[[int], str]) -> None:
    found: set[str] = set()
    for seed in range(game.first_seed, game.first_seed + _TRIED):
        found.add(layout(seed))
        if len(found) == _FEWEST_LAYOUTS:
            return
    raise ValueError(
        f"split={split!r}: {game.name} has {len(found)} layouts in {_TRIED} tasks, too "
        "few to be divided; use split='all'"
    )


def task_id(name: str, seed: int) -> str:
    """Return the id of a story's task."""
    return f"{name}-{seed}"


def _draw_id(name: str, rng: np.random.Generator) -> str:
    return task_id(name, int(rng.integers(1, _SEEDS)))


def _seed_of(name: str, first_seed: int, task_id: str) -> int | None:
    match = re.fullmatch(rf"{re.escape(name)}-(0|[1-9][0-9]{{0,5}})", task_id)
    if match is None or int(match.group(1)) < first_seed:
        return None
    return int(match.group(1))
