"""Score the episodes of a run again, without playing them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, TypeAlias

from aq_gym.evaluation.episode import LARGEST, EpisodeResult
from aq_gym.evaluation.intervals import Estimate
from aq_gym.evaluation.metrics import METRICS, Metric
from aq_gym.evaluation.results import (
    LoadedRun,
    load_run,
    read_rows,
    read_trajectory,
)
from aq_gym.evaluation.steps_to_go import with_steps_to_go
from aq_gym.evaluation.store import lock_run
from aq_gym.evaluation.summary import add_metric
from aq_gym.support.json_files import write_json
from aq_gym.trajectory import Trajectory, jsonl

Scorer: TypeAlias = Callable[[Trajectory], float | None]


class MetricError(ValueError):
    """Raised if a metric fails for an episode; the message names both."""


def score(
    run: str | os.PathLike[str],
    metrics: Sequence[Metric | Scorer],
    *,
    workers: int = 1,
    trust: bool = False,
) -> dict[str, Estimate | None]:
    """Measure the episodes of a run, and add the values to its rows and its summary.

    Nothing is played. A metric that was added before is replaced, and nothing else is
    changed; episodes with an error are left out. All values are computed before the
    first file is written. A process that is killed in between leaves the old files, or
    complete new ones; scoring the run again completes it.

    If a metric is ``replayed``, the episodes are, and their steps to go are added to
    their rows. A warning counts the episodes that cannot be replayed, or whose
    environment has no expert.

    Args:
        run: The run's directory. An unfinished run has no summary yet; the values of
            its rows are part of the one to come.
        metrics: Each a :class:`Metric`, or a function of a
            :class:`~aq_gym.trajectory.Trajectory` that returns a number, or None if the
            episode has none. The name of a function is that of the metric.
        workers: The number of processes that replay episodes.
        trust: Whether a replayed trajectory may name any environment, with any
            arguments: it may read files and run code.

    Returns:
        The estimate of each metric over the episodes of the run; None if no episode has
        a value.

    Raises:
        FileNotFoundError: If there is no run in the directory, or an episode has no
            trajectory.
        MetricError: If a metric raises an exception, or returns anything but a finite
            number or None.
        TypeError: If a metric is neither a Metric nor a function.
        ValueError: If a file of the run is damaged, a metric has the name of a packaged
            one, another process writes to the run, or an episode is replayed whose
            environment is not trusted.
    """
    scorers = list(map(_scorer, metrics))
    with lock_run(load_run(run).path):
        loaded = load_run(run)
        episodes = [episode for episode in loaded.episodes if not episode.error]
        if any(scorer.metric.replayed for scorer in scorers):
            episodes = with_steps_to_go(loaded.path, episodes, workers, trust)
        scored = [_scored(loaded.path, episode, scorers) for episode in episodes]
        if loaded.summary:
            _add_metrics(loaded, scorers, scored)
        file = loaded.path / "episodes.jsonl"
        jsonl.rewrite(
            file, _with_scores(loaded.path, jsonl.has_checksums(file), scored)
        )
        if loaded.summary:
            write_json(loaded.path / "summary.json", loaded.summary)
    return {one.metric.name: one.metric.estimate(scored) for one in scorers}


class _Scorer(NamedTuple):
    metric: Metric
    value: Callable[[EpisodeResult, Trajectory], float | None]


def _scorer(given: Metric | Scorer) -> _Scorer:
    if isinstance(given, Metric):
        metric = given
        own = given.value
        value = _tracked(given) if own is None else lambda episode, _: own(episode)
    elif callable(given):
        name = getattr(given, "__name__", type(given).__name__).replace("_", " ")
        metric, value = Metric(name), lambda _, recorded: given(recorded)
    else:
        raise TypeError(f"metrics: {given!r:.200} must be a Metric or a function")
    known = METRICS.get(metric.name)
    if known is not None and known is not metric:
        raise ValueError(f"metric {metric.name!r} is registered already: rename it")
    return _Scorer(metric, value)


def _tracked(metric: Metric) -> Callable[[EpisodeResult, Trajectory], float | None]:
    make = metric.tracker
    if make is None:
        raise ValueError(f"metric {metric.name!r} must have a value or a tracker")

    def value(episode: EpisodeResult, recorded: Trajectory) -> float | None:
        tracker = make()
        for step in recorded.steps:
            notes = step.get("notes", {})
            tracker.add(step["action"], step["observation"], step["info"], notes)
        return tracker.value()

    return value


def _value(
    scorer: _Scorer, episode: EpisodeResult, recorded: Trajectory
) -> float | None:
    name = scorer.metric.name
    try:
        value = scorer.value(episode, recorded)
        number = None if value is None else float(value)
    except Exception as error:
        raise MetricError(
            f"metric {name!r} raised {error!r} for the episode {episode.task}"
        ) from error
    if number is not None and not abs(number) < LARGEST:
        raise MetricError(
            f"metric {name!r} returned {value!r} for the episode {episode.task}: it "
            "must return a number below 1e100, or None"
        )
    return number


def _scored(
    run: Path, episode: EpisodeResult, scorers: Sequence[_Scorer]
) -> EpisodeResult:
    """Return an episode with the values of the metrics in place of earlier ones."""
    recorded = read_trajectory(run, episode.task)
    scores: dict[str, float | None] = dict(episode.scores)
    for scorer in scorers:
        name = scorer.metric.name
        scores[name] = _value(scorer, episode, recorded) if recorded else None
    known = {name: value for name, value in scores.items() if value is not None}
    return replace(episode, scores=known)


def _add_metrics(
    loaded: LoadedRun, scorers: Sequence[_Scorer], scored: Sequence[EpisodeResult]
) -> None:
    try:
        for scorer in scorers:
            add_metric(loaded.summary, scorer.metric, scored)
    except KeyError as error:
        file = loaded.path / "summary.json"
        place = error.args[0]
        raise ValueError(f"{file} is damaged: {place} must be an object") from error


def _with_scores(
    run: Path, checksums: bool, episodes: Sequence[EpisodeResult]
) -> Iterator[bytes]:
    """Yield the lines of a run's rows; the last one of each task has its scores."""
    scored = {episode.task: episode for episode in episodes}
    last = {row.episode.task: n for n, row in enumerate(read_rows(run)) if row.episode}
    for number, row in enumerate(read_rows(run)):
        episode = row.episode and scored.get(row.episode.task)
        if episode and last[episode.task] == number:
            line = jsonl.dumps(episode.to_record())
            yield jsonl.with_checksum(line) if checksums else line
        else:
            yield row.raw
