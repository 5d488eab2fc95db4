"""Where agents get stuck: the step at which each episode reaches each subgoal."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate, combinations
from math import ceil, inf
from typing import TYPE_CHECKING

from aq_gym.support.escaping import visible

if TYPE_CHECKING:
    from aq_gym.report.findings import Observed

MISSED = -1
WITHOUT = -2
_SOLVED = "solved"
_QUARTERS = {"progress 0.25": 0.25, "progress 0.5": 0.5, "progress 0.75": 0.75}
_MOST = 12
_MOST_INVERTED = 0.1


def milestones(observed: Sequence[Observed]) -> list[str]:
    """Return the milestones in the chart of an environment, in their usual order.

    They are the subgoals that at least a quarter of the episodes have, at most the 12
    most frequent ones, or quarters of the progress if episodes share fewer than two;
    and "solved".

    Args:
        observed: The episodes of all runs; those with an error are left out.
    """
    places: dict[str, list[float]] = {}
    scored = [seen for seen in observed if not seen.episode.error]
    for seen in scored:
        for place, name in enumerate(seen.subgoals):
            places.setdefault(name, []).append(place / len(seen.subgoals))
    fewest = ceil(len(scored) / 4)
    shared = [name for name, found in places.items() if len(found) >= fewest]
    shared = sorted(shared, key=lambda name: -len(places[name]))[:_MOST]
    if len(shared) < 2:
        return [*_QUARTERS, _SOLVED]
    shared.sort(key=lambda name: sum(places[name]) / len(places[name]))
    return [*shared, _SOLVED]


def reached(seen: Observed, names: Sequence[str]) -> list[int]:
    """Return the step at which an episode first reached each milestone.

    Args:
        seen: The episode.
        names: The return value of :func:`milestones`.

    Returns:
        A step for each name: 0 if it held at the start, ``MISSED`` if it was never
        reached, ``WITHOUT`` if the episode does not have it.
    """
    episode = seen.episode
    steps: Mapping[str, int] = {
        **seen.quarters,
        **{name: MISSED if at is None else at for name, at in seen.subgoals.items()},
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
