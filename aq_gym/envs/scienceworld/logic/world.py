"""The state of an episode: an instance, and what was done in it."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from aq_gym.envs.scienceworld.logic.goals import Goals
from aq_gym.envs.scienceworld.logic.instances import Instance


class Status(NamedTuple):
    """The engine's report after an action.

    Attributes:
        observation: The answer.
        score: ScienceWorld's score, 0.0 to 1.0, or -1.0 if the task is failed.
        completed: Whether all sequential goals are reached.
        choices: The number of meanings that the last action can have, of which one is
            to be chosen by its number; 0 if it was clear.
        location: The name of the place where the agent is.
        goals: The goals.
    """

    observation: str
    score: float
    completed: bool
    choices: int
    location: str
    goals: Goals

    @property
    def failed(self) -> bool:
        """Whether the task can no longer be solved."""
        return self.score < 0.0

    @property
    def solved(self) -> bool:
        """Whether the task is solved."""
        return self.completed and not self.failed


class World(NamedTuple):
    """A moment of an episode, which the engine can reach by replay.

    Attributes:
        instance: The task and its variation.
        actions: What was done, as the engine received it.
        trace: A digest of all answers of the engine so far.
        status: The engine's last report.
    """

    instance: Instance
    actions: tuple[str, ...]
    trace: str
    status: Status


def beginning(instance: Instance, status: Status) -> World:
    """Return the world before the first action.

    Args:
        instance: The task and its variation.
        status: The engine's report.
    """
    return World(instance, (), _digest("", status), status)


def followed(world: World, action: str, status: Status) -> World:
    """Return the world after an action.

    Args:
        world: The world before it.
        action: The action, as the engine received it.
        status: The engine's report on it.
    """
    trace = _digest(world.trace, status)
    return World(world.instance, (*world.actions, action), trace, status)


def _digest(trace: str, status: Status) -> str:
    text = f"{trace}\n{status!r}"
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


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
