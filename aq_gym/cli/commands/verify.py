"""``aq-gym verify``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from aq_gym.cli.options import (
    add_env_modules,
    add_replayers,
    add_runs,
    import_env_modules,
)
from aq_gym.cli.request import played_suite
from aq_gym.cli.user_errors import user_errors
from aq_gym.evaluation import Suite, Verification, load_run, verify


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = (
        "example: aq-gym verify runs/a --workers 2 (exit code 1: an episode is not "
        "verified, or anything differs)"
    )
    add_runs(parser)
    add_verification(parser)
    add_env_modules(parser)


def add_verification(parser: argparse.ArgumentParser) -> None:
    """Add the options of a verification."""
    parser.add_argument(
        "--suite",
        help="the JSON file of the suite, if the run played one of your own or a "
        "part of one",
    )
    add_replayers(parser)


def command(options: argparse.Namespace) -> int:
    """Verify runs and print what is proved, different and claimed.

    Returns:
        The exit code: 0, or 1 if an episode is not verified or anything differs.
    """
    with user_errors():
        import_env_modules(options)
        found = verified(options.runs, options)
    for one in found:
        sys.stdout.write(f"{one.path}: {one}\n")
        sys.stdout.writelines(f"  {line}\n" for line in one.lines())
    return int(not all(one.holds for one in found))


def verified(runs: Sequence[str], options: argparse.Namespace) -> list[Verification]:
    """Verify runs of the suites that they name."""
    given = Suite.load(options.suite) if options.suite else None
    found = []
    for path in runs:
        suite = played_suite(load_run(path), given, options.env_module)
        found.append(verify(path, suite, options.workers))
    return found
