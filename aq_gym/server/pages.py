"""Serve pages to browsers on this machine, at addresses with a token."""

from __future__ import annotations

import sys
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import unquote

from aq_gym.server.access import LARGEST_BODY, LOCAL_NAMES, Access, Refusal

_ADDRESS = "127.0.0.1"
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_NOT_FOUND = Refusal(HTTPStatus.NOT_FOUND, "not found")
_TOO_LARGE = Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too long")
_NOT_JSON = Refusal(HTTPStatus.BAD_REQUEST, "send JSON with its length")


class Answer(NamedTuple):
    """The answer to a request.

    Attributes:
        text: The body.
        kind: Its media type.
        policy: Its Content-Security-Policy.
        status: Its HTTP status.
    """

    text: str
    kind: str = "text/plain"
    policy: str = "default-src 'none'; frame-ancestors 'none'"
    status: HTTPStatus = HTTPStatus.OK


class PageServer(ThreadingHTTPServer):
    """A server at 127.0.0.1 whose pages are below ``/TOKEN/``.

    Args:
        token: The token.
        port: The port, 0 for a free one.

    Raises:
        OSError: If the port is not free.
        ValueError: If it is not a port.
    """

    daemon_threads = True

    def __init__(self, token: str, port: int = 0) -> None:
        if not 0 <= port <= 65535:
            raise ValueError(f"port={port} must be from 0 to 65535")
        self.access = Access(token, LOCAL_NAMES, own_pages=True)
        super().__init__((_ADDRESS, port), _Handler)

    def answer(self, path: str) -> Answer | None:
        """Return the answer to a request, or None for an unknown path.

        Args:
            path: The part of the path after the token, still quoted.
        """
        raise NotImplementedError

    def post(self, path: str, sent: bytes) -> Answer | None:
        """Return the answer to a request of the server's own page.

        Args:
            path: The part of the path after the token.
            sent: The request's body.
        """
        raise NotImplementedError

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print an error, unless a client has disconnected."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: PageServer
    server_version = "aq-gym"
    sys_version = ""
    # Seconds after which a client that sends nothing is disconnected.
    timeout = 30

    def do_GET(self) -> None:
        path = self._allowed_path()
        if path is not None:
            self._answer(self.server.answer(path))

    do_HEAD = do_GET

    def do_POST(self) -> None:
        path = self._allowed_path()
        if path is None:
            return
        length = self.headers.get("Content-Length", "")
        kind = self.headers.get("Content-Type")
        if kind != "application/json" or not length.isdecimal():
            self._refuse(_NOT_JSON)
        elif int(length[:20]) > LARGEST_BODY:
            self._refuse(_TOO_LARGE)
        else:
            self._answer(self.server.post(path, self.rfile.read(int(length))))

    def _allowed_path(self) -> str | None:
        """Return the path after the token, or refuse the request and return None."""
        token, slash, path = self.path[1:].partition("/")
        refusal = self.server.access.refuse(
            self.headers.get_all("Host", []),
            self.headers.get_all("Origin", []),
            unquote(token) if slash else "",
        )
        if refusal is not None:
            self._refuse(refusal)
            return None
        return path

    def _answer(self, answer: Answer | None) -> None:
        if answer is None:
            self._refuse(_NOT_FOUND)
        else:
            self._send(answer)

    def _refuse(self, refusal: Refusal) -> None:
        self._send(Answer(f"{refusal.message}\n", status=refusal.status))

    def _send(self, answer: Answer) -> None:
        body = answer.text.encode("utf-8", "replace")
        self.send_response(answer.status)
        self.send_header("Content-Type", f"{answer.kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Security-Policy", answer.policy)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *values: Any) -> None:  # noqa: A002
        """Log nothing, to keep the terminal clean."""
