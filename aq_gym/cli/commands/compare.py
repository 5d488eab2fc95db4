"""``aq-gym compare``."""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from operator import itemgetter
from statistics import fmean

from rich.console import Console
from rich.markup import escape

from aq_gym.cli.output import make_console, print_wrapped
from aq_gym.cli.table import plain_table, point, used_texts
from aq_gym.cli.user_errors import user_errors
from aq_gym.core.text import plural
from aq_gym.evaluation import (
    Comparison,
    EpisodeResult,
    Estimate,
    compare,
    compare_benchmarks,
    fewest_tasks,
    load_run,
    usage_totals,
)
from aq_gym.evaluation.ladder import ALL, rungs_beside
from aq_gym.evaluation.metrics import METRICS, decimals, format_estimate, shown_p
from aq_gym.evaluation.results import run_names
from aq_gym.evaluation.summary import by_benchmark, sources_of, with_source
from aq_gym.report.comparability import agent_told
from aq_gym.report.data import Run, run_of, told_apart
from aq_gym.report.overview import stuck_told
from aq_gym.report.ranking import plain, ranking
from aq_gym.report.verdicts import PROGRESS, SUCCESS, paired, parent_in, turned, verdict

_BESIDE = ("repetition rate", "grounding accuracy")
# The metrics that are compared in each of several benchmarks.
_EACH = (SUCCESS, PROGRESS, *_BESIDE)
_RANKED = ("progress", "solved", "behind", "repetition", "grounding")
# What the rows mean whose names do not say it.
_MEANINGS = {
    "progress above chance": "0 is a random agent's in episodes of its own, 1 solved",
    "final progress": "that after the last step",
    "repetition rate over the cap": "repeats divided by the step cap less one",
    "grounding accuracy": "the share of valid actions",
    "net waste": "steps more than the expert takes to get as far",
    "waste": "the same without credit for steps better than its own",
    "closest": "the fewest steps the expert needs from any state",
    "lost at": "the step from which on the task cannot be solved",
    "out of time at": "the step from which on the expert needs more than are left",
    "determined at": "the step after which only one secret was possible",
    "said after": "the steps from there to the solution",
    "determined, not said": "the share of such episodes unsolved",
}
# The width of the figures in a ranking, of a run's column, and of the others.
_FIGURES, _COLUMN, _NAME = 58, 6, 24


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("first", metavar="A", help="the folder of a run")
    parser.add_argument("second", metavar="B", help="the folder of another run")
    parser.add_argument(
        "others",
        metavar="C",
        nargs="*",
        default=[],
        help="more runs, which are ranked",
    )


def command(options: argparse.Namespace) -> int:
    """Print the difference of two runs for each metric shown, or a ranking of more."""
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
    print_wrapped(console, "\n".join(verdict(first, second)) + "\n")
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
    told = (
        f"{name}: {_told(run, run.label)}. {stuck_told([run])}".rstrip()
        + (
            f" Invalid actions in a row stop {stopped}."
            if (stopped := sum(e.cap_reached == "max_invalid" for e in run.episodes))
            else ""
        )
        for name, run in (("A", first), ("B", second))
    )
    print_wrapped(console, "\n".join(told) + "\n", "   ")
    names, pair = "AB", (first.episodes, second.episodes)
    if compared[PROGRESS].difference.value < 0:
        # The differences have the sign of the sentence.
        names, pair = "BA", pair[::-1]
        compared = {name: turned(one) for name, one in compared.items()}
    if continued:
        # Neither can fall in more steps.
        for name in (SUCCESS, PROGRESS):
            value, low, high = compared[name].difference
            bounded = Estimate(value, low and max(low, 0.0), high)
            compared[name] = compared[name]._replace(difference=bounded)
    _print_overall(console, compared, names, [*first.episodes, *second.episodes])
    benchmarks = compare_benchmarks(*pair)
    _print_benchmarks(console, benchmarks, names, [*first.episodes, *second.episodes])
    _print_fewest(console, benchmarks)
    _print_ladder(console, first, second)
    return 0


