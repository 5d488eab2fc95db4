"""``aq-gym score``."""

from __future__ import annotations

import argparse
import pkgutil
from typing import Any

from rich.markup import escape

from aq_gym.cli.options import add_runs, opened
from aq_gym.cli.output import make_console
from aq_gym.cli.table import plain_table
from aq_gym.cli.user_errors import user_errors
from aq_gym.evaluation.metrics import METRICS, Metric
from aq_gym.evaluation.scoring import score
from aq_gym.selection import find_in_current_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.description = (
        "Measure the episodes of finished runs with further metrics. The values are "
        "computed from the trajectories and added to episodes.jsonl and summary.json; "
        "nothing is played. Logs of Harbor, Inspect and tau2 are measured, not "
        "changed."
    )
    parser.epilog = "example: aq-gym score runs/a --metric my_metrics:action_length"
    add_runs(parser)
    parser.add_argument(
        "--metric",
        action="append",
        required=True,
        metavar="MODULE:NAME",
        help="a function of a trajectory that returns a number or None, or an "
        "aq_gym.evaluation.Metric; can be repeated",
    )


def command(options: argparse.Namespace) -> int:
    """Score runs and print the estimates."""
    table = plain_table("", *map(escape, options.runs))
    with user_errors(), opened(options.runs) as runs:
        metrics = [_load(name) for name in options.metric]
        results = [score(run, metrics) for run in runs]
    for name in results[0]:
        metric = METRICS.get(name, Metric(name))
        table.add_row(escape(name), *(escape(metric.format(r[name])) for r in results))
    make_console().print(table)
    return 0


def _load(name: str) -> Any:
    if ":" not in name:
        raise ValueError(f"--metric {name} must be of the form MODULE:NAME")
    find_in_current_folder(name)
    try:
        return pkgutil.resolve_name(name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"--metric {name} cannot be loaded: {error}") from error
