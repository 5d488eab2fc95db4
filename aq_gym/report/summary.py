"""The summary: a row for each run in each environment, difficulty and setting."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isclose
from statistics import mean
from typing import NamedTuple

from aq_gym.evaluation import EpisodeResult, Estimate, summarize, usage_totals
from aq_gym.evaluation.attempts import Attempts, attempts_of
from aq_gym.evaluation.episode import by_task
from aq_gym.evaluation.ladder import rungs_beside
from aq_gym.evaluation.metrics import METRICS
from aq_gym.evaluation.summary import (
    by_benchmark,
    by_difficulty,
    by_setting,
    sources_of,
    subskills,
    with_source,
)
from aq_gym.report.data import Run, metric_names
from aq_gym.support.escaping import visible

ALL = "all"
EACH = "each"
_PLACES = {ALL: 0, EACH: 1}
OVERALL = {ALL: "mean over tasks", EACH: "mean over environments"}


class SummaryRow(NamedTuple):
    """The results of a run in one environment, or in a part of it.

    Attributes:
        number: The number of the run and of its colour; -1 for a known agent's row.
        run: The run's label.
        env: The benchmark's id; ``ALL`` for the mean over all tasks, ``EACH`` for the
            mean over the environments, each of which counts the same.
        by: "difficulty" or "setting" for a part of an environment, "" for the whole.
        part: The part: a difficulty, or an id with its arguments.
        episodes: The number of scored episodes.
        errors: The number of episodes with an error, which no metric includes.
        estimates: The values and intervals by the name of their column.
        cost: The cost of all episodes, None if no price is known.
        latency: The mean number of seconds that the model took in an episode, or None.
        source: Where the instances come from, "" if unknown.
        tasks: The number of tasks; below that of the episodes with several attempts.
    """

    number: int
    run: str
    env: str
    by: str
    part: str
    episodes: int
    errors: int
    estimates: dict[str, Estimate]
    cost: float | None
    latency: float | None
    source: str = ""
    tasks: int = 0

    @property
    def size(self) -> str:
        """The number of episodes, with that of their tasks if it is smaller."""
        many = self.tasks and self.tasks < self.episodes
        return f"{self.episodes} ({self.tasks} tasks)" if many else str(self.episodes)

    @property
    def name(self) -> str:
        """The environment with its source, such as "aq/GSM8K-v0 (generated)"."""
        name = OVERALL.get(self.env, self.env)
        return f"{name} ({self.source})" if self.source else name


def summary_rows(runs: Sequence[Run]) -> list[SummaryRow]:
    """Return the rows of the summary, environment by environment.

    If the runs have several environments, the means over all tasks and over the
    environments come first.

    Args:
        runs: The runs in the order of their colours.
    """
    names = environments(runs)
    groups = [by_benchmark(run.episodes) for run in runs]
    rows: list[SummaryRow] = []
    if len(names) > 1:
        for number, run in enumerate(runs):
            rows += _graded(number, run.label, ALL, run.episodes)
    for env in names:
        for number, run in enumerate(runs):
            if own := groups[number].get(env):
                rows += _graded(number, run.label, env, own)
                rows += _by_setting(number, run.label, env, own)
    if len(names) > 1:
        rows += [_each(number, rows) for number in range(len(runs))]
    return sorted(rows, key=lambda row: _PLACES.get(row.env, len(_PLACES)))


def with_rungs(
    runs: Sequence[Run], rows: Sequence[SummaryRow], order: Sequence[int]
) -> list[SummaryRow]:
    """Return rows with those of the reference ladder below those of its tasks.

    A known agent that is one of the runs, by its figures, is left out.

    Args:
        runs: The runs.
        rows: The rows of their summary.
        order: The numbers of the runs, the best one first, as the rows are to be.
    """
    rungs = [
        SummaryRow(
            -1, one.rung + " (privileged)" * one.privileged, visible(one.env), "", "",
            one.episodes, 0, one.estimates, None, None,
        )
        for one in rungs_beside([e for run in runs for e in run.episodes])
    ]  # fmt: skip
    places = list(dict.fromkeys(row.env for row in rows))
    top = [row for row in rows if row.env == places[0] and not row.by]
    twins = {
        one.run
        for one in rungs
        if one.env == places[0] and any(_same(one, played) for played in top)
    }
    rungs = [one for one in rungs if one.env in places and one.run not in twins]
    return sorted(
        [*rows, *rungs],
        key=lambda row: (places.index(row.env), [*order, -1].index(row.number)),
    )


def _same(known: SummaryRow, played: SummaryRow) -> bool:
    """Return whether a known agent has a run's figures; names of one agent differ."""
    figures = {"progress rate", "repetition rate", "steps"} & known.estimates.keys()
    return all(
        name in played.estimates
        and isclose(
            played.estimates[name].value, known.estimates[name].value, abs_tol=1e-3
        )
        for name in figures
    )