def _print_ranking(console: Console, runs: Sequence[Run]) -> None:
    """Print which of several runs are better, over the tasks that all have."""
    ranked = ranking(runs)
    if ranked is None:
        raise ValueError("the runs have no finished task in common")
    names = told_apart([run.label for run in runs])
    told = agent_told(runs, names), ranked.told, stuck_told(runs)
    print_wrapped(console, "\n\n".join(filter(None, told)) + "\n")
    table = plain_table(plural(ranked.tasks, "task"), *_RANKED)
    rows = [*ranked.rows, *ranked.apart]
    places = [
        f"{n}" if n <= len(ranked.rows) else f"({n})" for n in range(1, len(rows) + 1)
    ]
    labels = [
        f"{n} {_told(runs[row.number], names[row.number])}"
        for n, row in zip(places, rows, strict=True)
    ]
    if max(map(len, labels)) > console.width - _FIGURES:
        console.print(*labels, "", sep="\n", markup=False)
        labels = places
    for label, row in zip(labels, rows, strict=True):
        behind = _starred(turned(row.behind), "-") if row.behind else ""
        progress = format_estimate(PROGRESS, row.progress)
        rates = (point(METRICS[one], row.estimates.get(one)) for one in _BESIDE)
        few = f" of {row.behind.pairs}" if row.than and row.behind else ""
        cells = label, progress, f"{row.solved:g}{few}", behind, *rates
        table.add_row(*map(escape, cells))
    console.print(table)
    console.print(
        "\n*: Holm's p, for this number of runs, is below 0.05. Name two runs to "
        "compare these alone."
        + "\n(n): without a rank, over the few tasks it has; behind the first run of "
        "its model, or else of all, in these." * bool(ranked.apart)
    )
    most = min(len(ranked.rows), max(1, (console.width - _NAME) // _COLUMN))
    table = plain_table(PROGRESS, *places[:most], "tasks")
    for env, count in ranked.envs.items():
        known = (row.by_env[env] for row in ranked.rows[:most])
        own = (point(METRICS[PROGRESS], one) for one in known)
        table.add_row(escape(plain(env)), *own, str(count))
    console.print("", table, "", sep="\n")
    console.print(
        f"The first {most} of {len(ranked.rows)} runs; a report has all. "
        * (most < len(ranked.rows))
        + "Compare two of them to see each metric, and how they fail."
    )


def _told(run: Run, name: str) -> str:
    """Return a run's name, its folder's if that is another, and what it used."""
    used = usage_totals(run.episodes)
    each = {n: used[n] / len(run.episodes) for n in ("tokens", "cost") if used.get(n)}
    return (
        name
        + f" in {run.path.name}" * (_words(run.path.name) not in _words(name))
        + f": {', '.join(used_texts(each))} per episode" * bool(each)
    )


def _words(text: str) -> str:
    """Return the words and numbers of a name, whatever stands between them."""
    return " ".join(["", *re.findall(r"[^\W\d_]+|\d+", text), ""])


def _print_overall(
    console: Console,
    compared: Mapping[str, Comparison],
    names: str,
    episodes: Sequence[EpisodeResult],
) -> None:
    """Print a row for each metric, without those that too few tasks have."""
    most = max(one.pairs for one in compared.values())
    fewest = fewest_tasks() if most >= fewest_tasks() else 0
    table = plain_table(
        escape(sources_of(episodes)),
        *("A", "B", "{1} minus {0}".format(*names), "p", "tasks"),
    )
    for name, result in compared.items():
        if result.pairs >= fewest:
            value, low, _ = both = result.difference
            means = zip(names, (result.first, result.first + value), strict=True)
            own = (Estimate(mean, None, None) for _, mean in sorted(means))
            cells = (escape(format_estimate(name, one)) for one in (*own, both))
            p_value = "-" if low is None else shown_p(result.p_value).removeprefix("= ")
            table.add_row(name, *cells, p_value, str(result.pairs))
    console.print(table)
    few = [name for name, one in compared.items() if one.pairs < fewest]
    meant = [f"\n{n}: {_MEANINGS[n]}" for n in _MEANINGS if n in {*compared} - {*few}]
    console.print(
        "\nMeans over tasks. Paired differences have 95% intervals, and two-sided "
        "p-values of a mean of zero, for each metric separately; values without "
        "bounds, such as steps, have both from 10 tasks on."
        + f" Fewer than {fewest} tasks have: {'; '.join(few)}." * bool(few)
        + "\n" * bool(meant)
        + "".join(meant)
    )


def _print_benchmarks(
    console: Console,
    benchmarks: Mapping[str, dict[str, Comparison]],
    names: str,
    episodes: Sequence[EpisodeResult],
) -> None:
    """Print a row for each of several benchmarks, with a star where one is better."""
    if len(benchmarks) < 2:
        return
    played = by_benchmark(episodes)
    usual = Counter(map(sources_of, played.values())).most_common(1)[0][0]
    table = plain_table(
        "{1} minus {0}".format(*names), *(name.split()[0] for name in _EACH), "tasks"
    )
    for env, compared in benchmarks.items():
        cells = (_starred(compared.get(name)) for name in _EACH)
        shown = with_source(plain(env), played.get(env, ())).removesuffix(f" ({usual})")
        table.add_row(escape(shown), *cells, str(compared[PROGRESS].pairs))
    console.print("", table, sep="\n")
    console.print(
        "\n*: Holm's p, for this number of benchmarks, is below 0.05."
        + f" Instances without another note are {usual}." * bool(usual)
    )


def _starred(result: Comparison | None, sign: str = "+") -> str:
    """Return a difference, "-" where a log has no such metric."""
    if result is None:
        return "-"
    star = "*" * (result.holm_p_value < 0.05)
    return decimals(result.difference.value, 2, sign) + star


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
    scored = [[e for e in run.episodes if not e.error] for run in (first, second)]
    played = [{ALL: own, **by_benchmark(own)} for own in scored]
    # All tasks of the ladder only where both played them.
    ours, theirs = map(rungs_beside, scored)
    rungs: dict[str, list[tuple[float, str]]] = {}
    for row in ours:
        known = row.estimates.get(PROGRESS)
        if known and row in theirs:
            rungs.setdefault(row.env, []).append((known.value, row.rung))
    if not rungs:
        return
    table = plain_table(PROGRESS, "A", "reaches", "B", "reaches")
    for env, known_agents in rungs.items():
        cells = []
        for own in played:
            # The ladder's values are rounded so, too.
            value = round(fmean(e.progress_rate for e in own[env]), 4)
            below = [one for one in known_agents if one[0] <= value]
            reached = max(below, key=itemgetter(0))[1] if below else "-"
            cells += [decimals(value, 2), reached]
        table.add_row(*map(escape, (plain(env), *cells)))
    console.print("", table, sep="\n")
    console.print(
        "\nreaches: of the known agents in docs/reproducing.md, which played the same "
        "tasks, the one with the highest progress that is not above the run's."
    )


def _name(suite: tuple[str, str]) -> str:
    name, digest = suite
    return f"{name} ({digest})"
