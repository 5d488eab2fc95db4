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
        total: The number of patterns, 0 where minigrid's reward counts.
        done: Whether the episode has ended with success.
    """

    steps: int = 0
    reward: float = 0.0
    points: int = 0
    left: tuple[tuple[str, ...], ...] = ()
    total: int = 0
    done: bool = False


def begin(given: tuple[tuple[str, ...], ...]) -> Scores:
    """Return the scores at the start.

    Args:
        given: AgentBoard's annotated subgoals, patterns that observations match, in
            order; several lists are alternatives of equal length. Without any, the
            reward is minigrid's own.
    """
    return Scores(left=given, total=len(given[0]) if given else 0)


def update(scores: Scores, observation: str, reward: float, ended: bool) -> Scores:
    """Return the scores after an action.

    Args:
        scores: Those before it.
        observation: What the action led to.
        reward: minigrid's reward in the last of its steps.
        ended: Whether minigrid's episode ended in that step.
    """
    if scores.total:
        scores = _match(scores, observation)
    else:
        scores = scores._replace(reward=reward)
    done = scores.reward == 1 or (ended and scores.reward > 0.5)
    return scores._replace(done=done)


def _match(scores: Scores, observation: str) -> Scores:
    sentences = observation.split(".")
    for place in range(len(scores.left[0])):
        if any(_matches(sentences, one[place]) for one in scores.left):
            points = scores.points + 1
            left = tuple(one[:place] + one[place + 1 :] for one in scores.left)
            reward = max(scores.reward, points / scores.total)
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
    """Return minigrid's reward for an accomplished mission."""
    return 1 - _COST_OF_TIME * (steps / limit)
