"""Published scores beside those of runs in the same protocol."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
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
        marks: In what a run differs from AgentBoard's; empty for published scores.
        published: Whether the scores are published ones.
    """

    env: str
    name: str
    percents: tuple[float | None, ...]
    marks: tuple[str, ...] = ()
    published: bool = False


def published_source() -> str:
    """Return where the published scores are from."""
    return str(_record()["source"])


def published_rows(runs: Sequence[Run]) -> list[PublishedRow]:
    """Return runs in AgentBoard's protocol, and the published scores below them.

    Args:
        runs: The runs; those in other protocols have no row.
    """
    tasks = _record()["tasks"]
    rows: dict[str, list[PublishedRow]] = {}
    for run in runs:
        notes = run.what.get("notes", {})
        played = by_benchmark(run.episodes)
        for env, names in notes.get("protocol", {}).items():
            if env in tasks and "agentboard" in names and played.get(env):
                row = _row_of(run, env, played[env], notes)
                rows.setdefault(env, []).append(row)
    for env, own in rows.items():
        own += [
            PublishedRow(env, model, tuple(scores[env]), published=True)
            for model, scores in _record()["models"].items()
            if env in scores
        ]
    return [row for own in rows.values() for row in own]


def _row_of(
    run: Run, env: str, episodes: Sequence[EpisodeResult], notes: Mapping[str, Any]
) -> PublishedRow:
    known = summarize(episodes)
    values = (known.get(name) for name in METRICS)
    percents = tuple(None if one is None else 100 * one.value for one in values)
    return PublishedRow(env, run.label, percents, tuple(_marks(run, env, episodes)))


def _marks(run: Run, env: str, episodes: Sequence[EpisodeResult]) -> list[str]:
    notes = run.what.get("notes", {})
    tasks, differs = _record()["tasks"][env], _record()["differs"]
    marks = []
    scored = sum(not episode.error for episode in episodes)
    if scored != tasks:
        marks.append(f"{scored} of {tasks} tasks")
    if run.what.get("agent") != "llm":
        marks.append(f"the agent {visible(str(run.what.get('agent')))}, not a model")
    elif notes.get("prompts", {}).get(env) != "AgentBoard":
        marks.append("prompts are ours")
    if notes.get("subgoals", {}).get(env) == "ours":
        marks.append("subgoals are ours")
    if any(episode.cap > 30 for episode in episodes):
        marks.append("more than 30 steps")
    if env in differs:
        marks.append(differs[env])
    return marks


@cache
def _record() -> dict[str, Any]:
    """Published scores, AgentBoard's numbers of tasks, and what always differs here."""
    text = files("aq_gym.report").joinpath("published.json").read_text("utf-8")
    record: dict[str, Any] = json.loads(text)
    return record
