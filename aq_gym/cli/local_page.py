"""Commands that serve a page on this machine, at an address with a token."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from aq_gym.cli.options import natural
from aq_gym.cli.user_errors import user_errors
from aq_gym.server.access import TOKEN_VARIABLE, new_token, read_token


def add_page_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the port and the token."""
    parser.epilog = (
        f"The token in the page's address is read from ${TOKEN_VARIABLE} or "
        "--token-file, or else generated and printed."
    )
    parser.add_argument(
        "--port", type=natural, default=0, help="the port (default: a free one)"
    )
    parser.add_argument(
        "--token-file", metavar="FILE", help="a file with the token of the address"
    )


def serve_page(
    options: argparse.Namespace, folder: Path, opened: Sequence[Path] = ()
) -> None:
    """Serve the page of a folder of runs until Ctrl-C.

    Args:
        options: The port and the token.
        folder: The folder.
        opened: The runs whose report is opened first.
    """
    from aq_gym.report.ui import UiServer

    with user_errors():
        given = read_token(options.token_file)
        token = given or new_token()
        server = UiServer(folder, token, options.port, opened)
    with server:
        shown = "TOKEN" if given else token
        address = f"http://127.0.0.1:{server.server_port}/{shown}/{server.first}"
        sys.stdout.write(f"{address} (Ctrl-C ends it)\n")
        sys.stdout.flush()
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return
