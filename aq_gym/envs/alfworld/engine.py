"""The engine."""

from __future__ import annotations

from copy import copy
from typing import Any

from aq_gym.envs.alfworld import text
from aq_gym.envs.alfworld.expert import next_command
from aq_gym.envs.alfworld.logic.house import State
from aq_gym.envs.alfworld.logic.plan import plan, planned
from aq_gym.envs.alfworld.logic.rules import Action, apply, solved
from aq_gym.envs.alfworld.official import HouseholdGame

# The plans that an engine remembers: more than the states of an episode.
_MOST_PLANS = 512


class Engine:
    """Plays a game with the rules in ``logic``.

    Args:
        game: The game.

    Attributes:
        house: The household.
        words: The phrases in which games differ.
        state: The current state.
    """

    def __init__(self, game: HouseholdGame) -> None:
        self.house, self.words = game
        self.state = self.house.start
        self._plans: dict[State, tuple[Action, ...] | None] = {}

    def __deepcopy__(self, memo: dict[int, Any]) -> Engine:
        """Return an engine with the same values, which are immutable or a cache."""
        return copy(self)

    def __getstate__(self) -> dict[str, Any]:
        """Return what a pickle keeps: all but the cache."""
        return {**self.__dict__, "_plans": {}}

    def opening(self) -> str:
        """Return the engine's first output."""
        return text.opening(self.house, self.words)

    def commands(self) -> tuple[str, ...]:
        """Return the valid commands, sorted."""
        return tuple(sorted(text.commands(self.house, self.words, self.state)))

    def step(self, command: str) -> str | None:
        """Carry out a command and return the answer; None for an invalid one."""
        action = text.action(self.house, self.words, self.state, command)
        if action is None:
            return None
        self.state = apply(self.house, self.state, action)
        return text.answer(self.house, self.words, self.state, action)

    def solved(self) -> bool:
        """Return whether the goal holds."""
        return solved(self.house, self.state)

    def expert(self) -> str | None:
        """Return the first command of a shortest plan, or None without a plan."""
        return next_command(self.house, self.words, self._plan())

    def remaining(self) -> int | None:
        """Return the length of a shortest plan, or None without a plan."""
        steps = self._plan()
        return None if steps is None else len(steps)

    def _plan(self) -> tuple[Action, ...] | None:
        state = planned(self.house, self.state)
        # Copies share the plans, and may be in other threads.
        try:
            return self._plans[state]
        except KeyError:
            steps = plan(self.house, state)
        if len(self._plans) >= _MOST_PLANS:
            self._plans.clear()
        self._plans[state] = steps
        return steps

    def save(self) -> State:
        """Return the current state."""
        return self.state

    def restore(self, saved: State) -> None:
        """Restore a state of the same house."""
        self.state = saved
