"""``aq-gym ui``."""

from __future__ import annotations

import argparse
import secrets
import sys
from pathlib import Path

from aq_gym.cli.options import natural
from aq_gym.cli.serve_token import VARIABLE, read_token
from aq_gym.cli.user_errors import user_errors


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = (
        f"The token in the page's address is read from ${VARIABLE} or --token-file, or "
        "else made and printed."
    )
    parser.add_argument(
        "folder", nargs="?", default="runs", help="the folder of runs (default: runs)"
    )
    parser.add_argument(
        "--port", type=natural, default=0, help="the port (default: a free one)"
    )
    parser.add_argument(
        "--token-file", metavar="FILE", help="a file with the token of the address"
    )


def command(options: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    from aq_gym.report.start import StartServer

    with user_errors():
        token = read_token(options.token_file)
        made = "" if token else secrets.token_urlsafe(32)
        server = StartServer(Path(options.folder), token or made, options.port)
    with server:
        address = f"http://127.0.0.1:{server.server_port}/{made or 'TOKEN'}/"
        sys.stdout.write(f"{address} (Ctrl-C ends it)\n")
        sys.stdout.flush()
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return 0
    return 0
