"""The figures of a run that stand beside its progress: loops, steps, cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple
from urllib.parse import urlencode

from aq_gym.core.text import amount, listing
from aq_gym.evaluation import EpisodeResult
from aq_gym.evaluation.summary import by_benchmark, usage_totals
from aq_gym.report.data import RUNNING, Run, told_apart
from aq_gym.report.ranking import Ranking, plain
from aq_gym.support.escaping import visible

# An episode loops if such a part of its steps, at least 3, repeat an action and answer.
_LOOPING, _LEAST_REPEATS = 0.25, 3
_MOST_TOLD = 3
# More steps may help an episode that still made progress in this last part of them.
_LATE = 0.75


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


def is_rising(episode: EpisodeResult) -> bool:
    """Return whether an unsolved episode made progress up to its last steps.

    Args:
        episode: An episode; one that an error or its environment ended is not cut off.
    """
    if episode.success or episode.error or episode.ended != "truncated":
        return False
    best = max(episode.progress, default=0.0)
    late = min(_LATE * episode.steps, episode.steps - 1)
    return best > 0 and episode.progress.index(best) >= late


def flags_of(episode: EpisodeResult, futile: int) -> list[str]:
    """Return what the list of episodes can be filtered by, besides their outcomes.

    Args:
        episode: An episode.
        futile: The number of steps that repeat an earlier action and its answer.
    """
    ended = not episode.error and episode.ended != RUNNING
    failed = ended and not episode.success
    holds = {
        "unsolved": failed,
        "lost for good": failed and episode.ended == "terminated",
        "cut short": is_rising(episode),
        "stopped by invalid actions": failed and episode.cap_reached == "max_invalid",
        "looping": ended and is_looping(episode.steps, futile),
    }
    return [flag for flag, held in holds.items() if held]


def figures_of(run: Run, counts: Mapping[str, Sequence[int]]) -> list[Figure]:
    """Return the figures of a run, in an order that all runs share.

    Args:
        run: The run.
        counts: For the name of each episode the number of its steps that repeat an
            earlier action and its answer, and that of the subgoals it reached.
    """
    scored = [episode for episode in run.episodes if not episode.error]
    failed = [episode for episode in scored if not episode.success]
    flags = Counter(f for e in scored for f in flags_of(e, counts[e.task][0]))
    found = [
        Figure(
            "loops",
            f"{flags['looping']} of {len(scored)}" if scored else "-",
            flags["looping"] / max(len(scored), 1),
            "episodes repeat an action and its answer in a quarter of their steps, at "
            f"least {_LEAST_REPEATS}",
            _listed(run, outcome="looping", sort="-looping"),
        )
    ]
    if failed:
        found.append(
            Figure(
                "cut short",
                f"{flags['cut short']} of {len(failed)}",
                flags["cut short"] / len(failed),
                "unsolved episodes were cut off while they still got further, in the "
                "last quarter of their steps: "
                "more may help",
                _listed(run, outcome="cut short", sort="-progress"),
            )
        )
    return found + _costs(
        run, len(scored) - len(failed), sum(n for _, n in counts.values())
    )


def _costs(run: Run, solved: int, subgoals: int) -> list[Figure]:
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


def _listed(run: Run, **asked: Any) -> str:
    return f"#{urlencode({'of': run.label, **asked})}"


def stuck_told(runs: Sequence[Run], ranked: Ranking | None = None) -> str:
    """Return how far unsolved episodes get, and in which environment least far.

    Args:
        runs: The runs, paired; of more than three, those that are ranked are told of
            together, in the tasks that all of these have.
        ranked: Their ranking.
    """
    names = told_apart([run.label for run in runs]) if runs[1:] else ["It"]
    told = (
        [(run.episodes, name, "s") for run, name in zip(runs, names, strict=True)]
        if len(runs) <= _MOST_TOLD
        else []
        if not ranked
        else [
            (
                [
                    e
                    for row in ranked.rows
                    for e in runs[row.number].episodes
                    if e.first_task in ranked.common
                ],
                f"The {len(ranked.rows)} ranked runs",
                "",
            )
        ]
    )
    return " ".join(filter(None, (_stuck_in(*one) for one in told)))


def _stuck_in(episodes: Sequence[EpisodeResult], name: str, s: str) -> str:
    scored = [e for e in episodes if not e.error]
    failed = [e for e in scored if not e.success]
    if not failed:
        return f"{name} solve{s} every episode." * (0 < len(scored) == len(episodes))
    idle = sum(not e.progress_rate for e in failed)
    near = sum(e.progress_rate >= _LATE for e in failed)
    stopped = sum(e.cap_reached == "max_invalid" for e in failed)
    means = {
        env: fmean(e.progress_rate for e in own)
        for env, own in by_benchmark(scored).items()
    }
    worst = [plain(visible(e)) for e in means if means[e] == min(means.values())]
    if more := worst[_MOST_TOLD + 1 :]:
        worst[_MOST_TOLD:] = [f"{len(more) + 1} others"]
    return (
        f"{name} make{s} no progress in {idle} of {len(failed)} unsolved episodes "
        f"and reach{s and 'es'} three quarters in {near}"
        + f"; invalid actions in a row stop {stopped}"
        * bool(stopped)
        + f"; on average {'it gets' if s else 'they get'} least far in {listing(worst)}"
        f" ({min(means.values()):.2f})"
        * (len(means) > 1)
        + f". Of these {len(failed)}, "
        f"{sum(map(is_rising, failed)) or 'none'} were cut off while they still got "
        "further, in the last quarter of their steps, so that more might help"
        f"{_nearly(failed)}."
    )


def _nearly(failed: Sequence[EpisodeResult]) -> str:
    """Return how many episodes ended at their cap with one step to go, if known."""
    near = sum(e.steps_to_go[-1:] == [1] and e.steps >= e.cap > 0 for e in failed)
    return f"; the expert would need one step more in {near}" if near else ""


def aligned(rows: Sequence[Sequence[Figure]]) -> list[list[Figure]]:
    """Return the figures of several runs with the same columns.

    Args:
        rows: The figures of each run; one that lacks some gets dashes.
    """
    names = list(dict.fromkeys(figure.name for row in rows for figure in row))
    tables = [{figure.name: figure for figure in row} for row in rows]
    return [[own.get(n, Figure(n, "-", -1.0)) for n in names] for own in tables]
