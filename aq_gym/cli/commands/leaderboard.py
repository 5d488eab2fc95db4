"""``aq-gym leaderboard``."""

from __future__ import annotations

import argparse
import sys

from aq_gym.cli.commands.verify import add_verification, verified
from aq_gym.cli.options import (
    add_env_modules,
    add_runs,
    add_title,
    import_env_modules,
)
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
    parser.add_argument(
        "--verify",
        action="store_true",
        help="replay all episodes (aq-gym verify), and show what is proved",
    )
    add_verification(parser)
    add_env_modules(parser)


def command(options: argparse.Namespace) -> int:
    """Write the page."""
    from aq_gym.report import write_leaderboard

    with user_errors():
        import_env_modules(options)
        path = write_leaderboard(
            options.runs,
            options.out,
            title=options.title,
            proofs=verified(options.runs, options) if options.verify else (),
        )
    sys.stdout.write(f"{path}\nopen it in a browser: {path.resolve().as_uri()}\n")
    return 0
