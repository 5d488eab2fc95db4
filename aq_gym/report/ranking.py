"""The ranking of runs by their progress."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from math import fsum
from statistics import fmean
from typing import NamedTuple

from aq_gym.core.text import listing, percent, plural
from aq_gym.evaluation import (
    Comparison,
    EpisodeResult,
    Estimate,
    compare,
    summarize,
)
from aq_gym.evaluation.compare import adjusted
from aq_gym.evaluation.episode import by_task
from aq_gym.evaluation.metrics import METRICS, format_estimate
from aq_gym.evaluation.summary import by_benchmark
from aq_gym.report.data import Run, told_apart
from aq_gym.report.verdicts import (
    CERTAIN,
    PROGRESS,
    more_often,
    paired,
    turned,
    verdict,
)
from aq_gym.support.escaping import visible

# The number of runs that have a mark; charts omit the others or draw them in grey.
MOST_COLORS = 16
# More runs are sorted, and have lower rows.
MANY = 8

# The most names of one kind in a sentence.
_MOST_NAMED = 3


class Ranked(NamedTuple):
    """A run in the ranking.

    Attributes:
        number: The number of the run and of its colour.
        run: The run's label.
        progress: Its progress rate over the tasks of the ranking.
        solved: The number of these tasks that it solved; of several attempts at a task
            the mean.
        by_env: Its progress rate in each environment.
        behind: The paired difference from the first run; None for that run itself. That
            of a run that is not ranked is from the first run of its model, if any.
        solved_in: The number of tasks that it solved in each environment.
        estimates: Its metrics over these tasks.
        played: Its episodes of these tasks in each environment.
        than: The short name of the run that a run that is not ranked is compared with.
    """

    number: int
    run: str
    progress: Estimate
    solved: float
    by_env: Mapping[str, Estimate]
    behind: Comparison | None
    solved_in: Mapping[str, float]
    estimates: Mapping[str, Estimate]
    played: Mapping[str, Sequence[EpisodeResult]]
    than: str = ""


class Ranking(NamedTuple):
    """The runs, the one with the most progress first.

    Attributes:
        common: The tasks that each of these runs finished without an error, which the
            ranking compares.
        tasks: Their number.
        envs: The number of these tasks in each environment.
        best: For each environment in which the runs differ, the highest progress rate
            as it is shown.
        rows: The runs, without those that share no task with the longer ones.
        told: The result in a few sentences.
        apart: The runs that have only few of these tasks, each over those.
    """

    common: frozenset[str]
    tasks: int
    envs: Mapping[str, int]
    best: Mapping[str, str]
    rows: Sequence[Ranked]
    told: str
    apart: Sequence[Ranked]


def best_first(runs: Sequence[Run]) -> list[Run]:
    """Sort runs as their ranking does, if there are many.

    Args:
        runs: The runs; the first one returned is the baseline of the others.
    """
    found = ranking(runs) if len(runs) > MANY else None
    return [runs[number] for number in ranked_first(found, len(runs))]


def ranked_first(ranked: Ranking | None, count: int) -> list[int]:
    """Return the numbers of some runs, those of their ranking first, in its order."""
    first = [row.number for row in ranked.rows] if ranked else []
    return [*dict.fromkeys([*first, *range(count)])]


def some(names: list[str], what: str = "runs") -> str:
    """Return names in a sentence, or only their number if they are many."""
    return listing(names) if len(names) <= _MOST_NAMED else f"{len(names)} {what}"


def _shared(finished: Sequence[Mapping[str, object]]) -> tuple[list[str], list[int]]:
    """Return the tasks that a ranking compares, and the numbers of its runs.

    Args:
        finished: The tasks that each run finished. A run that has less than half of the
            usual number is left out, as it would take the other tasks from all.
    """
    played_by = Counter(chain.from_iterable(finished))
    sharing = [
        n for n, own in enumerate(finished) if any(played_by[t] > 1 for t in own)
    ]
    order = sorted(sharing or range(len(finished)), key=lambda n: -len(finished[n]))
    usual = len(finished[order[(len(order) - 1) // 2]])
    for least in (max(1, usual / 2), 1):
        common, ranked = list[str](), list[int]()
        for number in order:
            both = [t for t in common or finished[number] if t in finished[number]]
            if len(both) >= least:
                common = both
                ranked.append(number)
        if len(ranked) > 1:
            break
    return common, ranked


def ranking(runs: Sequence[Run]) -> Ranking | None:
    """Rank runs by their progress rate, None if they have no finished task in common.

    Args:
        runs: The runs in the order of their colours.
    """
    finished = [run.finished for run in paired(runs)]
    common, ranked = _shared(finished)
    if len(ranked) < min(len(runs), 2):
        return None
    played = {n: [e for task in common for e in finished[n][task]] for n in ranked}
    groups = by_benchmark(finished[ranked[0]][task][0] for task in common)
    rows = [_ranked(n, runs[n].label, played[n]) for n in sorted(ranked)]
    rows.sort(key=lambda row: (-row.progress.value, -row.solved))
    first = played[rows[0].number]
    behind = adjusted(
        {r.run: compare(first, played[r.number], [PROGRESS]) for r in rows[1:]}
    )
    rows[1:] = [row._replace(behind=behind[row.run][PROGRESS]) for row in rows[1:]]
    envs = {visible(env): len(own) for env, own in groups.items()}
    shown = {env: {_shown(row, env) for row in rows} for env in envs}
    best = {env: max(own, key=float) for env, own in shown.items() if len(own) > 1}
    names = told_apart([run.label for run in runs])
    named = [row._replace(run=names[row.number]) for row in rows]
    tasks = plural(len(common), "task")
    if any(len(finished[n]) > len(common) for n in ranked):
        tasks += " that all runs have"
    told = _told(named, envs, tasks)
    if len(rows) == 2 and rows[0].progress.value == rows[1].progress.value:
        alike, *more = verdict(runs[rows[0].number], runs[rows[1].number])
        if not more:
            told = f"{alike} Each s{_told(named[:1], envs, tasks)[1:]}"
    left = [n for n in range(len(runs)) if n not in ranked]
    apart, pairs = list[Ranked](), dict[str, dict[str, Comparison]]()
    for n in left:
        own = [e for task in common for e in finished[n].get(task, ())]
        like = next(
            (r.number for r in rows if runs[n].model in ("", runs[r.number].model)),
            rows[0].number,
        )
        if own:
            pairs[runs[n].label] = compare(played[like], own, [PROGRESS])
            apart.append(_ranked(n, runs[n].label, own)._replace(than=names[like]))
    apart = [
        row._replace(behind=own[PROGRESS])
        for row, own in zip(apart, adjusted(pairs).values(), strict=True)
    ]
    few = [f"{names[r.number]} ({r.behind.pairs})" for r in apart if r.behind]
    few += [f"{names[n]} (none)" for n in left if runs[n].label not in pairs]
    if few:
        told += " Not ranked, as each has only few of these tasks: "
        told += f"{len(few)} runs." if few[2 * _MOST_NAMED :] else f"{'; '.join(few)}."
    return Ranking(frozenset(common), len(common), envs, best, rows, told, apart)


def _ranked(number: int, label: str, episodes: Sequence[EpisodeResult]) -> Ranked:
    groups = {visible(env): own for env, own in by_benchmark(episodes).items()}
    rate = METRICS[PROGRESS].estimate
    by_env = {env: found for env, own in groups.items() if (found := rate(own))}
    solved = {
        env: fsum(fmean(e.success for e in tries) for tries in by_task(own).values())
        for env, own in groups.items()
    }
    known = summarize(episodes)
    whole = round(fsum(solved.values()), 1)
    return Ranked(
        number, label, known[PROGRESS], whole, by_env, None, solved, known, groups
    )


def _shown(row: Ranked, env: str) -> str:
    return format_estimate(PROGRESS, row.by_env[env]).partition(" ")[0]


def _told(rows: Sequence[Ranked], envs: Mapping[str, int], tasks: str) -> str:
    first, *others = rows
    value = format_estimate(PROGRESS, first.progress)
    if not others or others[0].behind is None:
        text = f"Solves {first.solved:g} of {tasks}"
        where = _solved(first, envs) if len(envs) > 1 else ""
        return f"{text}{where}. Its progress rate is {value}."
    second, behind = others[0], others[0].behind
    more, low, high = turned(behind).difference
    ahead = format_estimate(PROGRESS, Estimate(more, low, high))
    rank = "the next, " if others[1:] else ""
    certain = [r for r in others if r.behind and r.behind.holm_p_value < CERTAIN]
    margin = f"That is {ahead} more than {rank}{second.run}"
    if second not in certain:
        often = more_often(first.run, second.run, behind)
        margin = f"No certain difference from {rank}{second.run}: {ahead}{often}"
    if len(certain) < len(others) > 1:
        margin += (
            f". The lead in the mean is certain over {len(certain) or 'none'} of the "
            f"other {len(others)} (after correction for {len(others)} comparisons)"
        )
    where = f" {_where(first, others, envs)}" if len(envs) > 1 else ""
    most = f"{first.run} makes the most progress"
    if not more:
        most = f"{first.run} and {second.run} make the same progress"
    return (
        f"{most}: a rate of {value} over {tasks}, of which "
        f"{'it' if more else first.run} solves {first.solved:g}. {margin}.{where}"
        f"{_alone(first, others, envs)}"
    )


def _solved(row: Ranked, envs: Mapping[str, int]) -> str:
    """Name the environments by the share of their tasks that a run solves."""
    groups: dict[float, list[str]] = {}
    for env, tasks in envs.items():
        groups.setdefault(row.solved_in[env] / tasks, []).append(env)
    if len(groups) == 1 and {*groups} <= {0.0, 1.0}:
        return ""
    parts = [_solved_in(row, groups[n], envs) for n in sorted(groups, reverse=True)]
    if len(parts) > 2 * _MOST_NAMED:
        parts[_MOST_NAMED:-1] = ["fewer in others"]
    return f": {'; '.join(parts)}"


def _solved_in(row: Ranked, names: Sequence[str], envs: Mapping[str, int]) -> str:
    """Return how many tasks a run solves in each of some environments."""
    share = row.solved_in[names[0]] / envs[names[0]]
    count = f"{round(row.solved_in[names[0]], 1):g} of {envs[names[0]]}"
    if names[1:]:
        same = len({envs[env] for env in names}) == 1
        count = f"{count if same else percent(share)} each"
    how = {0.0: "none", 1.0: "all"}.get(share, count)
    return f"{how} in {some([plain(env) for env in names], 'environments')}"


def plain(env: str) -> str:
    """Return a packaged environment's id as a name, such as "Sudoku"."""
    return env.removeprefix("aq/").removesuffix("-v0")


