"""The results of one agent over several runs, and the costs of runs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from statistics import fmean, stdev
from typing import Any, NamedTuple

from aq_gym.evaluation.manifest import agent_label
from aq_gym.evaluation.summary import usage_totals
from aq_gym.report.data import Run, told_apart
from aq_gym.report.ranking import MANY, Ranked, Ranking
from aq_gym.report.summary import SummaryRow
from aq_gym.report.verdicts import paired
from aq_gym.support.escaping import short, visible

# The costs of an episode, by the name of the note, and their titles.
_COSTS = {
    "cost": "cost per episode, in US dollars",
    "tokens": "tokens per episode",
    "latency": "latency per episode, in seconds",
}
# The template has the same size.
_WIDTH, _HEIGHT, _LINE, _LONGEST = 210, 170, 14, 48


class AgentRow(NamedTuple):
    """The runs of one agent, which differ only in their seeds.

    Attributes:
        agent: The agent and its parameters, without the seed, as its runs are named.
        numbers: The numbers of the runs.
        env: The environment, or the name of the mean over all tasks.
        spreads: For each metric the mean over the runs and their standard deviation.
    """

    agent: str
    numbers: list[int]
    env: str
    spreads: Mapping[str, tuple[float, float]]


def agent_rows(runs: Sequence[Run], rows: Sequence[SummaryRow]) -> list[AgentRow]:
    """Group the runs of one agent in the same settings, with the spread between them.

    Args:
        runs: The runs.
        rows: The rows of their summary.
    """
    groups: dict[tuple[str, frozenset[str]], list[int]] = {}
    for number, run in enumerate(runs):
        settings = frozenset(episode.setting for episode in run.episodes)
        groups.setdefault((_agent(run), settings), []).append(number)
    found = []
    for (agent, _), numbers in groups.items():
        own = [row for row in rows if row.number in numbers and not row.by]
        for env in dict.fromkeys(row.env for row in own) if len(numbers) > 1 else ():
            known = [row.estimates for row in own if row.env == env]
            values = {
                name: [one[name].value for one in known if name in one]
                for name in dict.fromkeys(chain(*known))
            }
            spreads = {n: (fmean(v), stdev(v)) for n, v in values.items() if len(v) > 1}
            if spreads:
                found.append(AgentRow(agent, numbers, env, spreads))
    agents = [*dict.fromkeys(map(_agent, runs))]
    names = dict(zip(agents, told_apart(agents), strict=True))
    return [row._replace(agent=names[row.agent]) for row in found]


def pooled(runs: Sequence[Run], groups: Mapping[tuple[int, ...], str]) -> list[Run]:
    """Return the runs of each of several agents as one, and those that stand alone.

    They have an attempt at each task for each run, so that two agents are compared task
    by task by the means over their runs.

    Args:
        runs: The runs.
        groups: The numbers of the runs of each agent with its name, "" for a run that
            stands alone.
    """
    found = []
    for numbers, agent in groups.items():
        # By their seeds, which then are at the same place in each agent.
        seeds = sorted((runs[n] for n in numbers), key=lambda run: run.label)
        params = seeds[0].manifest.get("agent_params", {})
        found.append(
            replace(
                seeds[0],
                label=f"{agent} ({len(numbers)} runs)",
                manifest={
                    **seeds[0].manifest,
                    "agent_params": {**params, "seed": None},
                },
                episodes=[episode for run in seeds for episode in run.episodes],
            )
            if agent
            else seeds[0]
        )
    return found if sum(map(bool, groups.values())) > 1 else []


def _agent(run: Run) -> str:
    params = run.manifest.get("agent_params", {})
    agent = agent_label(run.manifest)
    told = ", ".join(
        f"{key}={json.dumps(params[key])}" for key in sorted({*params} - {"seed"})
    )
    return visible(f"{agent} ({told})" if told else agent)


class Tradeoff(NamedTuple):
    """A chart of progress against the cost of an episode, in SVG units.

    Attributes:
        name: The cost that is compared, with its unit.
        most: The end of its scale.
        points: For each run its number, label, short label, place, label height (only
            of the first runs), progress and cost.
    """

    name: str
    most: float
    points: list[dict[str, Any]]


def tradeoffs(
    runs: Sequence[Run], names: Sequence[str], ranked: Ranking | None
) -> list[Tradeoff]:
    """Return the charts of progress against cost, tokens and latency.

    Args:
        runs: The runs; a run without a note of some cost is not in the chart of that
            cost.
        names: Their short names.
        ranked: Their ranking, whose runs and tasks the charts show.
    """
    charts = []
    same = paired(runs)
    rows, common = (ranked.rows, ranked.common) if ranked else ((), ())
    for key, name in _COSTS.items():
        costs = []
        for row in rows:
            finished = same[row.number].finished
            own = [e for task in common for e in finished[task]]
            if total := usage_totals(own).get(key):
                costs.append((row, total / len(own)))
        if len(costs) > 1:
            charts.append(_tradeoff(name, names, costs))
    return charts


def _tradeoff(
    name: str, names: Sequence[str], costs: Sequence[tuple[Ranked, float]]
) -> Tradeoff:
    # A little more, in two digits.
    most = float(f"{1.05 * max(cost for _, cost in costs):.1e}")
    points: list[dict[str, Any]] = [
        {
            "number": row.number,
            "label": row.run,
            "short": short(names[row.number], _LONGEST),
            "x": round(_WIDTH * cost / most, 1),
            "y": round(_HEIGHT * (1 - row.progress.value), 1),
            "progress": row.progress.value,
            "cost": cost,
        }
        for row, cost in costs
    ]
    free = -float(_LINE)
    labelled = (point for point in points if point["number"] < MANY)
    for point in sorted(labelled, key=lambda p: p["y"]):
        # Labels stand below one another.
        free = max(point["y"], free + _LINE)
        point["label_y"] = round(free + 4, 1)
    return Tradeoff(name, most, points)
