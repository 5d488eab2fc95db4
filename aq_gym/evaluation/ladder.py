"""The reference ladder: scores of known agents in the tasks of the suite ``ladder``.

``ladder.json`` has a row for each rung and benchmark; ``tools/reference_ladder.py``
writes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from aq_gym.evaluation.episode import EpisodeResult
from aq_gym.evaluation.intervals import Estimate
from aq_gym.evaluation.suite import Suite
from aq_gym.evaluation.summary import by_benchmark
from aq_gym.support.data import packaged_json

ALL = "all"


class RungRow(NamedTuple):
    """The scores of a known agent in a benchmark.

    Attributes:
        rung: The agent's name.
        env: The benchmark's id, or ``ALL`` for the mean over the tasks of all.
        episodes: The number of episodes, below ten where a slow model played fewer.
        estimates: The values and intervals by the name of their metric.
        privileged: Whether the agent knows more than an agent is told.
    """

    rung: str
    env: str
    episodes: int
    estimates: dict[str, Estimate]
    privileged: bool


@cache
def ladder() -> dict[str, Any]:
    """Return the data: the suite's hash, the rungs, the metrics and the rows."""
    data: dict[str, Any] = packaged_json("aq_gym.evaluation", "ladder.json")
    return data


@cache
def ladder_rows() -> tuple[RungRow, ...]:
    """Return the rows of all rungs, the lowest rung first."""
    names = ladder()["metrics"]
    return tuple(
        RungRow(
            rung,
            env,
            count,
            {
                name: Estimate(*value)
                for name, value in zip(names, values, strict=True)
                if value is not None
            },
            ladder()["rungs"][rung]["privileged"],
        )
        for rung, env, count, *values in ladder()["rows"]
    )


@cache
def _tasks() -> dict[str, frozenset[str]]:
    """Return the names of the ladder's tasks, by benchmark."""
    tasks = Suite.load("ladder").tasks
    ids = {task.id for task in tasks}
    own = {one: frozenset(t.name for t in tasks if t.id == one) for one in ids}
    return {**own, ALL: frozenset(task.name for task in tasks)}


def rungs_beside(episodes: Sequence[EpisodeResult]) -> list[RungRow]:
    """Return the rows to show beside episodes: those of the same tasks.

    They are those of each benchmark in which all episodes are tasks of the ladder; and
    the means over all benchmarks, if every task of the ladder was played.

    Args:
        episodes: The episodes of one or several runs.
    """
    played = {ALL: episodes, **by_benchmark(episodes)}
    names = {env: {e.first_task for e in own} for env, own in played.items()}
    known = _tasks()
    same = {env for env, own in names.items() if own and own <= known.get(env, set())}
    if names[ALL] != known[ALL]:
        same.discard(ALL)
    return [row for row in ladder_rows() if row.env in same]
