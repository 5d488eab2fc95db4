"""The state of an episode: an instance, and what was done in it."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from aq_gym.envs.scienceworld.logic.goals import Goals
from aq_gym.envs.scienceworld.logic.instances import Instance

__all__ = ["Status", "World", "beginning", "followed"]


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
    """A moment of an episode, from which the engine can be brought there by replay.

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
