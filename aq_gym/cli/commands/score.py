"""``aq-gym score``."""

from __future__ import annotations

import argparse
import pkgutil
import shlex
from collections.abc import Sequence
from typing import Any

from rich.markup import escape

from aq_gym.cli.options import add_replayers, add_runs, add_trust, opened
from aq_gym.cli.output import make_console
from aq_gym.cli.table import plain_table
from aq_gym.cli.user_errors import user_errors
from aq_gym.evaluation.metrics import METRICS, Metric
from aq_gym.evaluation.results import load_run
from aq_gym.evaluation.scoring import score
from aq_gym.registration import row_of
from aq_gym.selection import find_in_current_folder

_STEPS_TO_GO = "steps-to-go"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.description = (
        "Measure the episodes of finished runs with further metrics. The values are "
        "computed from the trajectories and added to episodes.jsonl and summary.json; "
        "nothing is played, but steps-to-go replays the episodes. Logs of Harbor, "
        "Inspect and tau2 are measured, not changed."
    )
    parser.epilog = "example: aq-gym score runs/a --metric my_metrics:action_length"
    add_runs(parser)
    parser.add_argument(
        "--metric",
        action="append",
        required=True,
        metavar="MODULE:NAME",
        help="a function of a trajectory that returns a number or None, or an "
        "aq_gym.evaluation.Metric; or steps-to-go, what each action cost: the steps "
        "that the environment's expert needs from each state; can be repeated",
    )
    add_replayers(parser)
    add_trust(parser)


def command(options: argparse.Namespace) -> int:
    """Score runs and print the estimates."""
    table = plain_table("", *map(escape, options.runs))
    with user_errors(), opened(options.runs) as runs:
        metrics = [metric for name in options.metric for metric in _load(name)]
        results = [
            score(run, metrics, workers=options.workers, trust=options.trust)
            for run in runs
        ]
        notes = _notes(runs) if _STEPS_TO_GO in options.metric else []
    for name in results[0]:
        metric = METRICS.get(name, Metric(name))
        table.add_row(escape(name), *(escape(metric.format(r[name])) for r in results))
    console = make_console()
    console.print(table)
    for note in notes:
        console.print(escape(note), soft_wrap=note.startswith("next: "))
    return 0


def _notes(runs: Sequence[str]) -> list[str]:
    """Return what the steps to go mean in the environments of the runs."""
    ids = {episode.env for run in runs for episode in load_run(run).episodes}
    meanings = {name: str(row_of(name).expert) for name in sorted(ids)}
    told = (
        f"{', '.join(name for name in meanings if meanings[name] == one)}: {one}"
        for one in dict.fromkeys(meanings.values())
    )
    return [
        "\nMeans over episodes with 95% intervals, see docs/evaluation.md#steps-to-go.",
        *told,
        f"next: aq-gym report {shlex.join(runs)}",
    ]


def _load(name: str) -> list[Any]:
    if name == _STEPS_TO_GO:
        return [metric for metric in METRICS.values() if metric.replayed]
    if ":" not in name:
        raise ValueError(
            f"--metric {name} must be {_STEPS_TO_GO} or of the form MODULE:NAME"
        )
    find_in_current_folder(name)
    try:
        return [pkgutil.resolve_name(name)]
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"--metric {name} cannot be loaded: {error}") from error
