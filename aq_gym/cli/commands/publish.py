"""``aq-gym publish``."""

from __future__ import annotations

import argparse
import sys

from aq_gym.cli.options import positive
from aq_gym.cli.user_errors import user_errors
from aq_gym.integrations.publish import KINDS, write_package


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = "example: aq-gym publish my-games --for hub --env aq/PDDL-v0"
    parser.add_argument("directory", metavar="DIR", help="a new folder")
    parser.add_argument(
        "--env",
        nargs="+",
        action="extend",
        default=[],
        dest="envs",
        metavar="ID",
        help="an id, or ID?key=value; can be given several times",
    )
    parser.add_argument(
        "--for",
        dest="kind",
        choices=KINDS,
        required=True,
        help="hub: a package of tasks for verifiers and the Environments Hub; space: "
        "an OpenEnv server with a page, for a Hugging Face Space",
    )
    parser.add_argument("--suite", default="", help="for hub: a suite instead of ids")
    parser.add_argument(
        "--name", default="", help="the package's name (default: the folder's)"
    )
    parser.add_argument(
        "--episodes",
        type=positive,
        default=100,
        help="for hub: the tasks of each environment (default: 100)",
    )


def command(options: argparse.Namespace) -> int:
    """Write the package and print its files."""
    with user_errors():
        files = write_package(
            options.directory,
            options.kind,
            options.envs,
            suite=options.suite,
            name=options.name,
            episodes=options.episodes,
        )
    for file in files:
        sys.stdout.write(f"{file}\n")
    return 0
