"""Where agents get stuck: the step at which each episode reaches each subgoal."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, combinations
from math import ceil, inf
from statistics import fmean
from typing import TYPE_CHECKING

from aq_gym.support.escaping import visible

if TYPE_CHECKING:
    from aq_gym.report.collect import Observed

MISSED = -1
WITHOUT = -2
_SOLVED = "solved"
_QUARTERS = {
    "a quarter of the progress": 0.25,
    "half of the progress": 0.5,
    "three quarters of the progress": 0.75,
}
_MOST = 12
_MOST_OF_A_KIND = 1.5
_MOST_INVERTED = 0.1
# The part of a name that differs between instances, such as "b5" and "1".
_OBJECT = re.compile(r"(?<!\s)\s*\b\w*\d\w*\b\.?")


def milestones(observed: Sequence[Observed]) -> list[str]:
    """Return the milestones in the chart of an environment, in their usual order.

    They are the first of these that every episode has, at least 2 and at most 12 of
    them, and "solved": the subgoals; their kinds, if several instances have each and
    most have one of each; "n of m subgoals"; quarters of the progress.

    Args:
        observed: The episodes of all runs; those with an error are left out.
    """
    scored = [seen for seen in observed if not seen.episode.error]
    names = {tuple(seen.subgoals): seen for seen in scored}
    places: dict[str, dict[str, float]] = {}
    for seen in scored:
        kinds = kinds_of(seen.subgoals)
        for place, kind in enumerate(kinds):
            found = places.setdefault(kind, {})
            found[seen.episode.first_task] = place / len(kinds)
    shared = [*next(iter(names), ())]
    if len(names) > 1:
        single = sum(map(len, names)) <= _MOST_OF_A_KIND * sum(
            len(kinds_of(own)) for own in names
        )
        several = single and all(len(found) > 1 for found in places.values())
        shared = [*places] if several else []
        shared.sort(key=lambda kind: fmean(places[kind].values()))
    if not 2 <= len(shared) <= _MOST:
        counts = {len(own) for own in names}
        shared = _counted(counts.pop()) if len(counts) == 1 else [*_QUARTERS]
    return [*(shared or _QUARTERS), _SOLVED]


def kinds_of(names: Iterable[str]) -> dict[str, list[str]]:
    """Return the subgoals of each kind: those whose names differ in objects only.

    Args:
        names: The names of subgoals.
    """
    kinds: dict[str, list[str]] = {}
    for name in names:
        kinds.setdefault(_OBJECT.sub(" …", name).strip(" …") or "…", []).append(name)
    return kinds


def _counted(total: int) -> list[str]:
    """Return the names of numbers of subgoals: all, or a quarter, half, and so on."""
    parts = [ceil(total * part) for part in (*_QUARTERS.values(), 1.0)]
    shown = range(1, total + 1) if total <= _MOST else parts
    return [f"{n} of {total} subgoals" for n in shown] if total > 1 else []


def reached(seen: Observed, names: Sequence[str]) -> list[int]:
    """Return the step at which an episode first reached each milestone.

    Args:
        seen: The episode.
        names: The return value of :func:`milestones`.

    Returns:
        A step for each name: 0 if it held at the start, ``MISSED`` if it was never
        reached, ``WITHOUT`` if the episode does not have it.
    """
    episode, total = seen.episode, len(seen.subgoals)
    held = {n: inf if at is None else float(at) for n, at in seen.subgoals.items()}
    kinds = {k: max(held[n] for n in own) for k, own in kinds_of(held).items()}
    first = sorted(held.values())
    counts = {f"{n} of {total} subgoals": at for n, at in enumerate(first, 1)}
    own = {**counts, **kinds, **held}
    steps: Mapping[str, int] = {
        **seen.quarters,
        **{name: MISSED if at == inf else int(at) for name, at in own.items()},
        _SOLVED: episode.steps if episode.success else MISSED,
    }
    return [steps.get(name, WITHOUT) for name in names]


def in_order(reached_at: Sequence[Sequence[int]]) -> bool:
    """Return whether episodes reach the milestones in the order of the chart.

    In at most a tenth of all pairs of milestones, the later one may be reached first,
    or alone. So the letters of a word and the rows of a Sudoku have no order.

    Args:
        reached_at: The return value of :func:`reached` for each episode.
    """
    kept = inverted = 0
    for *steps, _ in reached_at:
        for first, second in combinations([s for s in steps if s != WITHOUT], 2):
            a, b = [inf if step == MISSED else step for step in (first, second)]
            kept += a < b
            inverted += b < a
    return inverted <= _MOST_INVERTED * (kept + inverted)


def stuck_at(steps: Sequence[int]) -> int:
    """Return the place of the first milestone that an episode missed, -1 if solved.

    Args:
        steps: The return value of :func:`reached`.
    """
    solved = not steps or steps[-1] != MISSED
    return -1 if solved else steps.index(MISSED)


def bottlenecks(observed: Sequence[Observed], names: Sequence[str]) -> dict[str, int]:
    """Return the place of the milestone at which most episodes are stuck.

    Args:
        observed: The episodes of a run in an environment whose milestones have an
            order; those with an error are left out.
        names: The return value of :func:`milestones`.

    Returns:
        The place for all episodes, under "", and for the episodes of each difficulty.
        If several places have as many episodes, it is the first of them; -1 if no
        episode is stuck.
    """
    places: dict[str, list[int]] = {"": []}
    for seen in observed:
        if not seen.episode.error:
            place = stuck_at(reached(seen, names))
            for difficulty in {"", visible(seen.episode.difficulty)}:
                places.setdefault(difficulty, []).append(place)
    return {difficulty: _most_frequent(own) for difficulty, own in places.items()}


def _most_frequent(places: Sequence[int]) -> int:
    counts = Counter(place for place in places if place >= 0)
    return min(counts, key=lambda place: (-counts[place], place), default=-1)


def quarters_of(progress: Sequence[float]) -> dict[str, int]:
    """Return the first step with each quarter of the progress, for :func:`reached`."""
    best = list(accumulate(progress, max))
    # A sum of parts such as 1/12 can be slightly less than 0.25.
    places = {
        name: bisect_left(best, least - 1e-9) for name, least in _QUARTERS.items()
    }
    return {name: at + 1 if at < len(best) else MISSED for name, at in places.items()}
