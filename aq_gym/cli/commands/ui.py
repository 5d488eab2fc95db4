"""``aq-gym ui``."""

from __future__ import annotations

import argparse
from pathlib import Path

from aq_gym.cli.local_page import add_page_arguments, serve_page
from aq_gym.cli.user_errors import user_errors


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "folder", nargs="?", default="runs", help="the folder of runs (default: runs)"
    )
    add_page_arguments(parser)


def command(options: argparse.Namespace) -> int:
    """Serve the page of a folder of runs."""
    folder = Path(options.folder)
    with user_errors():
        if not folder.is_dir():
            raise NotADirectoryError(f"folder={options.folder!r} is not a folder")
    serve_page(options, folder)
    return 0
