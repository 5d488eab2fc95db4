"""``aq-gym watch``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from aq_gym.cli.local_page import add_page_arguments, serve_page
from aq_gym.cli.options import add_runs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_runs(parser, "run, or a log that aq-gym import reads")
    add_page_arguments(parser)


def command(options: argparse.Namespace) -> int:
    """Serve the report of runs and, beside it, the page of the folder of the first."""
    runs = [Path(run).absolute() for run in options.runs]
    for missing in (run for run in runs if not run.exists()):
        sys.stderr.write(f"waiting for {missing}, which does not exist yet\n")
    serve_page(options, runs[0].parent, opened=runs)
    return 0
