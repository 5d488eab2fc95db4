"""``aq-gym replay``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from aq_gym import trajectory
from aq_gym.cli.options import add_env_modules, add_trust, import_env_modules
from aq_gym.cli.user_errors import user_errors


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("file", metavar="FILE", help="a trajectory file")
    add_env_modules(parser)
    add_trust(parser)


def command(options: argparse.Namespace) -> int:
    """Replay a trajectory.

    Returns:
        The exit code: 0, or 1 if anything differs.
    """
    with user_errors():
        import_env_modules(options)
        if Path(options.file).is_dir():
            raise ValueError(f"{options.file} is a folder: name a file in it")
        report = trajectory.replay(options.file, trust=options.trust)
    if report.identical:
        sys.stdout.write(f"identical over {report.steps} steps\n")
        return 0
    sys.stdout.write(f"{report.difference}\n")
    return 1
