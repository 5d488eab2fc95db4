"""The options of commands that read runs."""

from __future__ import annotations

import argparse

__all__ = ["add_runs", "add_title"]


def add_runs(parser: argparse.ArgumentParser, what: str = "run") -> None:
    """Add one or more folders of runs as ``RUN``.

    Args:
        parser: The parser of a command.
        what: The kind of run, for the help.
    """
    parser.add_argument(
        "runs", nargs="+", metavar="RUN", help=f"the folder of a {what}"
    )


def add_title(parser: argparse.ArgumentParser) -> None:
    """Add ``--title``, of a page."""
    parser.add_argument("--title", default="", help="the title of the page")
