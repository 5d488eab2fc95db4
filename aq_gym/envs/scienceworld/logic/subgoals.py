"""The goals that count as subgoals."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from aq_gym.envs.scienceworld.logic.goals import Goals
from aq_gym.envs.scienceworld.logic.world import Status

__all__ = ["counted_names", "reached"]


def counted_names(task: str, goals: Goals) -> tuple[str, ...]:
    """Return the names of the goals that count as subgoals of an instance.

    These are the sequential ones, and those of the optional ones that every measured
    solution of the task reaches, without those that hold at the start.
    """
    unneeded = _unneeded()[task]
    optional = tuple(
        goal.name
        for goal in goals.optional
        if not goal.reached and goal.name not in unneeded
    )
    return (*(goal.name for goal in goals.sequential), *optional)


def reached(names: tuple[str, ...], status: Status) -> dict[str, bool]:
    """Return for each of the subgoals whether it has been reached.

    A solution that did without an optional one has reached it; a failed task has not
    reached the last sequential one.

    Args:
        names: The names of the subgoals.
        status: The engine's report.
    """
    sequential, optional = status.goals
    goals = {goal.name: goal.reached for goal in (*sequential, *optional)}
    if status.failed:
        goals[sequential[-1].name] = False
    return {name: status.solved or goals[name] for name in names}


@cache
def _unneeded() -> dict[str, list[str]]:
    """Return for each task the optional goals that do not count."""
    package = files("aq_gym.envs.scienceworld")
    text = package.joinpath("data/unneeded.json").read_text("utf-8")
    tasks: dict[str, list[str]] = json.loads(text)["tasks"]
    return tasks
