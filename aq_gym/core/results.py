"""The results of a benchmark's reset and step, and the state of an episode."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from aq_gym.core.digest import digest

__all__ = ["EnvState", "Start", "Turn"]


class Start(NamedTuple):
    """The result of a benchmark's ``_reset``.

    Attributes:
        observation: The first observation, with everything an agent needs to begin.
        goal: The goal in one sentence.
        task_id: The name of the instance, which ``reset(options={"task_id": ...})``
            accepts. It may reveal a secret, so it is for the evaluator only.
        difficulty: "easy" or "hard" by the paper's cutoff, or the benchmark's own
            grade; "" if there is none.
    """

    observation: str
    goal: str
    task_id: str
    difficulty: str = ""


class Turn(NamedTuple):
    """The result of a benchmark's ``_step``.

    Attributes:
        observation: The next observation.
        action_valid: Whether the action could be carried out (grounding accuracy
            is its mean). An invalid action does not change the state.
        terminated: Whether the game itself is over; success always terminates.
        truncated: Whether the engine cannot continue; an error always truncates.
        feedback: The reason why the action is invalid and what would be valid; "" for
            a valid action.
        error: The reason why the engine failed, "" if it did not; an error is never
            counted as a score.
    """

    observation: str
    action_valid: bool = True
    terminated: bool = False
    truncated: bool = False
    feedback: str = ""
    error: str = ""

    @classmethod
    def invalid(cls, why: str) -> Turn:
        """Return the result of an invalid action, with the reason as observation."""
        return cls(why, action_valid=False, feedback=why)


@dataclass(frozen=True, eq=False)
class EnvState:
    """The complete state of an episode: picklable, comparable and hashable.

    Attributes:
        maker: The class and constructor arguments of the env that returned it.
        random: The state of the bit generator, and the seed of ``np_random``.
        best_progress: The highest progress so far.
        over: Whether the episode has ended.
        world: The benchmark's own state.
        observation: The last observation, which ``render`` returns. An invalid action
            changes only this, so it is ignored by ``==``.
    """

    maker: tuple[str, str]
    random: tuple[Mapping[str, Any], int]
    best_progress: float
    over: bool
    world: Any
    observation: str

    @cached_property
    def key(self) -> str:
        """A digest that is the same for equal states, in every process."""
        return digest(self._compared())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, EnvState):
            return NotImplemented
        return self._compared() == other._compared()

    def __hash__(self) -> int:
        try:
            generator = frozenset(self.random[0]["state"].items())
            return hash((self.best_progress, self.over, self.world, generator))
        except TypeError:
            # A part that can't be hashed, such as an array.
            return hash(self.key)

    def _compared(self) -> tuple[Any, ...]:
        return self.maker, self.random, self.best_progress, self.over, self.world
