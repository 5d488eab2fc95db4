"""AgentBoard's sub-skill scores."""

from __future__ import annotations

from collections.abc import Sequence

from aq_gym.evaluation.episode import EpisodeResult
from aq_gym.registration import SKILLS, rows

__all__ = ["subskills"]


def subskills(episodes: Sequence[EpisodeResult]) -> dict[str, float]:
    """Return AgentBoard's sub-skill scores, 0.0 to 1.0.

    The score of a skill is the mean success rate over benchmarks, weighted by how much
    each benchmark requires the skill. Only scores of the same benchmarks can be
    compared.

    Args:
        episodes: Finished episodes; those with an error, or of an environment without
            weights, are left out.

    Returns:
        The scores by skill; empty if no episode has weights.
    """
    # The ids of a benchmark share its entry point and weights.
    places = {row.id: row.entry_point for row in rows() if row.skills}
    skills = {row.entry_point: row.skills for row in rows() if row.skills}
    rates: dict[str, list[float]] = {}
    for episode in episodes:
        benchmark = places.get(episode.env.rpartition(":")[2])
        if benchmark and not episode.error:
            rates.setdefault(benchmark, []).append(float(episode.success))
    means = {name: sum(values) / len(values) for name, values in rates.items()}
    scores = {}
    for column, skill in enumerate(SKILLS):
        weights = {name: skills[name][column] for name in means}
        if weights:
            total = sum(weights[name] * means[name] for name in means)
            scores[skill] = total / sum(weights.values())
    return scores
