"""The native engine: one game being played."""

from __future__ import annotations

from typing import Any, Protocol

from aq_gym.envs.alfworld import text
from aq_gym.envs.alfworld.expert import next_command
from aq_gym.envs.alfworld.logic.house import House, State
from aq_gym.envs.alfworld.logic.rules import apply
from aq_gym.envs.alfworld.official import Game

__all__ = ["Engine", "NativeEngine"]


class Engine(Protocol):
    """What plays a game: the native engine, or the reference one.

    Attributes:
        house: The household.
        words: The game's phrases.
        state: The present moment.
    """

    house: House
    words: text.Words
    state: State

    def opening(self) -> str:
        """Return what the engine says first."""

    def commands(self) -> tuple[str, ...]:
        """Return the commands that can be carried out now, sorted."""

    def step(self, command: str) -> str | None:
        """Carry out a command and answer it; None if it can't be carried out."""

    def expert(self) -> str | None:
        """Return the first command of a shortest plan, None where there is none."""

    def save(self) -> Any:
        """Return all there is to know about the game so far, as a small value."""

    def restore(self, saved: Any) -> None:
        """Go on from what ``save`` returned in the same game."""


class NativeEngine:
    """Plays a game by the rules in ``logic``.

    Args:
        game: The game.
    """

    def __init__(self, game: Game) -> None:
        self.house, self.words = game
        self.state = self.house.start

    def opening(self) -> str:
        """Return what the engine says first."""
        return text.opening(self.house, self.words)

    def commands(self) -> tuple[str, ...]:
        """Return the commands that can be carried out now, sorted."""
        return tuple(sorted(text.commands(self.house, self.words, self.state)))

    def step(self, command: str) -> str | None:
        """Carry out a command and answer it; None if it can't be carried out."""
        action = text.commands(self.house, self.words, self.state).get(command)
        if action is None:
            return None
        self.state = apply(self.house, self.state, action)
        return text.answer(self.house, self.words, self.state, action)

    def expert(self) -> str | None:
        """Return the first command of a shortest plan, None where there is none."""
        return next_command(self.house, self.words, self.state)

    def save(self) -> State:
        """Return the present moment."""
        return self.state

    def restore(self, saved: State) -> None:
        """Go on from a moment in the same house."""
        self.state = saved
