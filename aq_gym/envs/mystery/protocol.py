"""The base class of generated stories and a user's puzzles."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, TypeVar

import numpy as np

from aq_gym.core.drawing import Drawing
from aq_gym.core.protocol import Protocol
from aq_gym.core.tasks import TaskSource

RULES = (
    "Solve a mystery. You are told how a story ended, and you find out what happened "
    "by asking questions that can be answered with yes or no, one at a time. I answer "
    "'Yes.', 'No.' or 'Irrelevant.'. When you know what happened, tell the story."
)
GOAL = "Find out by yes/no questions what happened, and tell the story."
SOLVED = "That is the whole story!"

Game = TypeVar("Game")
Action = TypeVar("Action")


class MysteryProtocol(Protocol[Game, Action]):
    """A source of stories, their texts, and the reading of actions.

    Attributes:
        tasks: The stories.
    """

    tasks: TaskSource[Any]

    @abstractmethod
    def opening(self, task: Any, instructions: bool) -> str:
        """Return the first observation, with or without an explanation of the task."""

    @abstractmethod
    def new_game(self, task: Any, state: Any = None) -> Game:
        """Return a game of a story; a state of None is the initial one."""

    @abstractmethod
    def sample(self, rng: np.random.Generator) -> str:
        """Draw a question or a telling."""

    @abstractmethod
    def expert_action(self, game: Game) -> str:
        """Return the most informative question, or the story."""

    @abstractmethod
    def secrets(self, game: Game) -> tuple[str, ...]:
        """Return the solution, until it has been told."""

    @abstractmethod
    def draw(self, game: Game) -> Drawing:
        """Return a picture of what the answers tell."""

    def secrets_left(self, game: Game) -> int | None:
        """Return how many stories fit the answers; None if they are not counted."""
        return None


def answer(verdict: str) -> str:
    """Write a verdict, "yes", "no" or "irrelevant", as an answer."""
    return f"{verdict.capitalize()}."
