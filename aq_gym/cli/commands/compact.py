"""``aq-gym compact``."""

from __future__ import annotations

import argparse

from aq_gym.cli.options import add_runs
from aq_gym.cli.output import make_console
from aq_gym.cli.user_errors import user_errors
from aq_gym.evaluation import compact, uncompact


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = (
        "replay, report, export, compare and a continued run read packed trajectories "
        "as before: aq-gym replay RUN/trajectories/NAME.jsonl"
    )
    add_runs(parser, "finished run")
    parser.add_argument(
        "--undo", action="store_true", help="write packed trajectories as files again"
    )


def command(options: argparse.Namespace) -> int:
    """Pack or unpack trajectories."""
    console = make_console()
    for run in options.runs:
        with user_errors():
            done = f"{uncompact(run)} files" if options.undo else _compact(run)
        console.print(f"{run}: {done}", markup=False, soft_wrap=True)
    return 0


def _compact(run: str) -> str:
    files, size, packed = compact(run)
    return f"{files} files, {_megabytes(size)} packed into {_megabytes(packed)}"


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.2f} MB"
