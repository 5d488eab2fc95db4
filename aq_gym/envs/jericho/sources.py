"""The tasks of a story: one for each number of its random stream."""

from __future__ import annotations

import re
from functools import partial

import numpy as np

from aq_gym.core.splits import Split
from aq_gym.core.tasks import GeneratedTasks
from aq_gym.envs.jericho.game import Game

__all__ = ["story_tasks", "task_id"]

_SEEDS = 1_000_000


def story_tasks(game: Game, split: Split) -> GeneratedTasks[int]:
    """Return the tasks of a story, each the number of its random stream."""
    # They keep the story's name alone: a pickled env finds its story again.
    return GeneratedTasks(
        partial(_draw_id, game.name),
        partial(_seed_of, game.name, game.first_seed),
        f"{game.name}-N with N from {game.first_seed} to {_SEEDS - 1}",
        split,
        partial(task_id, game.name),
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
