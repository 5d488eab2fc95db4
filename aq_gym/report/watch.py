"""The report of a run in progress, served on this machine only."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Sequence
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import monotonic, process_time
from typing import Any

from aq_gym.report.archive import Archive
from aq_gym.report.build import fill_page
from aq_gym.report.collect import Collector
from aq_gym.report.content import report_page
from aq_gym.report.data import load_runs
from aq_gym.report.escaping import visible
from aq_gym.report.page import policy, render
from aq_gym.report.running import running_episodes
from aq_gym.support.extras import require

__all__ = ["LiveReport", "make_server"]

ADDRESS = "127.0.0.1"
# So that a large run leaves most of the time to the agent that is being watched.
_LEAST_SECONDS = 2.0
_SHARE = 10


class LiveReport:
    """The report of runs, rebuilt when their files change.

    Args:
        runs: The directories of the runs; each must have been begun.

    Raises:
        FileNotFoundError: If a directory holds no run.
        ImportError: If Jinja2 is not installed.
        ValueError: If a run is given twice.
    """

    def __init__(self, runs: Sequence[str | os.PathLike[str]]) -> None:
        require("jinja2", "the report", "report")
        self._paths = [Path(run) for run in runs]
        self._collector = Collector(keep=True)
        self._lock = threading.Lock()
        self._stamp = ""
        self._page = ""
        self._again = 0.0
        load_runs(self._paths)

    def stamp(self) -> str:
        """Return a value that changes when the page must be rebuilt."""
        if self._page and monotonic() < self._again:
            return self._stamp
        return self._stamp_of_files()

    def page(self) -> str:
        """Return the page, rebuilt if the files have changed."""
        with self._lock:
            stamp = self.stamp()
            if stamp != self._stamp or not self._page:
                start = process_time()
                self._page = self._built(stamp)
                self._stamp = stamp
                pause = _SHARE * (process_time() - start)
                self._again = monotonic() + max(_LEAST_SECONDS, pause)
            return self._page

    def _built(self, stamp: str) -> str:
        try:
            runs = load_runs(self._paths)
        except (ValueError, OSError) as error:
            # Its files were damaged or moved since; the page follows them still.
            return _waiting(stamp, "a run cannot be read", visible(str(error)))
        running = [running_episodes(run) for run in runs]
        if not any(run.episodes for run in runs) and not any(running):
            names = ", ".join(run.label for run in runs)
            return _waiting(stamp, names)
        with Archive() as archive:
            collected = self._collector.collect(runs, archive, running)
            return fill_page(report_page(runs, collected, live=stamp), archive)

    def _stamp_of_files(self) -> str:
        states = []
        for run in self._paths:
            files = [run / "run.json", run / "episodes.jsonl"]
            files += (run / "trajectories").glob("*.jsonl")
            for file in sorted(files):
                try:
                    state = file.stat()
                except FileNotFoundError:
                    # A file that was just moved, or no episode has ended yet.
                    continue
                states.append((file.name, state.st_size, state.st_mtime_ns))
        return hashlib.sha256(repr(states).encode()).hexdigest()[:16]


def _waiting(stamp: str, title: str, problem: str = "") -> str:
    """Return a page that waits for the first finished episode."""
    return render(
        "waiting.html",
        mode="live",
        title=title,
        sections=(),
        live=stamp,
        problem=problem,
    )


def make_server(report: LiveReport, port: int = 0) -> ThreadingHTTPServer:
    """Return the server, bound to 127.0.0.1 and not yet started.

    It has two answers, the page and its stamp. A request whose Host is not this
    machine's is refused, so that no page from elsewhere can read them through a name
    that it made point here (DNS rebinding).

    Args:
        report: What it serves.
        port: The port, 0 for a free one.

    Raises:
        OSError: If the port is not free.
        ValueError: If it is not a port.
    """
    if not 0 <= port <= 65535:
        raise ValueError(f"port={port} must be from 0 to 65535")
    server = ThreadingHTTPServer((ADDRESS, port), _handler(report))
    server.daemon_threads = True
    return server


def _handler(report: LiveReport) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        server_version = "aq-gym"
        sys_version = ""
        # A client that sends nothing holds its thread for so many seconds at most.
        timeout = 30

        def do_GET(self) -> None:
            if not self._is_for_us():
                self._answer(HTTPStatus.FORBIDDEN, "text/plain", "not for this host\n")
            elif self.path == "/":
                self._answer(HTTPStatus.OK, "text/html", report.page())
            elif self.path == "/stamp":
                self._answer(HTTPStatus.OK, "text/plain", report.stamp())
            else:
                self._answer(HTTPStatus.NOT_FOUND, "text/plain", "not found\n")

        do_HEAD = do_GET

        def _is_for_us(self) -> bool:
            host, _, port = self.headers.get("Host", "").rpartition(":")
            own = self.connection.getsockname()[1]
            named = host in (ADDRESS, "localhost") and port == str(own)
            origin = self.headers.get("Origin")
            return named and origin in (None, f"http://{host}:{port}")

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
            """Log nothing, to keep the terminal free."""

    return Handler


_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
