"""AgentBoard's annotated subgoals and its reward."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from aq_gym.envs.jericho.agentboard import plain


class Scores(NamedTuple):
    """The subgoals of an episode so far."""

    reached: tuple[bool, ...] = ()

    @property
    def reward(self) -> float:
        """AgentBoard's reward: the share of subgoals reached, 0.0 to 1.0."""
        return sum(self.reached) / len(self.reached) if self.reached else 0.0


class Patterns:
    """AgentBoard's annotated subgoals of a title.

    Args:
        texts: The texts, in their order.

    Attributes:
        names: The subgoals' names.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = tuple(map(plain, texts))
        self.names = tuple(f"subgoal {n}" for n in range(1, len(self._texts) + 1))

    def begin(self) -> Scores:
        """Return the scores at the start."""
        return Scores((False,) * len(self._texts))

    def update(self, scores: Scores, observation: str) -> Scores:
        """Return the scores after an observation."""
        said = plain(observation)
        for place, text in enumerate(self._texts):
            if not scores.reached[place] and text in said:
                before, after = scores.reached[:place], scores.reached[place + 1 :]
                return Scores((*before, True, *after))
        return scores
