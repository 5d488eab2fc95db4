"""The figures of a run that stand beside its progress: loops, steps, cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from statistics import fmean
from typing import NamedTuple
from urllib.parse import urlencode

from aq_gym.core.text import amount, listing, plural
from aq_gym.evaluation import EpisodeResult
from aq_gym.evaluation.summary import by_benchmark, usage_totals
from aq_gym.report.data import UNFINISHED, Run, told_apart
from aq_gym.report.ranking import plain
from aq_gym.support.escaping import visible

# An episode loops if such a part of its steps, at least 3, repeat an action and answer.
_LOOPING, _LEAST_REPEATS = 0.25, 3
# Less valid actions are mostly invalid ones.
_MOSTLY = 0.5
_MOST_TOLD = 3
# More steps may help an episode that still made progress in this last part of them.
_LATE = 0.75
# Why an episode is unsolved: the first that holds, so that each counts once.
REASONS = (
    "stopped by invalid actions",
    "in a loop",
    "ended by a wrong answer or a loss",
    "cut off while getting further",
    "with mostly invalid actions",
    "stalled",
)


class Figure(NamedTuple):
    """A figure of a run.

    Attributes:
        name: What it is.
        text: The figure.
        value: What tables sort by; -1.0 where there is none.
        note: What it means.
        link: The address of the episodes that it counts, or "".
    """

    name: str
    text: str
    value: float
    note: str = ""
    link: str = ""


def is_looping(steps: int, futile: int) -> bool:
    """Return whether an episode loops.

    Args:
        steps: The number of its steps.
        futile: The number of steps that repeat an earlier action and its answer.
    """
    return futile >= max(_LEAST_REPEATS, _LOOPING * steps)


def flags_of(episode: EpisodeResult, futile: int) -> list[str]:
    """Return whether an episode is unsolved, for which reason, and whether it loops.

    Args:
        episode: An episode.
        futile: The number of steps that repeat an earlier action and its answer.
    """
    if episode.error or episode.ended in UNFINISHED:
        return []
    looping = is_looping(episode.steps, futile)
    best = max(episode.progress, default=0.0)
    late = min(_LATE * episode.steps, episode.steps - 1)
    holds = (
        episode.cap_reached == "max_invalid",
        looping,
        episode.ended == "terminated" or (episode.cap == 1 and bool(episode.grounding)),
        best > 0
        and episode.ended == "truncated"
        and episode.progress.index(best) >= late,
        episode.grounding is not None and episode.grounding < _MOSTLY,
        True,
    )
    why = [] if episode.success else ["unsolved", REASONS[holds.index(True)]]
    return [*why, *["looping"] * looping]


def failed_told(flags: Iterable[Sequence[str]], scored: int) -> str:
    """Return in a sentence why episodes are unsolved, each for one reason.

    Args:
        flags: What :func:`flags_of` returns for each episode.
        scored: The number of those that count.
    """
    counts = Counter(chain(*flags))
    why = sorted(filter(counts.get, REASONS), key=lambda one: -counts[one])
    told = listing([f"{counts[one]} {one}" for one in why])
    return f"Fails in {counts['unsolved']} of {plural(scored, 'episode')}: {told}."


def figures_of(run: Run, counts: Mapping[str, Sequence[int]]) -> list[Figure]:
    """Return the figures of a run, in an order that all runs share.

    Args:
        run: The run.
        counts: For the name of each episode the number of its steps that repeat an
            earlier action and its answer, and that of the subgoals it reached.
    """
    scored = [episode for episode in run.episodes if not episode.error]
    loops = sum(is_looping(e.steps, counts[e.task][0]) for e in scored)
    solved = sum(episode.success for episode in scored)
    return [
        Figure(
            "loops",
            f"{loops} of {len(scored)}" if scored else "-",
            loops / max(len(scored), 1),
            "episodes, however they ended, repeat an action and its answer in a "
            f"quarter of their steps, at least {_LEAST_REPEATS}",
            f"#{urlencode({'of': run.label})}&outcome=looping&sort=-looping",
        ),
        *costs_of(run, solved, sum(n for _, n in counts.values())),
    ]


def costs_of(run: Run, solved: int, subgoals: int = 0) -> list[Figure]:
    """Return what an episode cost, and each of the tasks and subgoals, if known."""
    used = usage_totals(run.episodes)
    found = []
    for key, name, form in (
        ("cost", "cost", "${}"),
        ("tokens", "tokens", "{}"),
        ("latency", "seconds", "{}"),
    ):
        if total := used.get(key):
            mean = total / len(run.episodes)
            per = [f"{form.format(amount(total))} in all"]
            per += [
                f"{form.format(amount(total / count))} per {what}"
                for count, what in ((solved, "solved task"), (subgoals, "subgoal"))
                if count
            ]
            each = form.format(amount(mean))
            found.append(Figure(f"{name} per episode", each, mean, ", ".join(per)))
    return found


def stuck_told(runs: Sequence[Run]) -> str:
    """Return how far unsolved episodes get, and in which environment least far.

    Args:
        runs: The runs, paired; of more than three, nothing is told.
    """
    names = told_apart([run.label for run in runs]) if runs[1:] else ["It"]
    told = [
        _stuck_in(run.episodes, name)
        for run, name in zip(runs, names, strict=True)
        if len(runs) <= _MOST_TOLD
    ]
    return " ".join(filter(None, told))


def _stuck_in(episodes: Sequence[EpisodeResult], name: str) -> str:
    scored = [e for e in episodes if not e.error]
    failed = [e for e in scored if not e.success]
    if not failed:
        return f"{name} solves every episode." * (0 < len(scored) == len(episodes))
    idle = sum(not e.progress_rate for e in failed)
    near = sum(e.progress_rate >= _LATE for e in failed)
    means = {
        env: fmean(e.progress_rate for e in own)
        for env, own in by_benchmark(scored).items()
    }
    worst = [plain(visible(e)) for e in means if means[e] == min(means.values())]
    if more := worst[_MOST_TOLD + 1 :]:
        worst[_MOST_TOLD:] = [f"{len(more) + 1} others"]
    return (
        f"{name} makes no progress in {idle} of {len(failed)} unsolved episodes and "
        f"reaches three quarters in {near}"
        + f"; on average it gets least far in {listing(worst)}"
        f" ({min(means.values()):.2f})" * (len(means) > 1) + f"{_nearly(failed)}."
    )


def _nearly(failed: Sequence[EpisodeResult]) -> str:
    """Return how many episodes ended at their cap with one step to go, if known."""
    # A wrong answer as the only step brought none nearer.
    near = sum(e.steps_to_go[-1:] == [1] and e.steps >= e.cap > 1 for e in failed)
    return f"; the expert would need one step more in {near}" if near else ""


def aligned(rows: Sequence[Sequence[Figure]]) -> list[list[Figure]]:
    """Return the figures of several runs with the same columns.

    Args:
        rows: The figures of each run; one that lacks some gets dashes.
    """
    names = list(dict.fromkeys(figure.name for row in rows for figure in row))
    tables = [{figure.name: figure for figure in row} for row in rows]
    return [[own.get(n, Figure(n, "-", -1.0)) for n in names] for own in tables]
