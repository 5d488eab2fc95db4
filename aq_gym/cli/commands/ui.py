"""``aq-gym ui``."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from aq_gym.cli.local_page import add_page_arguments, serve_page
from aq_gym.cli.user_errors import user_errors


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "folder", nargs="?", default="runs", help="the folder of runs (default: runs)"
    )
    parser.add_argument(
        "--run-with",
        metavar="NAME=OPTIONS",
        type=_named,
        action="append",
        default=[],
        help="let the page start runs of another agent: its name on the page, and the "
        'options of aq-gym run for it, such as "small=--agent llm --model m"',
    )
    add_page_arguments(parser)


def _named(text: str) -> tuple[str, list[str]]:
    name, _, options = text.partition("=")
    if not name or not options.startswith("--"):
        raise argparse.ArgumentTypeError(f"{text!r} must be NAME=OPTIONS")
    return name, shlex.split(options)


def command(options: argparse.Namespace) -> int:
    """Serve the page of a folder of runs."""
    folder = Path(options.folder)
    with user_errors():
        if not folder.is_dir():
            raise NotADirectoryError(f"folder={options.folder!r} is not a folder")
    serve_page(options, folder, agents=dict(options.run_with))
    return 0
