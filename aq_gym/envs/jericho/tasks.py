"""The tasks of a story: one for each number of its random stream."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import numpy as np

from aq_gym.core.splits import Split
from aq_gym.core.tasks import GeneratedTasks
from aq_gym.envs.jericho.games import Game

_SEEDS = 1_000_000
# With fewer layouts, a fifth of them would be one layout or none.
_FEWEST_LAYOUTS = 10
_TRIED = 60
# Fewer than one layout in ten, but more than one in a hundred has a short solution.
_DRAWN = 200


def story_tasks(
    game: Game,
    split: Split,
    layout: Callable[[int], str],
    longest: int | None = None,
    length: Callable[[int], int] = int,
) -> GeneratedTasks[int]:
    """Return the tasks of a story; a task is the number of its random stream.

    Many numbers make the same layout, which decides the split.

    Args:
        game: The story.
        split: "all", "train" or "test".
        layout: Returns a text that identifies the layout of a number.
        longest: The maximum number of commands in a layout's solution, or None.
        length: Returns the number of commands in the solution of a layout.

    Raises:
        ValueError: If the story has too few layouts to be divided, or ``longest`` is
            given and the story has no recorded solution.
    """
    if longest is not None and not game.walkthrough:
        raise ValueError(f"longest={longest}: {game.name} has no recorded solution")
    if split != "all":
        _check_layouts(game, split, layout)
    # The functions hold only the story's name, so that an env can be pickled; it finds
    # the story again by name.
    return GeneratedTasks(
        partial(_draw_id, game.name, longest, length),
        partial(_seed_of, game.name, game.first_seed, longest, length),
        f"{game.name}-N with N from {game.first_seed} to {_SEEDS - 1}"
        + (f" and a solution of {longest} commands" if longest else ""),
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


def _draw_id(
    name: str,
    longest: int | None,
    length: Callable[[int], int],
    rng: np.random.Generator,
) -> str:
    lengths = set()
    for _ in range(_DRAWN):
        seed = int(rng.integers(1, _SEEDS))
        if longest is None or length(seed) <= longest:
            return task_id(name, seed)
        lengths.add(length(seed))
    raise ValueError(
        f"longest={longest}: the solutions of {name} have {min(lengths)} to "
        f"{max(lengths)} commands"
    )


def _seed_of(
    name: str,
    first_seed: int,
    longest: int | None,
    length: Callable[[int], int],
    task_id: str,
) -> int | None:
    match = re.fullmatch(rf"{re.escape(name)}-(0|[1-9][0-9]{{0,5}})", task_id)
    if match is None or int(match.group(1)) < first_seed:
        return None
    seed = int(match.group(1))
    return seed if longest is None or length(seed) <= longest else None
