"""``aq-gym import``."""

from __future__ import annotations

import argparse
from pathlib import Path

from aq_gym.cli.output import make_console
from aq_gym.cli.table import print_errors, print_results
from aq_gym.cli.user_errors import user_errors
from aq_gym.support.json_files import read_object


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = "example: aq-gym import results.json --out runs/tau2"
    parser.add_argument(
        "logs",
        nargs="+",
        metavar="LOG",
        help="a log of one agent: a trajectory in ATIF, a folder of Harbor's trials, "
        "an .eval or .json file of Inspect, tau2's results, or the folder of a "
        "TrajectoryLogger",
    )
    parser.add_argument(
        "--subgoals",
        metavar="FILE",
        help="a JSON object of regular expressions by name: progress is the share of "
        "those found in the observations so far",
    )
    parser.add_argument(
        "--scale",
        type=float,
        metavar="BEST",
        help="the best possible score, where scores are numbers that go beyond 1",
    )
    parser.add_argument(
        "--score",
        default="",
        metavar="NAME",
        help="the score of Inspect's samples that says whether they were solved, if "
        "they have several; SCORER/KEY for one that is a dict",
    )
    parser.add_argument(
        "--out", required=True, metavar="DIR", help="the folder of the run"
    )


def command(options: argparse.Namespace) -> int:
    """Write the run and print its tables.

    Returns:
        The exit code: 0, or 1 if an episode has an error.
    """
    from aq_gym.importers import import_logs

    with user_errors():
        subgoals = read_object(Path(options.subgoals)) if options.subgoals else None
        episodes = import_logs(
            options.logs, options.out, subgoals, options.scale, options.score
        )
    console = make_console()
    print_results(console, Path(options.out).name, episodes)
    print_errors(console, episodes, Path(options.out))
    return int(any(one.error for one in episodes))
