"""The summary of a run, ``summary.json``: groups, totals and curves of its episodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import fsum
from statistics import fmean
from typing import Any

import numpy as np

from aq_gym.evaluation.attempts import attempts_of
from aq_gym.evaluation.episode import EpisodeResult
from aq_gym.evaluation.metrics import Metric, summarize
from aq_gym.evaluation.suite import Suite
from aq_gym.registration import SKILLS, rows


def summary_record(
    suite: Suite,
    episodes: Sequence[EpisodeResult],
    superseded: Sequence[EpisodeResult] = (),
) -> dict[str, Any]:
    """Return the metrics of all episodes and of each group of them, as a JSON object.

    The groups are the benchmarks, the settings, the difficulties and, in a benchmark,
    the labels of each kind.

    Args:
        suite: The suite that was played.
        episodes: Its finished episodes, in its order.
        superseded: Episodes with an error that were played again. They count in no
            metric, only in the usage.
    """
    warnings = run_warnings(usage_totals(episodes))
    summary: dict[str, Any] = {
        **({"warnings": warnings} if warnings else {}),
        "suite": suite.identity,
        "tasks": {"all": len(suite.tasks), "finished": len(episodes)},
        "benchmarks": {},
        "settings": {},
        "difficulties": {},
        "subskills": subskills(episodes),
        "superseded": {
            "episodes": len(superseded),
            "usage": usage_totals(superseded),
        },
    }
    for (*above, name), own in _groups(episodes):
        owner = summary
        for place in above:
            owner = owner.setdefault(place, {})
        owner[name] = _part(own)
        if above == ["benchmarks"]:
            owner[name]["difficulties"] = {}
    return summary


def add_metric(
    summary: dict[str, Any], metric: Metric, episodes: Sequence[EpisodeResult]
) -> None:
    """Add a metric to each group of a summary, replacing an earlier value.

    Raises:
        KeyError: If the summary has no metrics for a group, which the message names.
    """
    for path, own in _groups(episodes):
        metrics = _at(summary, (*path, "metrics"))
        metrics.pop(metric.name, None)
        estimate = metric.estimate(own)
        if estimate is not None:
            metrics[metric.name] = estimate._asdict()


def _groups(
    episodes: Sequence[EpisodeResult],
) -> Iterator[tuple[Sequence[str], Sequence[EpisodeResult]]]:
    """Yield each group's keys in a summary, and its episodes."""
    yield ("overall",), episodes
    for name, own in by_benchmark(episodes).items():
        yield ("benchmarks", name), own
        for grade, graded in by_difficulty(own).items():
            yield ("benchmarks", name, "difficulties", grade), graded
        for kind, groups in by_label(own).items():
            for label, labelled in groups.items():
                yield ("benchmarks", name, "labels", kind, label), labelled
    for name, own in by_setting(episodes).items():
        yield ("settings", name), own
    for name, own in by_difficulty(episodes).items():
        yield ("difficulties", name), own


def _at(summary: Any, path: Sequence[str]) -> dict[str, Any]:
    for name in path:
        summary = summary.get(name) if isinstance(summary, dict) else None
    if not isinstance(summary, dict):
        raise KeyError(" / ".join(path))
    return summary


def _part(episodes: Sequence[EpisodeResult]) -> dict[str, Any]:
    estimates = summarize(episodes)
    attempts = attempts_of(episodes)
    return {
        **({"attempts": attempts.to_record()} if attempts else {}),
        "sources": dict(Counter(one.source for one in episodes if one.source)),
        "counts": error_counts(episodes),
        "metrics": {name: one._asdict() for name, one in estimates.items()},
        "curves": curves(episodes),
        "usage": usage_totals(episodes),
    }


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


def sources_of(episodes: Iterable[EpisodeResult]) -> str:
    """Return where the instances of episodes come from, such as "generated"."""
    return ", ".join(sorted({one.source for one in episodes} - {""}))


def with_source(name: str, episodes: Iterable[EpisodeResult]) -> str:
    """Return a name with the sources, such as "aq/GSM8K-v0 (generated)"."""
    sources = sources_of(episodes)
    return f"{name} ({sources})" if sources else name


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


def error_counts(episodes: Sequence[EpisodeResult]) -> dict[str, int]:
    """Return the numbers of all, truncated and failed episodes.

    Args:
        episodes: Finished episodes. An episode with an error does not count as
            truncated.
    """
    return {
        "episodes": len(episodes),
        "truncated": sum(e.ended == "truncated" and not e.error for e in episodes),
        "errors": sum(bool(e.error) for e in episodes),
    }


def usage_totals(episodes: Iterable[EpisodeResult]) -> dict[str, float]:
    """Return the sums of the agents' notes: tokens, cost, seconds of latency.

    Args:
        episodes: Finished episodes. Episodes with an error count too, because they have
            also cost something.
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


def curves(episodes: Sequence[EpisodeResult]) -> dict[str, list[float]]:
    """Return the mean curves of both papers: a value for each step t.

    PR_t and RR_t are AgentQuest's (section 3); r_t, the highest progress up to t, is
    AgentBoard's (section 2.2).

    An episode that has ended keeps its last value, so that every step averages over
    the same episodes. RR_t is the number of repeated actions up to t, divided by
    T - 1, where T is the length of the episode.

    Args:
        episodes: Finished episodes; those with an error are left out.

    Returns:
        "progress" (PR_t), "best progress" (r_t) and "repetition" (RR_t), each as long
        as the longest episode.
    """
    scored = [episode for episode in episodes if not episode.error]
    return {
        name: [mean for t in curve_tables(scored, name) for mean in t.mean(0).tolist()]
        for name in ("progress", "best progress", "repetition")
    }


# The number of values of a table of curves.
_VALUES = 1 << 22


def curve_tables(episodes: Sequence[EpisodeResult], name: str) -> Iterator[np.ndarray]:
    """Yield curves as tables of some steps each, as all would take much memory.

    Each has a row for each episode that has a step.

    Args:
        episodes: The episodes.
        name: "progress", "best progress" or "repetition", see :func:`curves`.
    """
    played = [episode for episode in episodes if episode.steps]
    lists = [e.repeated if name == "repetition" else e.progress for e in played]
    longest = max(map(len, lists), default=0)
    width = max(1, _VALUES // max(1, len(played)))
    scale = np.array([[max(e.steps - 1, 1)] for e in played])
    last = np.zeros((len(played), 1))
    for first in range(0, longest, width):
        table = np.empty((len(played), min(width, longest - first)))
        for row, own, before in zip(table, lists, last, strict=True):
            values = own[first : first + width]
            row[: len(values)] = values
            row[len(values) :] = 0 if name == "repetition" else [*before, *values][-1]
        if name == "repetition":
            table = last + table.cumsum(axis=1)
        elif name == "best progress":
            table = np.maximum(last, np.maximum.accumulate(table, axis=1))
        last = table[:, -1:].copy()
        yield table / scale if name == "repetition" else table
