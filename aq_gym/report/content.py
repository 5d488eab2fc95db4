"""The content of the page of some runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from aq_gym.evaluation import EpisodeResult
from aq_gym.evaluation.summary import by_benchmark, sources_of
from aq_gym.papers.published import (
    Paper,
    published_columns,
    published_rows,
    published_source,
)
from aq_gym.report.agents import AgentRow, agent_rows, pooled, tradeoffs
from aq_gym.report.archive import Archive, dumps
from aq_gym.report.collect import Collected, Collector
from aq_gym.report.comparability import (
    agent_told,
    contrasts,
    provenance,
    warnings,
)
from aq_gym.report.curves import Curves, curves_of
from aq_gym.report.data import UNFINISHED, Run, told_apart
from aq_gym.report.findings import find_all, telling
from aq_gym.report.overview import (
    REASONS,
    aligned,
    failed_told,
    figures_of,
    stuck_told,
)
from aq_gym.report.page import render
from aq_gym.report.ranking import (
    MANY,
    MOST_COLORS,
    Ranking,
    plain,
    ranked_first,
    ranking,
)
from aq_gym.report.ratings import rated_runs
from aq_gym.report.story import counting
from aq_gym.report.stuck import bottlenecks
from aq_gym.report.summary import (
    EACH,
    OVERALL,
    columns,
    environments,
    repeated_runs,
    skill_rows,
    summary_rows,
    titles,
    with_rungs,
)
from aq_gym.report.verdicts import Part, paired, parts, verdict
from aq_gym.support.escaping import visible

_SECTIONS = (
    ("agents-of", "Agents"),
    ("findings", "How it fails"),
    ("verdict", "Is one better?"),
    ("stuck", "Where it gets stuck"),
    ("summary", "Summary"),
    ("attempts", "Attempts"),
    ("ratings", "Ratings"),
    ("curves", "Curves"),
    ("episodes", "Episodes"),
)
_MOST_NAMED = 3
# The metrics beside the progress.
_BESIDE = (
    "success rate",
    "progress above chance",
    "repetition rate",
    "grounding accuracy",
    "steps",
)
# From how many runs on, how many findings of each are shown at first.
_FIRST = ((5, 1), (4, 2), (2, 4), (1, 8))
# How much less another finding of the same kind, or environment, says.
_LESS = 0.7
# A longer summary shows only the means at first.
_MOST_ROWS = 24
# What the list of episodes can be filtered by: outcomes, and flags of unsolved ones.
_OUTCOMES = (
    "solved",
    "unsolved",
    *REASONS,
    "looping",
    "error",
    *UNFINISHED,
)


def report_page(
    runs: Sequence[Run],
    collected: Collected,
    *,
    title: str = "",
    folder: str = "",
    live: Mapping[str, Any] | None = None,
    unpictured: str = "",
    papers: Sequence[Paper] = (),
) -> str:
    """Return the page without its trajectories.

    Args:
        runs: The runs.
        collected: The data of their episodes.
        title: The page's title.
        folder: The folder of the trajectories, "" if they are in the page.
        live: For runs in progress: the stamp of the page, whether the runs have
            finished, and their status.
        unpictured: The note on episodes without pictures.
        papers: Published scores of the user.
    """
    names = environments(runs)
    rows = summary_rows(runs)
    rated = rated_runs(runs, _link)
    repeated = repeated_runs(runs)
    labels = told_apart([run.label for run in runs])
    ranked = ranking(runs)
    order = ranked_first(ranked, len(runs))
    agents = agent_rows(runs, rows)
    groups = _groups(agents, order)
    pools = pooled(runs, groups)
    lines = dict(
        zip(
            told_apart([run.label for run in pools or runs]),
            groups if pools else zip(range(len(runs))),
            strict=True,
        )
    )
    curves = [_curves(pools or runs, env) for env in names]
    both = _compared(pools, runs, labels, ranked)
    optional = {
        "agents-of": both["agents_ranked"],
        "attempts": repeated,
        "ratings": rated,
        "verdict": both["verdicts"],
    }
    published = published_rows(runs, papers)
    return render(
        "report.html",
        mode="live" if live else "folder" if folder else "",
        title=title or _title(labels),
        sections=[one for one in _SECTIONS if optional.get(one[0], True)],
        live=live,
        runs=[{"label": run.label, "facts": provenance(run)} for run in runs],
        names=labels,
        agent_told=agent_told(runs, labels),
        lines=[*lines],
        colored=MOST_COLORS,
        crowd=len(runs) > MANY,
        warnings=warnings(runs),
        environments=[visible(name) for name in names],
        difficulties=list(dict.fromkeys(r.part for r in rows if r.by == "difficulty")),
        listed=list(dict.fromkeys(collected.columns["env"])),
        outcomes=[
            one
            for one in _OUTCOMES
            if one in (*collected.columns["outcome"], "looping")
            or any(one in flags for flags in collected.columns["flags"])
        ],
        columns=columns(rows),
        # With as many tasks in each environment, both means are the same.
        rows=[
            row
            for row in with_rungs(runs, rows, order)
            if row.env != EACH
            or len({r.tasks for r in rows if not r.by and r.env not in OVERALL}) > 1
        ],
        costs=[n for n in ("cost", "latency") if any(getattr(r, n) for r in rows)],
        kinds=[k for k in ("difficulty", "setting") if any(r.by == k for r in rows)],
        many=len(runs) * len(names) > _MOST_ROWS and len(names) > 1,
        agents=agents,
        tradeoffs=tradeoffs(runs, labels, ranked),
        overall=OVERALL,
        titles=titles(runs),
        published=published,
        published_metrics=published_columns(published),
        published_source=published_source(runs, papers),
        **both,
        skills=skill_rows(runs),
        ranking=ranked,
        order=order,
        findings=_findings(runs, collected, groups),
        counted=any(e.steps_to_go for run in runs for e in run.episodes),
        reasons=REASONS,
        figures=_figures(runs, collected.columns, ranked),
        beside=_BESIDE,
        plain=plain,
        sources=visible(sources_of(e for run in runs for e in run.episodes)),
        stuck_told=stuck_told(paired(runs)),
        repeated=repeated,
        rated_runs=rated,
        data=dumps(
            {
                **_data(runs, labels, collected, curves, folder, unpictured),
                "order": ranked_first(both["agents_ranked"] or ranked, len(lines)),
                "lines": [
                    (k, [runs[n].label for n in own]) for k, own in lines.items()
                ],
                "stuck": _stuck(runs, collected, lines),
                "verdicts": [
                    (*map(both["baselines"].index, one[:2]), *one[2:])
                    for one in both["verdicts"]
                ],
            }
        ),
    )


def _title(labels: Sequence[str]) -> str:
    if len(labels) > _MOST_NAMED:
        return f"Report: {len(labels)} runs"
    return f"Report: {', '.join(labels)}"


def _data(
    runs: Sequence[Run],
    labels: Sequence[str],
    collected: Collected,
    curves: Sequence[Sequence[tuple[int, Curves]]],
    folder: str,
    unpictured: str,
) -> dict[str, Any]:
    return {
        "runs": [run.label for run in runs],
        "names": labels,
        "curves": [
            [
                {
                    "run": number,
                    "progress": one.progress._asdict(),
                    "repetition": one.repetition._asdict(),
                    "episodes": one.episodes,
                }
                for number, one in own
            ]
            for own in curves
        ],
        "episodes": collected.columns,
        "milestones": collected.milestones,
        "counted": {env: counting(env) for env in collected.milestones},
        "folder": folder,
        "unpictured": unpictured,
        "reasons": REASONS,
    }


def _stuck(
    runs: Sequence[Run], collected: Collected, lines: Mapping[str, Sequence[int]]
) -> dict[str, dict[str, Any]]:
    """Return the places that the chart outlines, by environment and agent or run."""
    columns = {name: own for name, own in lines.items() if own[1:]}
    columns |= {run.label: (n,) for n, run in enumerate(runs)}
    return {
        env: {
            name: bottlenecks(
                [*chain(*(collected.observed[env].get(n, ()) for n in numbers))],
                collected.milestones[env],
            )
            for name, numbers in columns.items()
        }
        for env in collected.ordered
    }


def _curves(runs: Sequence[Run], env: str) -> list[tuple[int, Curves]]:
    own = (curves_of(by_benchmark(run.episodes).get(env, [])) for run in runs)
    return [(number, curves) for number, curves in enumerate(own) if curves.episodes]


def reasons(folder: Path, episodes: Sequence[EpisodeResult]) -> list[str]:
    """Return why a run's episodes fail: first the reasons of all unsolved ones.

    Then what explains most of them in each environment, of a single one up to two.

    Args:
        folder: The run's directory.
        episodes: Its finished episodes; their trajectories are read.
    """
    runs = [Run("", folder, {}, episodes)]
    with Archive() as archive:
        collected = Collector().collect(runs, archive)
    found = _findings(runs, collected, {(0,): ""})[0]
    some = [one for one in (*found["first"], *found["rest"]) if one["weight"]]
    some.sort(key=lambda one: one["weight"])
    best = {one["env"]: one for one in some}
    shown = sorted(best.values(), key=some.index) if len(best) > 1 else some[-2:]
    scored = sum(not episode.error for episode in episodes)
    why = failed_told(collected.columns["flags"], scored)
    told = [f"{one['env']}: {one['text']}" for one in reversed(shown)]
    return [why, *told] if told else []


def _groups(
    agents: Sequence[AgentRow], order: Sequence[int]
) -> dict[tuple[int, ...], str]:
    """Return the runs of each agent, with its name, and those that stand alone."""
    found = {(*row.numbers,): row.agent for row in agents}
    several = set(chain(*found))
    found |= {(number,): "" for number in order if number not in several}
    return dict(sorted(found.items(), key=lambda one: min(map(order.index, one[0]))))


def _findings(
    runs: Sequence[Run], collected: Collected, groups: Mapping[tuple[int, ...], str]
) -> list[dict[str, Any]]:
    """Return the findings of each agent, over all environments the best ones first."""
    most = next(most for fewest, most in _FIRST if len(groups) >= fewest)
    shown = []
    for numbers, agent in groups.items():
        by_env = find_all(collected, numbers)
        own = [
            {
                "env": env,
                **finding._asdict(),
                "links": [_link(task, run, at) for run, task, at in finding.examples],
            }
            for env, found in by_env.items()
            for finding in telling(found, 6 if len(collected.milestones) == 1 else 3)
        ]
        own.sort(key=lambda one: -one["weight"])
        first = _different([one for one in own if one["weight"]], most)
        failed = {one["env"] for one in own if one["weight"]}
        shown.append(
            {
                "number": numbers[0],
                "agent": agent,
                "runs": [runs[number].label for number in numbers],
                "first": first,
                "rest": [one for one in own if one not in first],
                "solved": all(runs[number].all_solved for number in numbers),
                "without": [plain(env) for env in by_env if env not in failed],
            }
        )
    return shown


def _different(findings: Sequence[dict[str, Any]], most: int) -> list[dict[str, Any]]:
    """Return the findings that explain most, of as many environments as there are."""
    left = list(findings)
    chosen: list[dict[str, Any]] = []
    seen: Counter[str] = Counter()
    while left and len(chosen) < most:
        best = max(
            left,
            key=lambda one: (
                not seen[one["env"]],
                one["weight"] * _LESS ** (seen[one["env"]] + seen[one["kind"]]),
            ),
        )
        left.remove(best)
        seen.update((best["env"], best["kind"]))
        chosen.append(best)
    return sorted(chosen, key=lambda one: -one["weight"])


def _compared(
    pools: Sequence[Run],
    runs: Sequence[Run],
    names: Sequence[str],
    ranked: Ranking | None,
) -> dict[str, Any]:
    """Return the verdicts on any two of several agents, and on any two runs.

    Args:
        pools: The runs of each of several agents as one run.
        runs: The runs.
        names: Their short names.
        ranked: Their ranking.
    """
    by_rank = ranking(pools) if pools else None
    pools = [
        pools[n] for n in ranked_first(by_rank, len(pools)) if pools[n] not in runs
    ]
    by_agent = _verdicts(pools, [pool.label for pool in pools])
    by_run = _verdicts(runs, names)
    told = by_agent + by_run
    ordered = [runs[n] for n in ranked_first(ranked, len(runs))]
    found = [*contrasts(pools), *contrasts(ordered)]
    best = [row.run for row in ranked.rows[:2]] if ranked else []
    return {
        "verdicts": told,
        "agents_ranked": by_rank,
        "agent_names": [pool.label for pool in pools],
        "baselines": list(dict.fromkeys(label for one in told for label in one[:2])),
        "shown": {pool.label: pool.label for pool in pools}
        | {run.label: name for run, name in zip(runs, names, strict=True)},
        # At first the best agent or run with the next one.
        "pair": by_agent[0][:2]
        if by_agent
        else best
        if best[1:] or not told
        else told[0][1::-1],
        "contrasts": found,
        "compared": list(dict.fromkeys(name for one in found for name in one.metrics)),
    }


def _figures(
    runs: Sequence[Run], columns: Mapping[str, Sequence[Any]], ranked: Ranking | None
) -> Any:
    """Return the figures of each run; of several, over the tasks of their ranking."""
    rows = zip(
        *(columns[n] for n in ("run", "task", "futile", "subgoals")), strict=True
    )
    known = {(run, task): counts for run, task, *counts in rows}
    shown = []
    for run, same in zip(runs, paired(runs), strict=True):
        if ranked and runs[1:]:
            run = replace(
                run,
                episodes=[
                    e
                    for e, twin in zip(run.episodes, same.episodes, strict=True)
                    if twin.first_task in ranked.common
                ],
            )
        shown.append(
            figures_of(run, {e.task: known[run.label, e.task] for e in run.episodes})
        )
    return aligned(shown)


def _verdicts(
    runs: Sequence[Run], names: Sequence[str]
) -> list[tuple[str, str, list[str], list[Part]]]:
    pairs = combinations(zip(runs, names, strict=True), 2)
    every = ((a, b, (x, y), verdict(a, b, (x, y))) for (a, x), (b, y) in pairs)
    return [(a.label, b.label, s, parts(a, b, own)) for a, b, own, s in every if s]


def _link(task: str, label: str, step: int = 0) -> str:
    asked = {"episode": task, "run": label} | ({"step": step} if step else {})
    return f"#{urlencode(asked)}"
