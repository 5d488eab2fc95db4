"""The part of each episode that the findings need."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aq_gym.report.data import EpisodeResult
from aq_gym.report.escaping import short

__all__ = ["Observed", "observe"]


@dataclass(slots=True)
class Observed:
    """The part of an episode's trajectory that the findings need.

    Attributes:
        episode: The episode's results.
        subgoals: Whether each subgoal held at any moment, by its name.
        invalid: How often each action and its answer came, of the invalid ones.
        actions: How often each action came.
        answers: How many steps note why the model stopped.
        cut_off: How many answers were cut off by the token limit.
    """

    episode: EpisodeResult
    subgoals: dict[str, bool] = field(default_factory=dict)
    invalid: Counter[tuple[str, str]] = field(default_factory=Counter)
    actions: Counter[str] = field(default_factory=Counter)
    answers: int = 0
    cut_off: int = 0


def observe(episode: EpisodeResult, record: Mapping[str, Any]) -> Observed:
    """Return what the findings need of an episode.

    Args:
        episode: Its results.
        record: The record that the page shows of it.
    """
    seen = Observed(episode)
    names = record.get("subgoals", [])
    reached = set(record.get("held", ()))
    for step in record.get("steps", ()):
        action = short(step["action"])
        seen.actions[action] += 1
        reached.update(step.get("held", ()))
        if step.get("invalid"):
            why = step.get("feedback") or step["observation"]
            seen.invalid[action, short(why, 120)] += 1
        reason = step.get("notes", {}).get("finish_reason")
        seen.answers += reason is not None
        seen.cut_off += reason == "length"
    seen.subgoals = {short(name): n in reached for n, name in enumerate(names)}
    return seen
