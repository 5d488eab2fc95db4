"""``aq-gym compare``."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from statistics import fmean

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from aq_gym.cli.output import make_console
from aq_gym.cli.table import plain_table
from aq_gym.cli.user_errors import user_errors
from aq_gym.core.text import plural
from aq_gym.evaluation import (
    Comparison,
    EpisodeResult,
    compare,
    compare_benchmarks,
    fewest_tasks,
    load_run,
)
from aq_gym.evaluation.ladder import rungs_beside
from aq_gym.evaluation.metrics import METRICS, format_estimate
from aq_gym.evaluation.results import run_names
from aq_gym.evaluation.summary import by_benchmark, sources_of, with_source
from aq_gym.report.data import Run, run_of
from aq_gym.report.ranking import plain, ranking
from aq_gym.report.verdicts import PROGRESS, paired, parent_in, verdict

# The metrics that are compared in each of several benchmarks.
_EACH = ("success rate", "progress rate", "repetition rate", "grounding accuracy")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("first", metavar="A", help="the folder of a run")
    parser.add_argument("second", metavar="B", help="the folder of another run")
    parser.add_argument(
        "others", metavar="C", nargs="*", help="more runs, which are ranked"
    )


def command(options: argparse.Namespace) -> int:
    """Print the difference of B and A for each metric shown, or a ranking of more."""
    console = make_console()
    with user_errors():
        folders = [options.first, options.second, *options.others]
        loaded = list(map(load_run, folders))
        named = zip(loaded, run_names(loaded), strict=True)
        runs = paired([run_of(run, label) for run, label in named])
        if options.others:
            _print_ranking(console, runs)
            return 0
        first, second = runs
        compared = compare(first.episodes, second.episodes)
    console.print("\n".join(verdict(first, second)), markup=False)
    console.print()
    suites = [run.suite for run in (first, second)]
    continued = any(parent_in(run, [first, second]) for run in (first, second))
    if suites[0] != suites[1] and not continued:
        console.print(
            f"The suites differ: {' and '.join(map(_name, suites))}. Only the "
            "tasks that both have are compared.",
            markup=False,
        )
    for run in (first, second):
        if run.damaged:
            console.print(f"{run.path}: {run.damaged}", markup=False, soft_wrap=True)
    experts = [{e.expert for e in run.episodes} - {""} for run in (first, second)]
    if all(experts) and experts[0] != experts[1]:
        console.print(
            "The steps to go are not compared where different versions of an expert "
            "counted them: score both runs again.",
            markup=False,
        )
    console.print(f"A: {first.label}\nB: {second.label}\n", markup=False)
    sources = escape(sources_of([*first.episodes, *second.episodes]))
    table = plain_table(sources, "B minus A", "p", "tasks")
    for name, result in compared.items():
        difference = escape(format_estimate(name, result.difference))
        p_value = _shown(result.p_value) if result.difference.low is not None else "-"
        table.add_row(name, difference, p_value, str(result.pairs))
    console.print(table)
    benchmarks = compare_benchmarks(first.episodes, second.episodes)
    _print_benchmarks(console, benchmarks, [*first.episodes, *second.episodes])
    console.print(
        "Means of paired differences with 95% intervals, and two-sided p-values of a "
        "mean of zero, for each metric separately; values without bounds, such as "
        "steps, have both from 10 tasks on."
    )
    _print_fewest(console, benchmarks)
    _print_ladder(console, first, second)
    return 0


def _print_ranking(console: Console, runs: Sequence[Run]) -> None:
    """Print which of several runs are better, over the tasks that all have."""
    ranked = ranking(runs)
    if ranked is None:
        raise ValueError("the runs have no finished task in common")
    console.print(f"{ranked.told}\n", markup=False)
    tasks = plural(ranked.tasks, "task")
    beside = "repetition rate", "grounding accuracy"
    short = (name.split()[0] for name in beside)
    table = plain_table(tasks, "progress", "solved", "behind", *short)
    for row in ranked.rows:
        behind = ""
        if row.behind:
            star = "*" * (row.behind.holm_p_value < 0.05)
            behind = f"{0 - row.behind.difference.value:.2f}{star}"
        progress = format_estimate(PROGRESS, row.progress)
        known = (row.estimates.get(name) for name in beside)
        rates = (f"{one.value:.2f}" if one else "-" for one in known)
        cells = row.run, progress, f"{row.solved:g}", behind, *rates
        table.add_row(*map(escape, cells))
    console.print(table)
    console.print("\n*: Holm's p, for this number of runs, is below 0.05.")
    console.print("Compare two of them to see each metric and environment.")


def _print_benchmarks(
    console: Console,
    benchmarks: Mapping[str, dict[str, Comparison]],
    episodes: Sequence[EpisodeResult],
) -> None:
    """Print a row for each of several benchmarks, with a star where one is better."""
    if len(benchmarks) < 2:
        return
    played = by_benchmark(episodes)
    table = plain_table("B minus A", *(name.split()[0] for name in _EACH), "tasks")
    for env, compared in benchmarks.items():
        cells = (_starred(compared.get(name)) for name in _EACH)
        shown = with_source(plain(env), played.get(env, ()))
        table.add_row(escape(shown), *cells, str(compared[PROGRESS].pairs))
    console.print()
    console.print(table)
    console.print("\n*: Holm's p, for this number of benchmarks, is below 0.05.")


def _starred(result: Comparison | None) -> str:
    """Return a difference, "-" where a log has no such metric."""
    if result is None:
        return "-"
    return f"{result.difference.value:+.2f}{'*' * (result.holm_p_value < 0.05)}"


def _print_fewest(
    console: Console, benchmarks: Mapping[str, dict[str, Comparison]]
) -> None:
    """Print how many tasks are needed, if a benchmark has fewer."""
    pairs = [max(one.pairs for one in own.values()) for own in benchmarks.values()]
    needed = fewest_tasks(len(pairs))
    if min(pairs) >= needed:
        return
    holm = f", and Holm's for {len(pairs)} benchmarks from {needed}"
    console.print(
        f"{min(pairs)} tasks of a benchmark are too few: p can be below 0.05 from "
        f"{fewest_tasks()} tasks on{holm if pairs[1:] else ''}. The suite standard has "
        "30 tasks of each setting of quick."
    )


def _print_ladder(console: Console, first: Run, second: Run) -> None:
    """Print between which known agents the runs stand, if these had the same tasks."""
    metric = METRICS["progress rate"]
    played = {
        name: by_benchmark(e for e in run.episodes if not e.error)
        for name, run in (("A", first), ("B", second))
    }
    places: dict[str, list[tuple[float, str]]] = {}
    counts = set()
    for row in rungs_beside([*first.episodes, *second.episodes]):
        known = row.estimates.get(metric.name)
        if known and all(row.env in own for own in played.values()):
            shown = f"{row.rung} {known.value:.2f}"
            places.setdefault(row.env, []).append((round(known.value, 2), shown))
            counts.add(row.episodes)
    if not places:
        return
    # Its last column wraps: a column for each agent would be too wide.
    table = Table(metric.name, "", "", box=None, pad_edge=False, header_style="")
    for env, rungs in places.items():
        for name, own in played.items():
            value = round(fmean(e.progress_rate for e in own[env]), 2)
            below = [one for one in rungs if one[0] <= value]
            above = [one for one in rungs if one[0] > value]
            beside = [f"at least {max(below)[1]}"] if below else []
            beside += [f"below {min(above)[1]}"] if above else []
            cells = (plain(env), f"{name} {value:.2f}", "; ".join(beside))
            table.add_row(*map(escape, cells))
    console.print()
    console.print(table)
    least, most = min(counts), max(counts)
    each = f"{least} to {most}" if least < most else str(most)
    console.print(f"Beside known agents, of {each} episodes each.")


def _shown(p_value: float) -> str:
    """Return a p-value as text; it is never shown as 0."""
    return "<0.0001" if p_value < 0.0001 else f"{p_value:.4f}"


def _name(suite: tuple[str, str]) -> str:
    name, digest = suite
    return f"{name} ({digest})"
