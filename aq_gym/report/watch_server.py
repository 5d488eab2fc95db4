"""The server of ``aq-gym watch``."""

from __future__ import annotations

import contextlib
import math
import socket
import sys
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import monotonic
from typing import Any
from urllib.parse import unquote

from aq_gym.integrations.access import LOCAL_NAMES, Access
from aq_gym.report.page import policy
from aq_gym.report.watch import LiveReport

__all__ = ["WatchServer"]

ADDRESS = "127.0.0.1"
# The oldest connection is closed for a new one, so that no client keeps others out.
_MOST_CONNECTIONS = 256
# Seconds that a server whose runs have finished waits for its page, once it was opened
# and before.
_LINGER, _UNOPENED = 10.0, 600.0
_LOOK = 2.0
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class WatchServer(ThreadingHTTPServer):
    """A server at 127.0.0.1 with two answers: the page ``/TOKEN/`` and its stamp.

    It ends when the runs have finished and no page asks for news any longer.

    Args:
        report: What it serves.
        token: The token.
        port: The port, 0 for a free one.

    Raises:
        OSError: If the port is not free.
        ValueError: If it is not a port.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, report: LiveReport, token: str, port: int = 0) -> None:
        if not 0 <= port <= 65535:
            raise ValueError(f"port={port} must be from 0 to 65535")
        self.report = report
        self.access = Access(token, LOCAL_NAMES)
        self._lock = threading.Lock()
        self._connections: dict[Any, None] = {}
        self._ends = monotonic() + _UNOPENED
        self._look = 0.0
        self.finished = False
        super().__init__((ADDRESS, port), _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread, and end the oldest connection if there are too many."""
        with self._lock:
            self._connections[request] = None
            if len(self._connections) > _MOST_CONNECTIONS:
                oldest = next(iter(self._connections))
                del self._connections[oldest]
                with contextlib.suppress(OSError):
                    oldest.shutdown(socket.SHUT_RDWR)
        super().process_request(request, client_address)

    def service_actions(self) -> None:
        """End the server when there is nothing to follow."""
        super().service_actions()
        if monotonic() >= self._look and not self.finished:
            # Not here: meanwhile no client would be served.
            self._look = math.inf
            threading.Thread(target=self._end_if_finished, daemon=True).start()

    def _end_if_finished(self) -> None:
        try:
            if self.report.finished() and monotonic() >= self._ends:
                self.finished = True
                self.shutdown()
        finally:
            self._look = monotonic() + _LOOK

    def asked(self) -> None:
        """Note that a page is open."""
        self._ends = monotonic() + _LINGER

    def shutdown_request(self, request: Any) -> None:
        """End a connection."""
        with self._lock:
            self._connections.pop(request, None)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print an error, unless a client has disconnected."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: WatchServer
    server_version = "aq-gym"
    sys_version = ""
    # A client that sends nothing holds its thread for so many seconds at most.
    timeout = 30

    def do_GET(self) -> None:
        headers = [(k.encode("latin-1"), v.encode()) for k, v in self.headers.items()]
        given, _, name = unquote(self.path)[1:].rpartition("/")
        refusal = self.server.access.refuse_page(headers)
        if refusal is not None:
            self._answer(refusal.status, "text/plain", f"{refusal.message}\n")
        elif not self.server.access.is_token(given.encode()):
            message = "open the address that aq-gym watch printed, with its token\n"
            self._answer(HTTPStatus.UNAUTHORIZED, "text/plain", message)
        elif name == "":
            self.server.asked()
            self._answer(HTTPStatus.OK, "text/html", self.server.report.page())
        elif name == "stamp":
            self.server.asked()
            self._answer(HTTPStatus.OK, "text/plain", self.server.report.stamp())
        else:
            self._answer(HTTPStatus.NOT_FOUND, "text/plain", "not found\n")

    do_HEAD = do_GET

    def _answer(self, status: HTTPStatus, kind: str, text: str) -> None:
        body = text.encode("utf-8", "replace")
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Security-Policy", policy("live", framed=False))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *values: Any) -> None:  # noqa: A002
        """Log nothing, to keep the terminal clean."""
