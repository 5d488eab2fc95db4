"""``aq-gym download``."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from gymnasium.envs.registration import load_env_creator
from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn

from aq_gym.cli.options import natural
from aq_gym.cli.output import make_console
from aq_gym.cli.user_errors import user_errors
from aq_gym.registration import rows
from aq_gym.selection import import_benchmarks
from aq_gym.support.data import Download, data_folder, download


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("name", choices=sorted(_downloads()), help="the data set")
    parser.add_argument("--url", help="the URL of the archive, if not the official one")
    parser.add_argument(
        "--to", metavar="DIR", help="the folder to unpack to, if not the default one"
    )
    parser.add_argument(
        "--size",
        type=natural,
        default=0,
        help="the archive's size in bytes, to be checked",
    )
    parser.add_argument(
        "--sha256", default="", help="the archive's SHA-256, to be checked"
    )


def command(options: argparse.Namespace) -> int:
    """Download, check and unpack an archive."""
    console = make_console(stderr=True)
    row = _downloads()[options.name]
    sys.stdout.write(f"{row.note}, from {options.url or row.url}\n")
    columns = (BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(
        *columns, console=console, disable=not console.is_terminal
    ) as progress:
        line = progress.add_task(options.name, total=None)

        def show(there: int, total: int) -> None:
            progress.update(line, completed=there, total=total or None)

        with user_errors():
            folder = download(
                row,
                options.url,
                options.to,
                size=options.size,
                sha256=options.sha256,
                progress=show,
            )
    sys.stdout.write(f"unpacked to {folder}\n")
    if options.to and folder != data_folder(row):
        sys.stdout.write(f"Set {row.variable}={folder} to use it.\n")
    return 0


def _downloads() -> dict[str, Download]:
    """Return the downloads of all benchmarks by their names."""
    import_benchmarks()
    named = {row.download for row in rows() if row.download}
    found: list[Any] = [load_env_creator(name) for name in sorted(named)]
    return {one.name: one for one in found}
