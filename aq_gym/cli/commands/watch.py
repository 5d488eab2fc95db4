"""``aq-gym watch``."""

from __future__ import annotations

import argparse
import sys

from aq_gym.cli.options import add_runs, natural
from aq_gym.cli.user_errors import user_errors


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_runs(parser)
    parser.add_argument(
        "--port", type=natural, default=0, help="the port (default: a free one)"
    )


def command(options: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    from aq_gym.report.watch import LiveReport, make_server

    with user_errors():
        server = make_server(LiveReport(options.runs), options.port)
    with server:
        sys.stdout.write(f"http://127.0.0.1:{server.server_port}/ (Ctrl-C ends it)\n")
        sys.stdout.flush()
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return 0
    return 0
