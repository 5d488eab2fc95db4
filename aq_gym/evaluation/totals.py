"""Count episodes, sum the usage of agents, and warn of unusual numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from aq_gym.evaluation.episode import EpisodeResult


def error_counts(episodes: Sequence[EpisodeResult]) -> dict[str, int]:
    """Return the numbers of all, truncated and failed episodes.

    Args:
        episodes: Finished episodes. One with an error counts as no truncated one.
    """
    return {
        "episodes": len(episodes),
        "truncated": sum(e.ended == "truncated" and not e.error for e in episodes),
        "errors": sum(bool(e.error) for e in episodes),
    }


def usage_totals(episodes: Iterable[EpisodeResult]) -> dict[str, float]:
    """Return the sums of the agents' notes: tokens, cost, seconds of latency.

    Args:
        episodes: Finished episodes. Those with an error count too: they cost as much.
    """
    totals: dict[str, float] = {}
    for episode in episodes:
        for key, value in episode.usage.items():
            totals[key] = totals.get(key, 0) + value
    return totals


_MOST = 0.05
_ANSWERS = {
    "cut_answers": "were cut at the longest length: raise it with --agent-arg "
    "max_tokens=N",
    "empty_answers": "were empty: the trajectories have their finish_reason and "
    "reasoning; a reasoning model may need more max_tokens",
    "filtered_answers": "were refused, or removed by the endpoint's content filter",
}


def run_warnings(usage: Mapping[str, float]) -> list[str]:
    """Return the warnings about a run."""
    calls = usage.get("calls", 0)
    warnings = [
        f"{usage[name]:g} of {calls:g} answers {problem}"
        for name, problem in _ANSWERS.items()
        if calls and usage.get(name, 0) / calls > _MOST
    ]
    if estimated := usage.get("estimated_tokens", 0):
        warnings.append(
            f"the endpoint did not count all tokens: limits took {estimated:g} more, "
            "by a cautious estimate"
        )
    return warnings
