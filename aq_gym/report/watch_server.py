"""The servers of ``aq-gym watch`` and ``aq-gym ui``."""

from __future__ import annotations

import contextlib
import io
import json
import math
import socket
import sys
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import monotonic
from typing import Any, NamedTuple
from urllib.parse import unquote

from aq_gym.integrations.access import LOCAL_NAMES, Access
from aq_gym.integrations.listener import Listener
from aq_gym.report.page import policy
from aq_gym.report.watch import LiveReport

__all__ = ["WatchServer"]

ADDRESS = "127.0.0.1"
# Connections without the token: the oldest is closed for a new one, so that no client
# keeps others out.
_MOST_STRANGERS = 256
# Seconds that a server whose runs have finished waits for its page, once it was opened
# and before.
_LINGER, _UNOPENED = 10.0, 600.0
_LOOK = 2.0
# The most bytes of a request's body.
_LARGEST = 100_000
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Answer(NamedTuple):
    """What a server answers: a text, its media type, and the mode of its policy."""

    text: str
    kind: str = "text/html"
    mode: str = "live"


class LocalServer(ThreadingHTTPServer):
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
        self.access = Access(token, LOCAL_NAMES, pages=True)
        self._lock = threading.Lock()
        self._strangers: dict[Any, None] = {}
        super().__init__((ADDRESS, port), _Handler)

    def server_activate(self) -> None:
        """Listen."""
        self.socket = Listener(self.socket, self.access)
        self.socket.listen()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread, and end the oldest stranger's if there are too many."""
        with self._lock:
            self._strangers[request] = None
            if len(self._strangers) > _MOST_STRANGERS:
                oldest = next(iter(self._strangers))
                del self._strangers[oldest]
                with contextlib.suppress(OSError):
                    oldest.shutdown(socket.SHUT_RDWR)
        super().process_request(request, client_address)

    def keep(self, request: Any) -> None:
        """Keep a connection, whose request has the token, until it is answered."""
        with self._lock:
            self._strangers.pop(request, None)

    def answer(self, path: str) -> Answer | None:
        """Return the answer to a request, or None for an unknown path.

        Args:
            path: What follows the token, quoted as it came.
        """
        raise NotImplementedError

    def post(self, path: str, sent: bytes) -> Answer | None:
        """Return the answer to a request of the server's own page.

        Args:
            path: What follows the token.
            sent: The request's body.
        """
        return None

    def shutdown_request(self, request: Any) -> None:
        """End a connection."""
        self.keep(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print an error, unless a client has disconnected."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class WatchServer(LocalServer):
    """A server with two answers: the page ``/TOKEN/`` and its stamp.

    It ends when the runs have finished and no page asks for news any longer.

    Args:
        report: What it serves.
        token: The token.
        port: The port, 0 for a free one.

    Raises:
        OSError: If the port is not free.
        ValueError: If it is not a port.
    """

    def __init__(self, report: LiveReport, token: str, port: int = 0) -> None:
        self.report = report
        self._ends = monotonic() + _UNOPENED
        self._look = 0.0
        self.finished = False
        super().__init__(token, port)

    def answer(self, path: str) -> Answer | None:
        """Return the page or its stamp."""
        found = report_answer(self.report, path)
        if found is not None:
            self._ends = monotonic() + _LINGER
        return found

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


def report_answer(report: LiveReport, name: str) -> Answer | None:
    """Return the page of a report, its stamp, or the pictures of an episode.

    Args:
        report: The report.
        name: "", "stamp", or "pictures", a run's number and a task.
    """
    if name == "":
        return Answer(report.page())
    place, _, rest = name.partition("/")
    if place == "pictures":
        number, _, task = rest.partition("/")
        found = report.pictures(number, unquote(task))
        return None if found is None else Answer(json.dumps(found), "application/json")
    return Answer(report.stamp(), "text/plain") if name == "stamp" else None


class _Lines(io.BufferedReader):
    """A request that knows its last line; it is empty if the client has ended it."""

    last = b""

    def readline(self, size: int | None = -1) -> bytes:
        self.last = super().readline(size)
        return self.last


class _Handler(BaseHTTPRequestHandler):
    server: LocalServer
    rfile: _Lines
    rbufsize = 0
    server_version = "aq-gym"
    sys_version = ""
    # A client that sends nothing holds its thread for so many seconds at most.
    timeout = 30

    def setup(self) -> None:
        super().setup()
        self.rfile = _Lines(self.rfile)

    def do_GET(self) -> None:
        if (path := self._path()) is not None:
            self._answer_with(self.server.answer(path))

    do_HEAD = do_GET

    def do_POST(self) -> None:
        if (path := self._path(own=True)) is None:
            return
        length = self.headers.get("Content-Length", "")
        if (
            self.headers.get("Content-Type") != "application/json"
            or not length.isdecimal()
        ):
            self._refuse(HTTPStatus.BAD_REQUEST, "send JSON with its length\n")
        elif len(length) > 9 or int(length) > _LARGEST:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too long\n")
        else:
            self._answer_with(self.server.post(path, self.rfile.read(int(length))))

    def _path(self, own: bool = False) -> str | None:
        """Return what follows the token, or refuse the request and return None."""
        parts = [(k.encode("latin-1"), v.encode()) for k, v in self.headers.items()]
        given, slash, path = self.path[1:].partition("/")
        refusal = self.server.access.refuse_page(parts, own)
        if refusal is not None:
            self._refuse(refusal.status, f"{refusal.message}\n")
        elif not self.server.access.is_token(unquote(given).encode()) or not slash:
            message = "open the address that aq-gym printed, with its token\n"
            self._refuse(HTTPStatus.UNAUTHORIZED, message)
        elif self.rfile.last:
            # A head that its client did not end counts as one for http.server.
            self.server.keep(self.request)
            return path
        return None

    def _answer_with(self, answer: Answer | None) -> None:
        if answer is None:
            self._refuse(HTTPStatus.NOT_FOUND, "not found\n")
        else:
            self._send(HTTPStatus.OK, answer)

    def _refuse(self, status: HTTPStatus, message: str) -> None:
        self._send(status, Answer(message, "text/plain"))

    def _send(self, status: HTTPStatus, answer: Answer) -> None:
        body = answer.text.encode("utf-8", "replace")
        self.send_response(status)
        self.send_header("Content-Type", f"{answer.kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Security-Policy", policy(answer.mode, framed=False))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *values: Any) -> None:  # noqa: A002
        """Log nothing, to keep the terminal clean."""
