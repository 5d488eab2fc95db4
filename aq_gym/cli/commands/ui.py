"""``aq-gym ui``."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from aq_gym.cli.local_page import add_page_arguments, serve_page


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
    """Serve until Ctrl-C."""
    from aq_gym.report.start import StartServer

    def make_server(token: str, port: int) -> StartServer:
        agents = dict(options.run_with)
        return StartServer(Path(options.folder), token, port, agents)

    serve_page(options, make_server)
    return 0
