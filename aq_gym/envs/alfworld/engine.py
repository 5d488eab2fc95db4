"""The interface of engines, and the native engine."""

from __future__ import annotations

from copy import copy
from typing import Any, Protocol

from aq_gym.envs.alfworld import text
from aq_gym.envs.alfworld.expert import next_command
from aq_gym.envs.alfworld.logic.distance import Distance
from aq_gym.envs.alfworld.logic.goal import LOOK
from aq_gym.envs.alfworld.logic.house import House, State
from aq_gym.envs.alfworld.logic.rules import apply, solved
from aq_gym.envs.alfworld.official import HouseholdGame
from aq_gym.envs.alfworld.parsing import find_action

__all__ = ["Engine", "NativeEngine"]


class Engine(Protocol):
    """An engine that plays one game.

    Attributes:
        house: The household.
        words: The phrases in which games differ.
        state: The current state.
        is_plain: Whether normalizing a command of the game does not change it.
    """

    house: House
    words: text.Words
    state: State

    @property
    def is_plain(self) -> bool:
        """Whether normalizing a command of the game does not change it."""

    def opening(self) -> str:
        """Return the engine's first output."""

    def commands(self) -> tuple[str, ...]:
        """Return the valid commands, sorted."""

    def step(self, command: str) -> str | None:
        """Carry out a command and return the answer; None for an invalid one."""

    def solved(self) -> bool:
        """Return whether the goal holds."""

    def expert(self) -> str | None:
        """Return the first command of a shortest plan, or None without a plan."""

    def remaining(self) -> int | None:
        """Return the length of a shortest plan, or None without a plan."""

    def save(self) -> Any:
        """Return the state of the game as a small picklable value."""

    def restore(self, saved: Any) -> None:
        """Restore a value that ``save`` returned in the same game."""


class NativeEngine:
    """Plays a game with the rules in ``logic``.

    Args:
        game: The game.
    """

    def __init__(self, game: HouseholdGame) -> None:
        self.house, self.words = game
        self.state = self.house.start
        self.is_plain = self.house.plain_names and self.words.put == text.MOVE
        self._distance = Distance(self.house)
        # The state of the last answer of ``solved``, and that answer.
        self._judged: tuple[State | None, bool] = (None, False)

    def __deepcopy__(self, memo: dict[int, Any]) -> NativeEngine:
        """Return an engine with the same values, none of which ever changes."""
        return copy(self)

    def opening(self) -> str:
        """Return the engine's first output."""
        return text.opening(self.house, self.words)

    def commands(self) -> tuple[str, ...]:
        """Return the valid commands, sorted."""
        return tuple(sorted(text.commands(self.house, self.words, self.state)))

    def step(self, command: str) -> str | None:
        """Carry out a command and return the answer; None for an invalid one."""
        action = find_action(self.house, self.words, self.state, command)
        if action is None:
            return None
        self.state = apply(self.house, self.state, action)
        return text.answer(self.house, self.words, self.state, action)

    def solved(self) -> bool:
        """Return whether the goal holds."""
        state, (judged, answer) = self.state, self._judged
        if judged is state:
            return answer
        if judged is None or not _equally_solved(self.house, judged, state):
            answer = solved(self.house, state)
        self._judged = state, answer
        return answer

    def expert(self) -> str | None:
        """Return the first command of a shortest plan, or None without a plan."""
        return next_command(self.house, self.words, self.state)

    def remaining(self) -> int | None:
        """Return the length of a shortest plan, or None without a plan."""
        if self.solved():
            return 0
        return self._distance.remaining(self.state)

    def save(self) -> State:
        """Return the current state."""
        return self.state

    def restore(self, saved: State) -> None:
        """Restore a state of the same house."""
        self.state = saved


def _equally_solved(house: House, one: State, other: State) -> bool:
    """Return whether two states can't differ in whether the goal holds."""
    if house.goal.task_type == LOOK or one.contents is not other.contents:
        return False
    marks = one.clean, one.hot, one.cool
    return marks == (other.clean, other.hot, other.cool)
