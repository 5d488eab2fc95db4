"""``aq-gym leaderboard``."""

from __future__ import annotations

import argparse
import sys

from aq_gym.cli.options import add_runs, add_title
from aq_gym.cli.user_errors import user_errors


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_runs(parser)
    parser.add_argument(
        "-o",
        "--out",
        metavar="FILE",
        default="leaderboard.html",
        help="the page to write (default: leaderboard.html)",
    )
    add_title(parser)


def command(options: argparse.Namespace) -> int:
    """Write the page."""
    from aq_gym.report import write_leaderboard

    with user_errors():
        path = write_leaderboard(options.runs, options.out, title=options.title)
    sys.stdout.write(f"{path}\n")
    return 0
