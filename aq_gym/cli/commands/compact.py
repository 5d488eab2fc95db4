"""``aq-gym compact``."""

from __future__ import annotations

import argparse

from aq_gym.cli.options import add_runs
from aq_gym.cli.output import make_console
from aq_gym.cli.user_errors import user_errors
from aq_gym.evaluation import compact


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = (
        "replay, report, export, compare and a continued run read packed trajectories "
        "as before: aq-gym replay RUN/trajectories/NAME.jsonl; gunzip unpacks them"
    )
    add_runs(parser, "finished run")


def command(options: argparse.Namespace) -> int:
    """Pack trajectories."""
    console = make_console()
    for run in options.runs:
        with user_errors():
            files, size, packed = compact(run)
        done = f"{files} files, {size / 1e6:,.2f} MB packed into {packed / 1e6:,.2f} MB"
        console.print(f"{run}: {done}", markup=False, soft_wrap=True)
    return 0
