"""The engine."""

from __future__ import annotations

from copy import copy
from typing import Any

from aq_gym.envs.alfworld import text
from aq_gym.envs.alfworld.actions import find_action
from aq_gym.envs.alfworld.expert import next_command
from aq_gym.envs.alfworld.logic.distance import Distance
from aq_gym.envs.alfworld.logic.goal import LOOK
from aq_gym.envs.alfworld.logic.house import State
from aq_gym.envs.alfworld.logic.rules import apply, solved
from aq_gym.envs.alfworld.official import HouseholdGame

__all__ = ["Engine"]

# The objects that are clean, hot and cool, in a state.
_MARKS = slice(6, 9)


class Engine:
    """Plays a game with the rules in ``logic``.

    Args:
        game: The game.

    Attributes:
        house: The household.
        words: The phrases in which games differ.
        state: The current state.
        is_plain: Whether normalizing a command of the game does not change it.
    """

    def __init__(self, game: HouseholdGame) -> None:
        self.house, self.words = game
        self.state = self.house.start
        self._distance = Distance(self.house)
        # The state of the last answer of ``solved``, and that answer.
        self._judged: State | None = None
        self._is_to_look = self.house.goal.task_type == LOOK
        self._is_solved = False

    def __deepcopy__(self, memo: dict[int, Any]) -> Engine:
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
        state, judged = self.state, self._judged
        if state is not judged:
            # In light, the location counts; else mostly nothing has changed.
            if self._is_to_look or judged is None or _may_differ(judged, state):
                self._is_solved = solved(self.house, state)
            self._judged = state
        return self._is_solved

    def expert(self) -> str | None:
        """Return the first command of a shortest plan, or None without a plan."""
        return next_command(self.house, self.words, self.state)

    def remaining(self) -> int | None:
        """Return the length of a shortest plan, or None without a plan."""
        state = self.state
        # Mostly it has been called before in this state.
        is_solved = self._is_solved if state is self._judged else self.solved()
        return 0 if is_solved else self._distance.remaining(state)

    def save(self) -> State:
        """Return the current state."""
        return self.state

    def restore(self, saved: State) -> None:
        """Restore a state of the same house."""
        self.state = saved


def _may_differ(one: State, other: State) -> bool:
    """Return whether a goal to place objects may hold in one of two states only."""
    if one.contents is not other.contents:
        return True
    return one[_MARKS] != other[_MARKS]
