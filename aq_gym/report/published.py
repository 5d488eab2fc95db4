"""Published scores beside those of runs in the same protocol."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from aq_gym.evaluation import EpisodeResult, summarize
from aq_gym.evaluation.groups import by_benchmark
from aq_gym.report.data import Run
from aq_gym.report.escaping import visible

METRICS = ("progress rate", "success rate", "grounding accuracy")


class PublishedRow(NamedTuple):
    """A row of the comparison with published scores.

    Attributes:
        env: The benchmark's id.
        name: The run's label, or the published model.
        percents: The values of :data:`METRICS` in percent, None where one is missing.
        marks: In what a run differs from the paper's; empty for published scores.
        published: Whether the scores are published ones.
    """

    env: str
    name: str
    percents: tuple[float | None, ...]
    marks: tuple[str, ...] = ()
    published: bool = False


def published_source(runs: Sequence[Run]) -> str:
    """Return where the published scores beside some runs are from."""
    shown = {paper["protocol"]: paper["source"] for _, _, paper in _played(runs)}
    return "; ".join(shown.values())


def published_rows(runs: Sequence[Run]) -> list[PublishedRow]:
    """Return runs in a paper's protocol, and the published scores below them.

    Args:
        runs: The runs; those in other protocols have no row.
    """
    rows: dict[tuple[str, str], list[PublishedRow]] = {}
    papers = {paper["protocol"]: paper for paper in _papers()}
    for run, env, paper in _played(runs):
        key = (paper["protocol"], env)
        rows.setdefault(key, []).append(_row_of(run, env, paper))
    for (protocol, env), own in rows.items():
        own += [
            PublishedRow(env, model, tuple(scores[env]), published=True)
            for model, scores in papers[protocol]["models"].items()
            if env in scores
        ]
    return [row for own in rows.values() for row in own]


def _played(runs: Sequence[Run]) -> Iterator[tuple[Run, str, Mapping[str, Any]]]:
    """Yield each run with each environment that it played in a paper's protocol."""
    for run in runs:
        played = by_benchmark(run.episodes)
        for env, names in run.what.get("notes", {}).get("protocol", {}).items():
            for paper in _papers():
                known = env in paper["tasks"] and paper["protocol"] in names
                if known and played.get(env):
                    yield run, env, paper


def _row_of(run: Run, env: str, paper: Mapping[str, Any]) -> PublishedRow:
    episodes = by_benchmark(run.episodes)[env]
    known = summarize(episodes)
    values = (known.get(name) for name in METRICS)
    percents = tuple(None if one is None else 100 * one.value for one in values)
    marks = tuple(_marks(run, env, episodes, paper))
    return PublishedRow(env, run.label, percents, marks)


def _marks(
    run: Run, env: str, episodes: Sequence[EpisodeResult], paper: Mapping[str, Any]
) -> list[str]:
    notes = run.what.get("notes", {})
    tasks, differs = paper["tasks"][env], paper["differs"]
    marks = []
    scored = sum(not episode.error for episode in episodes)
    if scored != tasks:
        marks.append(f"{scored} of {tasks} tasks")
    if run.what.get("agent") != "llm":
        marks.append(f"the agent {visible(str(run.what.get('agent')))}, not a model")
    elif notes.get("prompts", {}).get(env) != paper["name"]:
        marks.append("prompts are ours")
    if notes.get("subgoals", {}).get(env) == "ours":
        marks.append("subgoals are ours")
    if any(episode.cap > paper["steps"] for episode in episodes):
        marks.append(f"more than {paper['steps']} steps")
    if any(0 < episode.cap < paper["steps"] for episode in episodes):
        marks.append(f"fewer than {paper['steps']} steps")
    if env in differs:
        marks.append(differs[env])
    return marks


@cache
def _papers() -> list[dict[str, Any]]:
    """Published scores, the papers' numbers of tasks, and what always differs here."""
    text = files("aq_gym.report").joinpath("published.json").read_text("utf-8")
    papers: list[dict[str, Any]] = json.loads(text)
    return papers
