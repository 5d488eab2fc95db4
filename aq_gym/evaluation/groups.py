"""Groups of episodes, and AgentBoard's sub-skill scores over benchmarks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from math import fsum
from statistics import fmean

from aq_gym.evaluation.episode import EpisodeResult
from aq_gym.registration import SKILLS, rows

_GRADES = ("easy", "medium", "hard")

Groups = dict[str, list[EpisodeResult]]


def by_benchmark(episodes: Iterable[EpisodeResult]) -> Groups:
    """Group episodes by benchmark, in their first order; variants of an id are one."""
    name_of = cache(benchmark_of)
    return _by(episodes, lambda episode: name_of(episode.env))


def benchmark_of(env_id: str) -> str:
    """Return the id of the benchmark that an id is a variant of.

    Args:
        env_id: An environment's id, also as ``module:id``.

    Returns:
        The benchmark's first id; the id without module if it is not in a row.
    """
    env_id = env_id.rpartition(":")[2]
    places = {row.id: row.entry_point for row in rows()}
    benchmarks = {row.entry_point: row.id for row in rows() if not row.family}
    return benchmarks.get(places.get(env_id, ""), env_id)


def by_difficulty(episodes: Sequence[EpisodeResult]) -> Groups:
    """Group episodes by difficulty, easy ones first; omit those without one."""
    found = {e.difficulty for e in episodes} - {""}
    grades = [grade for grade in _GRADES if grade in found]
    grades += sorted(found.difference(_GRADES))
    return {grade: [e for e in episodes if e.difficulty == grade] for grade in grades}


def by_label(episodes: Sequence[EpisodeResult]) -> dict[str, Groups]:
    """Group episodes by each kind of label that the environment gives them.

    Args:
        episodes: Episodes in any order; those without a label of a kind are left out.

    Returns:
        The groups of each kind, such as "subject", in the order of the labels.
    """
    groups: dict[str, Groups] = {}
    for kind in dict.fromkeys(kind for episode in episodes for kind in episode.labels):
        found = sorted({e.labels[kind] for e in episodes if kind in e.labels})
        groups[kind] = {
            label: [e for e in episodes if e.labels.get(kind) == label]
            for label in found
        }
    return groups


def by_setting(episodes: Iterable[EpisodeResult]) -> Groups:
    """Group episodes by the environment's id and arguments, in their first order."""
    return _by(episodes, lambda episode: episode.setting)


def _by(
    episodes: Iterable[EpisodeResult], key: Callable[[EpisodeResult], str]
) -> Groups:
    groups: Groups = {}
    for episode in episodes:
        groups.setdefault(key(episode), []).append(episode)
    return groups


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
    means = {name: fmean(values) for name, values in rates.items()}
    scores = {}
    for column, skill in enumerate(SKILLS):
        weights = {name: skills[name][column] for name in means}
        if weights:
            total = fsum(weights[name] * means[name] for name in means)
            scores[skill] = total / sum(weights.values())
    return scores