def _where(first: Ranked, others: Sequence[Ranked], envs: Mapping[str, int]) -> str:
    """Name the environments in which another run is ahead of the first."""
    leaders = {env: max(others, key=lambda row: row.by_env[env].value) for env in envs}
    ahead = {
        env: row
        for env, row in leaders.items()
        if float(_shown(row, env)) > float(_shown(first, env))
    }
    better: dict[str, list[str]] = {}
    for env, row in ahead.items():
        better.setdefault(row.run, []).append(plain(env))
    compared = {
        row.run: adjusted(
            {e: compare(first.played[e], row.played[e], [PROGRESS]) for e in envs}
        )
        for row in others
        if row.run in better
    }
    certain = [
        plain(env)
        for env, row in ahead.items()
        if compared[row.run][env][PROGRESS].holm_p_value < CERTAIN
    ]
    if not better:
        alone = f"{others[0].run} is ahead in none"
        told = "No other run is ahead in any" if others[1:] else alone
        return f"{told} of the {len(envs)} environments."
    where = "; ".join(
        f"{run} in {listing(own)}" if others[1:] else listing(own)
        for run, own in better.items()
    )
    return (
        f"{'Another run' if others[1:] else others[0].run} is ahead in "
        f"{sum(map(len, better.values()))} of {len(envs)} environments (certain in "
        f"{some(certain, 'of them') if certain else 'none'}): {where}."
    )


def _alone(first: Ranked, others: Sequence[Ranked], envs: Mapping[str, int]) -> str:
    """Return where only the first run solves tasks, or ""."""
    alone = [
        f"{plain(env)} ({round(first.solved_in[env], 1):g} of {tasks})"
        for env, tasks in envs.items()
        if first.solved_in[env] and not any(row.solved_in[env] for row in others)
    ]
    where = listing(alone)
    if len(alone) == len(envs) > 1:
        where = f"each of the {len(envs)} environments"
    elif len(alone) > 2 * _MOST_NAMED:
        where = f"{len(alone)} of the {len(envs)} environments"
    return f" Only {first.run} solves tasks in {where}." if alone else ""
