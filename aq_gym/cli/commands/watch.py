"""``aq-gym watch``."""

from __future__ import annotations

import argparse
import shlex
import sys

from aq_gym.cli.local_page import add_page_arguments, serve_page
from aq_gym.cli.options import add_runs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_runs(parser)
    add_page_arguments(parser)


def command(options: argparse.Namespace) -> int:
    """Serve until the runs have finished, or Ctrl-C."""
    from aq_gym.report.watch import LiveReport
    from aq_gym.report.watch_server import WatchServer

    def make_server(token: str, port: int) -> WatchServer:
        return WatchServer(LiveReport(options.runs), token, port)

    if serve_page(options, make_server):
        shown = shlex.join(options.runs)
        sys.stdout.write(f"finished; to keep the page: aq-gym report {shown}\n")
    return 0
