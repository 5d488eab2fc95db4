"""One sortable page over many runs."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import chain, pairwise
from pathlib import Path
from urllib.parse import quote

from aq_gym.evaluation import Comparison, Estimate, Verification, compare
from aq_gym.evaluation.compare import adjusted
from aq_gym.evaluation.summary import sources_of
from aq_gym.report.comparability import agent_told, warnings
from aq_gym.report.data import Run, load_runs, told_apart
from aq_gym.report.overview import aligned, costs_of
from aq_gym.report.page import render
from aq_gym.report.ranking import Ranked, best_first, plain, ranking
from aq_gym.report.summary import (
    ALL,
    columns,
    environments,
    repeated_runs,
    summary_rows,
    titles,
    with_rungs,
)
from aq_gym.report.verdicts import PROGRESS
from aq_gym.support.escaping import visible


def write_leaderboard(
    runs: Sequence[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    title: str = "",
    proofs: Sequence[Verification] = (),
) -> Path:
    """Write one page that ranks runs; those with few of the tasks have no place.

    Args:
        runs: The directories of the runs.
        out: The file to write; one that exists is replaced. A run's name in it opens
            the file ``report.html`` in the run's directory, if there is one.
        title: The page's title; by default the suite's name.
        proofs: What is proved about the runs, which the page then shows.

    Returns:
        The file.

    Raises:
        ValueError: If runs of different suites have no task in common, or a run is
            given twice.
        FileNotFoundError: If a directory holds no run.
    """
    loaded = best_first(load_runs(runs))
    path = Path(out)
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f".{path.name}.part")
    half.write_text(
        _page(loaded, title, proofs, path), encoding="utf-8", errors="replace"
    )
    half.replace(path)
    return path


def _named(run: Run) -> str:
    return "{} ({})".format(*run.suite)


def _report(run: Path, folder: Path) -> str:
    """Return the address of a report in a run's folder, or ""."""
    file = run / "report.html"
    return (
        quote(Path(os.path.relpath(file, folder)).as_posix()) if file.is_file() else ""
    )


def _leads(rows: Sequence[Ranked]) -> Mapping[str, Comparison]:
    """Return for each run but the last how far it is ahead of the next."""
    own = {row.run: [*chain(*row.played.values())] for row in rows}
    pairs = {a: compare(own[b], own[a], [PROGRESS]) for a, b in pairwise(own)}
    return {run: found[PROGRESS] for run, found in adjusted(pairs).items()}


def _page(
    runs: Sequence[Run], title: str, proofs: Sequence[Verification], path: Path
) -> str:
    names = environments(runs)
    rows = summary_rows(runs)
    shown = with_rungs(runs, rows, range(len(runs)))
    ranked = [
        row
        for row in shown
        if not row.by and row.env == (ALL if len(names) > 1 else visible(names[0]))
    ]
    labels = told_apart([run.label for run in runs])
    compared, suites = ranking(runs), [*dict.fromkeys(map(_named, runs))]
    if suites[1:] and not compared:
        raise ValueError(f"no task is finished in runs of both {' and '.join(suites)}")
    ranks, few = (compared.rows, compared.apart) if compared else ((), ())
    placed = {row.number for row in ranks} or {*range(len(runs))}
    none = Estimate(-1.0, None, None)
    # A known agent is below a run whose rate, as it is shown, is the same.
    ranked.sort(
        key=lambda row: (
            row.number >= 0 and row.number not in placed,
            -round(row.estimates.get(PROGRESS, none).value, 2),
            row.number < 0,
            -row.estimates.get(PROGRESS, none).value,
        )
    )
    return render(
        "leaderboard.html",
        title=title or f"Leaderboard: {runs[0].suite[0]}",
        sections=(),
        suites=suites,
        figures=aligned(
            [costs_of(run, sum(e.success for e in run.episodes)) for run in runs]
        ),
        sources=sources_of(e for run in runs for e in run.episodes),
        told=compared.told if compared else "",
        warnings=warnings(runs),
        runs=runs,
        names=labels,
        models=any(run.model not in run.label for run in runs),
        rows=ranked,
        placed=placed,
        places={row.number: row for row in (*ranks, *few)},
        leads=_leads(ranks),
        agent_told=agent_told(runs, labels),
        tasks=compared.tasks if compared else 0,
        reports=[_report(run.path, path.parent) for run in runs],
        columns=columns(ranked),
        environments=names if len(names) > 1 else [],
        titles=titles(runs),
        plain=plain,
        attempts={number: own for number, _, own in repeated_runs(runs)},
        proofs={one.path: (one, [*map(visible, one.lines())]) for one in proofs},
        by_env={(r.number, r.run, r.env): r for r in shown if not r.by},
    )
