"""Verdicts on two runs in sentences, for the report and ``aq-gym compare``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from statistics import fmean
from typing import NamedTuple

from aq_gym.core.text import listing, plural
from aq_gym.evaluation import Comparison, EpisodeResult, Estimate, compare, fewest_tasks
from aq_gym.evaluation.manifest import agent_label
from aq_gym.evaluation.metrics import format_estimate, shown_p
from aq_gym.evaluation.runner import uncapped
from aq_gym.report.data import Run, told_apart

SUCCESS, PROGRESS = "success rate", "progress rate"
_BESIDE = (SUCCESS, "repetition rate", "grounding accuracy")
CERTAIN = 0.05
# A difference is seen in 80% of comparisons if it is 1.96 + 0.84 standard errors, and
# half of a 95% interval is 1.96 of them.
_SEEN = (1.96 + 0.84) / 1.96
_Attempts = Sequence[EpisodeResult]
_scores = attrgetter("success", "progress_rate")


def parent_in(run: Run, runs: Sequence[Run]) -> Run | None:
    """Return the one of some runs that a run continues (``--from``), or None."""
    parent = run.manifest.get("parent")
    if not isinstance(parent, dict):
        return None
    known = ("suite", "agent", "agent_params")
    return next(
        (
            one
            for one in runs
            if one is not run
            and all(one.manifest.get(key) == parent.get(key) for key in known)
        ),
        None,
    )


def paired(runs: Sequence[Run]) -> list[Run]:
    """Return runs in which those that continue another one have its tasks' names.

    With a larger step cap, a task has another name; the names are for comparisons only,
    as the trajectories keep theirs.

    Args:
        runs: The runs.
    """
    found = []
    for run in runs:
        if parent := parent_in(run, runs):
            names = {_key(e): e.task for e in parent.episodes}
            own = [replace(e, task=names.get(_key(e), e.task)) for e in run.episodes]
            run = replace(run, episodes=own)
        found.append(run)
    return found


def _key(episode: EpisodeResult) -> tuple[str, int, int]:
    return uncapped(episode.setting), episode.seed, episode.attempt


def verdict(first: Run, second: Run, names: Sequence[str] = ()) -> list[str]:
    """Compare two runs in sentences: which is better, and whether they are the same.

    Args:
        first: A run.
        second: Another one; a run that continues another is paired with it.
        names: Their names on a page; by default what tells the two apart.

    Returns:
        The sentences; none if no task was finished without an error in both, and one
        if all results are the same or a run continues the other.
    """
    pair = paired([first, second])
    common = _common(pair)
    if not common:
        return []
    if parent_in(first, [second]):
        return verdict(second, first, names[::-1])
    same = sum(_alike(*attempts) for attempts in common)
    alike = _same(first, second, same, len(common))
    if same == len(common):
        return [alike]
    beside = compare(pair[0].episodes, pair[1].episodes, [PROGRESS, *_BESIDE])
    result = beside.pop(PROGRESS)
    solved = [
        [fmean([e.success for e in own]) for own in attempts]
        for attempts in zip(*common, strict=True)
    ]
    names = names or told_apart([first.label, second.label])
    first, second = (
        replace(run, label=name)
        for run, name in zip((first, second), names, strict=True)
    )
    if parent_in(second, [first]):
        return [_continued(first, second, result, solved)]
    sentences = [better(first.label, second.label, result, beside)]
    only = [
        sum(a > b for a, b in zip(*own, strict=True)) for own in (solved, solved[::-1])
    ]
    if any(only):
        (most, name), (fewest, other) = sorted(
            zip(only, names, strict=True), key=lambda one: -one[0]
        )
        how = _solved_by(common)
        sentences.append(
            f"{plural(most, 'task')} {'is' if most == 1 else 'are'} "
            f"{how.format(name)}, {fewest} {how.removeprefix('solved ').format(other)}."
        )
    return [*sentences, alike]


def _common(pair: Sequence[Run]) -> list[tuple[_Attempts, _Attempts]]:
    """Return the attempts of both runs at each task that both finished."""
    before, after = (run.finished for run in pair)
    return [(own, after[task]) for task, own in before.items() if task in after]


def _solved_by(common: Sequence[tuple[_Attempts, _Attempts]]) -> str:
    several = any(own[1:] for pair in common for own in pair)
    return "solved more often by {}" if several else "solved by {} only"


class Part(NamedTuple):
    """A part of the tasks that two runs have in common.

    Attributes:
        name: What the tasks have in common.
        tasks: Their number.
        kind: "first" or "second" if that run gets further, with "-solves" if it also
            solves more; "both" or "none".
    """

    name: str
    tasks: int
    kind: str


def parts(first: Run, second: Run, names: Sequence[str] = ()) -> list[Part]:
    """Return in how many tasks each of two runs gets further, for a picture.

    Args:
        first: A run.
        second: Another one; of a run that continues another, what more steps gave.
        names: Their names on a page; by default what tells the two apart.
    """
    if parent_in(first, [second]):
        return parts(second, first, names[::-1])
    names = names or told_apart([first.label, second.label])
    common = _common(paired([first, second]))
    counts = Counter(_kind(*attempts) for attempts in common)
    told = {
        "first-solves": _solved_by(common).format(names[0]),
        "first": f"{names[0]} gets further",
        "both": "solved by both",
        "none": "equally far",
        "second": f"{names[1]} gets further",
        "second-solves": _solved_by(common).format(names[1]),
    }
    if parent_in(second, [first]):
        told |= {
            "both": f"solved by {names[0]}",
            "second": "further with more steps",
            "second-solves": "solved with more steps",
            "none": "no further with more steps",
        }
    return [
        Part(name, counts[kind], kind) for kind, name in told.items() if counts[kind]
    ]


def _kind(before: _Attempts, after: _Attempts) -> str:
    one, other = (
        [round(fmean(one), 9) for one in zip(*map(_scores, own), strict=True)]
        for own in (before, after)
    )
    if one != other:
        return ("first" if one > other else "second") + (
            "-solves" if one[0] != other[0] else ""
        )
    return "both" if one[0] == 1 else "none"


def better(
    first: str, second: str, result: Comparison, beside: Mapping[str, Comparison]
) -> str:
    """Return which of two runs makes more progress, or what difference would be seen.

    Args:
        first: The label of a run.
        second: The label of another one.
        result: Their compared progress rates: the second minus the first.
        beside: Their compared success rates, and other rates.
    """
    over = f"over {plural(result.pairs, 'task')}"
    if result.difference.value < 0:
        first, second = second, first
        result = turned(result)
        beside = {name: turned(one) for name, one in beside.items()}
    value, low, high = result.difference
    more = format_estimate(PROGRESS, Estimate(value, low, high))
    if result.p_value < CERTAIN:
        doubt = beside[SUCCESS].p_value >= CERTAIN
        return (
            f"{second} makes more progress than {first}: {more} more {over} "
            f"(p {shown_p(result.p_value)})"
            f"{'; success: no certain difference' * doubt}."
        )
    both = f"in mean progress between {second} and {first}"
    if result.pairs < fewest_tasks() or low is None or high is None:
        return (
            f"No difference {both} can be seen {over}: p can be below 0.05 from "
            f"{fewest_tasks()} tasks on."
        )
    seen = _SEEN * (high - low) / 2
    ahead = f"{second} makes {more} more" if value else f"their difference is {more}"
    differ = [
        f"{name} is {'higher' if one.difference.value > 0 else 'lower'} by "
        f"{abs(one.difference.value):.2f} (p {shown_p(one.p_value)})"
        for name, one in beside.items()
        if one.p_value < CERTAIN
    ]
    often = more_often(first, "it" if value else second, result)
    return (
        f"No certain difference {both} {over}: {ahead}{often}. A difference of "
        f"{min(seen, 1.0):.2f} would be seen in four of five such comparisons."
        + f" But the {listing(differ)} for {second}."
        * bool(differ)
    )


def more_often(first: str, second: str, result: Comparison) -> str:
    """Return which of two runs is ahead in more tasks, "" if that may be chance."""
    won, _, lost = result.signs
    if result.holm_sign_p_value >= CERTAIN:
        return ""
    what = "tasks" if sum(result.signs) == result.pairs else "instances"
    return (
        f", but {second if won > lost else first} is ahead in "
        f"{f'{max(won, lost)} of the' if min(won, lost) else 'all'} {won + lost} "
        f"{what} that differ (sign test, "
        f"p {shown_p(result.holm_sign_p_value)})"
    )


def _minus(end: float | None) -> float | None:
    return None if end is None else 0.0 - end


def _continued(
    first: Run, second: Run, result: Comparison, solved: Sequence[Sequence[float]]
) -> str:
    """Return what more steps gave to a run that continues the first one."""
    value, low, high = result.difference
    # The best progress cannot fall in more steps.
    more = format_estimate(PROGRESS, Estimate(value, low and max(low, 0.0), high))
    unsolved = sum(share < 1 for share in solved[0])
    gained = sum(a < b for a, b in zip(*solved, strict=True))
    return (
        f"More steps solve {gained} of {unsolved} unsolved tasks; the progress rate of "
        f"{second.label} is {more} above that of {first.label}, which it continues."
    )


def turned(result: Comparison) -> Comparison:
    """Return a comparison with the other run as the first one."""
    value, low, high = result.difference
    return result._replace(
        difference=Estimate(0.0 - value, _minus(high), _minus(low)),
        first=result.first + value,
        signs=result.signs[::-1],
    )


def _alike(first: _Attempts, second: _Attempts) -> bool:
    one, other = (
        [(e.progress, e.repeated, e.ended) for e in own] for own in (first, second)
    )
    return one == other


def _same(first: Run, second: Run, same: int, tasks: int) -> str:
    """Return in how many tasks two runs have the same results at each step."""
    agents = [agent_label(run.manifest) for run in (first, second)]
    params = [run.manifest.get("agent_params", {}) for run in (first, second)]
    names = sorted(
        key
        for key in params[0].keys() | params[1].keys()
        if params[0].get(key) != params[1].get(key)
    )
    differ = f"differ in {', '.join(names)}" if names else "are the same"
    if agents[0] != agents[1]:
        differ = "differ"
    count = f"of all {tasks}" if same == tasks else f"in {same} of {tasks}"
    same_at = f"Progress and repeats are the same at each step {count} tasks"
    return f"{same_at}; the agents {differ}."
