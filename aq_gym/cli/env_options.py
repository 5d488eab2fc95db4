"""The options of commands that make environments."""

from __future__ import annotations

import argparse

from aq_gym.cli.argument_types import positive
from aq_gym.selection import EnvSelection, check_id, import_benchmarks, import_named

__all__ = [
    "ENV_HELP",
    "add_env",
    "add_env_modules",
    "add_max_steps",
    "add_trust",
    "import_env_modules",
    "selected_env",
]

ENV_HELP = "an id, optionally with arguments: 'aq/Mastermind-v0?code_length=5'"


def add_env(parser: argparse.ArgumentParser) -> None:
    """Add the environment as ``ID``, and ``--env-module``."""
    parser.add_argument("env", metavar="ID", help=ENV_HELP)
    add_env_modules(parser)


def add_env_modules(parser: argparse.ArgumentParser) -> None:
    """Add ``--env-module``, for modules that register environments."""
    parser.add_argument(
        "--env-module",
        action="append",
        default=[],
        metavar="MODULE",
        help="import this module first, which registers environments; can be given "
        "again",
    )


def add_trust(parser: argparse.ArgumentParser) -> None:
    """Add ``--trust``, for commands that make recorded environments."""
    parser.add_argument(
        "--trust",
        action="store_true",
        help="make any environment that a trajectory names, with any arguments: it may "
        "read files and run code",
    )


def add_max_steps(parser: argparse.ArgumentParser, what: str = "the step cap") -> None:
    """Add ``--max-steps``.

    Args:
        parser: The parser of a command.
        what: What it is, for the help.
    """
    parser.add_argument(
        "--max-steps", type=positive, help=f"{what} (default: the id's own)"
    )


def import_env_modules(options: argparse.Namespace) -> None:
    """Import the modules that register environments: those named, and installed ones.

    Args:
        options: The parsed options.

    Raises:
        ImportError: If a module cannot be imported.
    """
    import_benchmarks()
    for module in options.env_module:
        import_named(module)


def selected_env(options: argparse.Namespace) -> EnvSelection:
    """Return the environment that is asked for, which is registered.

    Args:
        options: The parsed options.

    Raises:
        ImportError: If a module cannot be imported.
        ValueError: If there is no such environment, or it has no such argument.
    """
    chosen = EnvSelection.parse(options.env, options.env_module)
    check_id(chosen.id)
    return chosen
