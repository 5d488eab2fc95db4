"""``aq-gym compare``."""

from __future__ import annotations

import argparse

from rich.console import Console
from rich.markup import escape

from aq_gym.cli.output import make_console
from aq_gym.cli.table import plain_table
from aq_gym.cli.user_errors import user_errors
from aq_gym.evaluation import LoadedRun, compare, load_run
from aq_gym.evaluation.groups import by_benchmark
from aq_gym.evaluation.metrics import format_estimate, shown_metrics
from aq_gym.evaluation.results import run_names


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command.

    Args:
        parser: The parser of the command.
    """
    parser.add_argument("first", metavar="A", help="the folder of a run")
    parser.add_argument("second", metavar="B", help="the folder of another run")


def command(options: argparse.Namespace) -> int:
    """Print the difference of B and A for each metric shown.

    Args:
        options: The parsed options.
    """
    with user_errors():
        first, second = load_run(options.first), load_run(options.second)
        compared = compare(first.episodes, second.episodes)
    console = make_console()
    suites = [run.what["suite"] for run in (first, second)]
    if suites[0] != suites[1]:
        console.print(
            f"The suites differ: {_name(suites[0])} and {_name(suites[1])}. Only the "
            "tasks that both have are compared.",
            markup=False,
        )
    before, after = map(escape, run_names([first, second]))
    table = plain_table("", f"{after} less {before}", "p", "tasks")
    for name, result in compared.items():
        difference = escape(format_estimate(name, result.difference))
        table.add_row(name, difference, f"{result.p_value:.4f}", str(result.pairs))
    console.print(table)
    _print_benchmarks(console, first, second)
    console.print(
        "Means of paired differences with 95% bootstrap intervals; p of the two-sided\n"
        "permutation test, for each metric alone."
    )
    return 0


def _print_benchmarks(console: Console, first: LoadedRun, second: LoadedRun) -> None:
    """Print a row for each benchmark, if there are several."""
    after = by_benchmark(second.episodes)
    names = [metric.name for metric in shown_metrics(overview=True)]
    table = plain_table("", *names, "tasks")
    for name, before in by_benchmark(first.episodes).items():
        try:
            compared = compare(before, after.get(name, []))
        except ValueError:
            continue
        cells = (escape(format_estimate(m, compared[m].difference)) for m in names)
        table.add_row(escape(name), *cells, str(compared[names[0]].pairs))
    if table.row_count > 1:
        console.print()
        console.print(table)
        console.print()


def _name(suite: dict[str, str]) -> str:
    return f"{suite['name']} ({suite['hash']})"