def columns(rows: Sequence[SummaryRow]) -> list[str]:
    """Return the metrics that any row has, in the summary's order."""
    return [name for name in metric_names() if any(name in r.estimates for r in rows)]


def environments(runs: Sequence[Run]) -> list[str]:
    """Return the benchmarks of all runs, in order of first appearance."""
    return list(dict.fromkeys(e for run in runs for e in by_benchmark(run.episodes)))


def titles(runs: Sequence[Run]) -> dict[str, str]:
    """Return the names of benchmarks and means with the sources of their instances."""
    every = [episode for run in runs for episode in run.episodes]
    named = {env: (env, own) for env, own in by_benchmark(every).items()}
    named |= {place: (name, every) for place, name in OVERALL.items()}
    return {visible(k): visible(with_source(*one)) for k, one in named.items()}


def skill_rows(runs: Sequence[Run]) -> list[tuple[int, Run, dict[str, float]]]:
    """Return the number, the run and AgentBoard's sub-skill scores of each run."""
    scores = [subskills(run.episodes) for run in runs]
    names = dict.fromkeys(name for own in scores for name in own)
    return [
        (number, run, {name: own.get(name, 0.0) for name in names})
        for number, (run, own) in enumerate(zip(runs, scores, strict=True))
        if own
    ]


def repeated_runs(runs: Sequence[Run]) -> list[tuple[int, Run, Attempts]]:
    """Return the runs that have several attempts at a task, and their results."""
    found = ((n, run, attempts_of(run.episodes)) for n, run in enumerate(runs))
    return [(number, run, own) for number, run, own in found if own]


def _graded(
    number: int, label: str, env: str, episodes: Sequence[EpisodeResult]
) -> Iterator[SummaryRow]:
    yield _row(number, label, env, "", "", episodes)
    for difficulty, own in by_difficulty(episodes).items():
        yield _row(number, label, env, "difficulty", difficulty, own)


def _by_setting(
    number: int, label: str, env: str, episodes: Sequence[EpisodeResult]
) -> Iterator[SummaryRow]:
    settings = by_setting(episodes)
    if len(settings) > 1:
        for setting, own in settings.items():
            yield _row(number, label, env, "setting", setting, own)


def _each(number: int, rows: Sequence[SummaryRow]) -> SummaryRow:
    """Return the means of a run over its environments."""
    own = [row for row in rows if row.number == number and not row.by]
    whole, *parts = own
    names = [n for n in whole.estimates if all(n in r.estimates for r in parts)]
    means = {
        name: Estimate(mean(row.estimates[name].value for row in parts), None, None)
        for name in names
    }
    return whole._replace(env=EACH, estimates=means)


def _row(
    number: int,
    label: str,
    env: str,
    by: str,
    part: str,
    episodes: Sequence[EpisodeResult],
) -> SummaryRow:
    known = summarize(episodes)
    used = usage_totals(episodes)
    errors = sum(bool(e.error) for e in episodes)
    return SummaryRow(
        number,
        label,
        visible(env),
        by,
        visible(part),
        len(episodes) - errors,
        errors,
        {name: known[name] for name in metric_names() if name in known},
        used.get("cost") or None,
        used["latency"] / len(episodes) if "latency" in used else None,
        visible(sources_of(episodes)),
        len(by_task(episodes)),
    )


def is_rate(name: str) -> bool:
    """Return whether a metric is between 0.0 and 1.0."""
    return METRICS[name].bounds == (0.0, 1.0)
