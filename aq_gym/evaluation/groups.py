"""Groups of episodes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from aq_gym.evaluation.episode import EpisodeResult
from aq_gym.registration import rows

__all__ = ["by_benchmark", "by_difficulty", "by_setting"]

_GRADES = ("easy", "medium", "hard")

Groups = dict[str, list[EpisodeResult]]


def by_benchmark(episodes: Iterable[EpisodeResult]) -> Groups:
    """Group episodes by benchmark, merging the variants of an id.

    Args:
        episodes: Episodes; the groups have the order of their first episodes.
    """
    places = {row.id: row.entry_point for row in rows()}
    benchmarks = {row.entry_point: row.id for row in rows() if not row.family}
    groups: Groups = {}
    for episode in episodes:
        env_id = episode.env.rpartition(":")[2]
        benchmark = benchmarks.get(places.get(env_id, ""), env_id)
        groups.setdefault(benchmark, []).append(episode)
    return groups


def by_difficulty(episodes: Sequence[EpisodeResult]) -> Groups:
    """Group episodes by difficulty, easy ones first; omit those without one.

    Args:
        episodes: Episodes in any order.
    """
    found = {e.difficulty for e in episodes} - {""}
    grades = [grade for grade in _GRADES if grade in found]
    grades += sorted(found.difference(_GRADES))
    return {grade: [e for e in episodes if e.difficulty == grade] for grade in grades}


def by_setting(episodes: Iterable[EpisodeResult]) -> Groups:
    """Group episodes by the environment's id and arguments.

    Args:
        episodes: Episodes; the groups have the order of their first episodes.
    """
    groups: Groups = {}
    for episode in episodes:
        groups.setdefault(episode.setting, []).append(episode)
    return groups
