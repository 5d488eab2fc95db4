"""AgentBoard's scores: minigrid's reward, or patterns that observations match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

# minigrid's reward is 1 minus this times the share of its step limit that was used.
_COST_OF_TIME = 0.9


class Scores(NamedTuple):
    """AgentBoard's scores of an episode so far.

    Attributes:
        steps: minigrid's steps so far.
        reward: Its reward, 0.0 to 1.0.
        points: The patterns that were matched.
        left: The patterns that were not, in each of the alternatives.
        done: Whether the episode has ended with success.
    """

    steps: int = 0
    reward: float = 0.0
    points: int = 0
    left: tuple[tuple[str, ...], ...] = ()
    done: bool = False


class Patterns:
    """AgentBoard's annotated subgoals: patterns that observations match.

    Args:
        alternatives: The patterns in order; several lists are alternatives of equal
            length. Without any, the reward is minigrid's own.
    """

    def __init__(self, alternatives: tuple[tuple[str, ...], ...]) -> None:
        self._alternatives = alternatives

    def begin(self) -> Scores:
        """Return the scores at the start."""
        return Scores(left=self._alternatives)

    def update(
        self, scores: Scores, observation: str, reward: float, ended: bool
    ) -> Scores:
        """Return the scores after an action.

        Args:
            scores: Those before it.
            observation: What the action led to.
            reward: minigrid's reward in the last of its steps.
            ended: Whether minigrid's episode ended in that step.
        """
        if self._alternatives:
            scores = self._match(scores, observation)
        else:
            scores = scores._replace(reward=reward)
        done = scores.reward == 1 or (ended and scores.reward > 0.5)
        return scores._replace(done=done)

    def _match(self, scores: Scores, observation: str) -> Scores:
        sentences = observation.split(".")
        for place in range(len(scores.left[0])):
            if any(_matches(sentences, one[place]) for one in scores.left):
                points = scores.points + 1
                share = points / len(self._alternatives[0])
                left = tuple(one[:place] + one[place + 1 :] for one in scores.left)
                reward = max(scores.reward, share)
                return scores._replace(points=points, reward=reward, left=left)
        return scores


def _matches(sentences: Sequence[str], pattern: str) -> bool:
    pattern = pattern.strip()
    parts = pattern.split("**" if "**" in pattern else "*")
    return any(all(p.strip(".") in one for p in parts) for one in sentences)


def alternatives(
    patterns: Sequence[str] | Sequence[Sequence[str]],
) -> tuple[tuple[str, ...], ...]:
    """Return AgentBoard's patterns as alternatives of equal length.

    Raises:
        ValueError: If the alternatives differ in length.
    """
    lists = [[one] if isinstance(one, str) else list(one) for one in patterns]
    if patterns and isinstance(patterns[0], str):
        lists = [[one for part in lists for one in part]]
    if len({len(one) for one in lists}) > 1:
        raise ValueError(
            f"patterns={patterns!r:.200}: the alternatives must have the same length"
        )
    return tuple(map(tuple, lists))


def reward_of(steps: int, limit: int) -> float:
    """Return minigrid's reward for a mission that is met."""
    return 1 - _COST_OF_TIME * (steps / limit)
