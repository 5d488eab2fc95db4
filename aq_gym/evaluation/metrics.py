"""What a set of episodes says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from aq_gym.evaluation.episode import Episode
from aq_gym.evaluation.intervals import Estimate, mean_interval, wilson_interval

__all__ = ["METRICS", "summarize"]


def success_rate(episodes: Sequence[Episode]) -> Estimate:
    """Return the share of solved episodes, with Wilson's interval."""
    return wilson_interval(sum(e.success for e in episodes), len(episodes))


def progress_rate(episodes: Sequence[Episode]) -> Estimate:
    """Return the mean final progress rate (AgentBoard)."""
    return mean_interval([e.progress_rate for e in episodes])


def repetition_rate(episodes: Sequence[Episode]) -> Estimate:
    """Return the mean repetition rate (AgentQuest, section 3.2)."""
    return mean_interval([e.repetition_rate for e in episodes])


def grounding_accuracy(episodes: Sequence[Episode]) -> Estimate:
    """Return the mean share of valid actions (AgentBoard)."""
    return mean_interval([e.grounding for e in episodes])


def steps(episodes: Sequence[Episode]) -> Estimate:
    """Return the mean number of steps."""
    return mean_interval([e.steps for e in episodes])


METRICS: Mapping[str, Callable[[Sequence[Episode]], Estimate]] = {
    "success rate": success_rate,
    "progress rate": progress_rate,
    "repetition rate": repetition_rate,
    "grounding accuracy": grounding_accuracy,
    "steps": steps,
}


def summarize(episodes: Sequence[Episode]) -> dict[str, Estimate]:
    """Return every metric over the episodes that had no error.

    Args:
        episodes: Finished episodes.

    Returns:
        The estimates by name; empty if every episode had an error.
    """
    scored = [episode for episode in episodes if not episode.error]
    if not scored:
        return {}
    return {name: metric(scored) for name, metric in METRICS.items()}
