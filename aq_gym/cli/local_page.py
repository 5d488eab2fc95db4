"""Commands that serve a page on this machine, at an address with a token."""

from __future__ import annotations

import argparse
import secrets
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from aq_gym.cli.options import natural
from aq_gym.cli.serve_token import VARIABLE, read_token
from aq_gym.cli.user_errors import user_errors

if TYPE_CHECKING:
    from aq_gym.report.watch_server import LocalServer


def add_page_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the port and the token."""
    parser.epilog = (
        f"The token in the page's address is read from ${VARIABLE} or --token-file, or "
        "else generated and printed."
    )
    parser.add_argument(
        "--port", type=natural, default=0, help="the port (default: a free one)"
    )
    parser.add_argument(
        "--token-file", metavar="FILE", help="a file with the token of the address"
    )


def serve_page(
    options: argparse.Namespace, make_server: Callable[[str, int], LocalServer]
) -> bool:
    """Serve a page until its server ends or Ctrl-C, and return whether it ended."""
    with user_errors():
        token = read_token(options.token_file)
        made = "" if token else secrets.token_urlsafe(32)
        server = make_server(token or made, options.port)
    with server:
        address = f"http://127.0.0.1:{server.server_port}/{made or 'TOKEN'}/"
        sys.stdout.write(f"{address} (Ctrl-C ends it)\n")
        sys.stdout.flush()
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return False
    return True
