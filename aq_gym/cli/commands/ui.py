"""``aq-gym ui``."""

from __future__ import annotations

import argparse
from pathlib import Path

from aq_gym.cli.local_page import add_page_arguments, serve_page


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "folder", nargs="?", default="runs", help="the folder of runs (default: runs)"
    )
    add_page_arguments(parser)


def command(options: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    from aq_gym.report.start import StartServer

    def make_server(token: str, port: int) -> StartServer:
        return StartServer(Path(options.folder), token, port)

    serve_page(options, make_server)
    return 0
