"""The command line: one parser, one function a command."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from gymnasium.error import Error as GymnasiumError

from aq_gym._version import __version__
from aq_gym.cli import compare, demo, list_, play, replay, run, suites
from aq_gym.evaluation import LimitReached

__all__ = ["main"]

_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        arguments: What was typed after ``aq-gym``; by default the process's own.

    Returns:
        The exit code: 0, or 1 where a replay differs or a request can't be met.
    """
    options = _parser().parse_args(arguments)
    try:
        code: int = options.command(options)
    except (ValueError, FileNotFoundError, GymnasiumError) as error:
        sys.stderr.write(f"aq-gym: {error}\n")
        return 1
    except LimitReached as error:
        sys.stderr.write(f"aq-gym: {error}; with a higher one the run goes on\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("\naq-gym: interrupted; the same command goes on from here\n")
        return _INTERRUPTED
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="aq-gym", description="Play, evaluate and replay text environments."
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for module in (list_, suites, demo, play, run, compare, replay):
        module.add_parser(commands)
    return parser
