"""The engine: the rules in ``logic`` and the record of an episode."""

from __future__ import annotations

from copy import copy
from typing import Any, NamedTuple

from aq_gym.envs.alfworld import picture, text
from aq_gym.envs.alfworld.expert import plan, planned
from aq_gym.envs.alfworld.logic.house import State
from aq_gym.envs.alfworld.logic.rules import Action, apply, latched, milestones, solved
from aq_gym.envs.alfworld.official import HouseholdGame

# The number of plans in a game's cache; an episode has fewer states.
_MOST_PLANS = 512


class Record(NamedTuple):
    """The record of an episode, besides the state of the household.

    Attributes:
        reached: The subgoals that have been reached.
        seen: The receptacles whose contents the agent has seen.
        matched: The positions of AgentBoard's patterns that were matched, ascending.
        view: In AgentBoard's protocol, the last answer to "go to" or "open".
    """

    reached: frozenset[str] = frozenset()
    seen: frozenset[int] = frozenset()
    matched: tuple[int, ...] = ()
    view: str = ""


class Engine:
    """Plays a game, and records the episode.

    Args:
        household: The household and its phrases.

    Attributes:
        house: The household.
        words: The phrases that differ between games.
        state: The current state.
        record: The record of the episode.
        subgoals: The names of the subgoals, in the order of a solution.
    """

    def __init__(self, household: HouseholdGame) -> None:
        self.house, self.words = household
        self.state = self.house.start
        self.record = Record()
        self.subgoals = milestones(self.house)
        targets = self.house.targets
        self._targets = sorted(
            {f" {_kind(self.house.object_names[t])} " for t in targets}
        )
        self._plans: dict[State, tuple[Action, ...] | None] = {}
        self._initial = self.remaining()

    def __deepcopy__(self, memo: dict[int, Any]) -> Engine:
        """Share all values with the copy, because they are immutable or a cache."""
        return copy(self)

    def __getstate__(self) -> dict[str, Any]:
        """Return everything except the cache, for pickling."""
        return {**self.__dict__, "_plans": {}}

    def opening(self) -> str:
        """Return the engine's first output."""
        return text.opening(self.house, self.words)

    def commands(self) -> tuple[str, ...]:
        """Return the valid commands, sorted."""
        return tuple(sorted(text.commands(self.house, self.words, self.state)))

    def step(self, command: str) -> str | None:
        """Carry out a command and return the answer; None if it is invalid."""
        action = text.action(self.house, self.words, self.state, command)
        if action is None:
            return None
        self.state = apply(self.house, self.state, action)
        return text.answer(self.house, self.words, self.state, action)

    def observe(self, observation: str) -> None:
        """Record the subgoals that an observation reaches and the contents it shows."""
        found = "find" not in self.record.reached and any(
            target in observation for target in self._targets
        )
        self.record = self.record._replace(
            reached=latched(
                self.house, self.state, self.record.reached, found, self.solved()
            ),
            seen=picture.seen(self.house, self.state, self.record.seen, observation),
        )

    def solved(self) -> bool:
        """Return whether the goal holds."""
        return solved(self.house, self.state)

    def expert(self) -> str | None:
        """Return the first command of a shortest plan, or None without a plan."""
        steps = self._plan()
        return text.command(self.house, self.words, steps[0]) if steps else None

    def remaining(self) -> int | None:
        """Return the length of a shortest plan, or None without a plan."""
        steps = self._plan()
        return None if steps is None else len(steps)

    def plan_progress(self) -> float:
        """Return AgentQuest's progress: 1 - (remaining / initial length of a plan)."""
        remaining = self.remaining()
        if remaining is None:
            return 0.0
        return max(0.0, 1 - remaining / (self._initial or remaining or 1))

    def _plan(self) -> tuple[Action, ...] | None:
        state = planned(self.house, self.state)
        # Copies share the cache of plans, possibly in other threads.
        try:
            return self._plans[state]
        except KeyError:
            steps = plan(self.house, state)
        if len(self._plans) >= _MOST_PLANS:
            self._plans.clear()
        self._plans[state] = steps
        return steps


def _kind(name: str) -> str:
    return name.partition(" ")[0]
