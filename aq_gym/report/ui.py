"""The server of ``aq-gym ui`` and ``aq-gym watch``: runs and their reports."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote

from aq_gym.report.folder import listed_runs, report_link, run_name
from aq_gym.report.live import LiveReport
from aq_gym.report.page import policy, render
from aq_gym.server.pages import Answer, PageServer
from aq_gym.support.escaping import visible

__all__ = ["UiServer"]


class UiServer(PageServer):
    """Serves the page of a folder of runs, and the reports of chosen runs.

    Args:
        folder: The folder of the runs.
        token: The token.
        port: The port, 0 for a free one.
        opened: The runs in the report at :attr:`first`, in the folder or elsewhere. The
            report waits for a directory that is missing or empty.

    Attributes:
        first: The path of the page to open first, below the token.

    Raises:
        FileNotFoundError: If a directory of ``opened`` holds something else.
        OSError: If the port is not free.
        ValueError: If it is not a port, or a run is given twice.
    """

    def __init__(
        self,
        folder: Path,
        token: str,
        port: int = 0,
        opened: Sequence[Path] = (),
    ) -> None:
        self._folder = folder
        self._opened = {run_name(folder, path): path for path in opened}
        self._report = lru_cache(8)(LiveReport)
        self.first = report_link(self._opened) if opened else ""
        if opened:
            self._report(tuple(opened))
        super().__init__(token, port)

    def answer(self, path: str) -> Answer | None:
        """Return the page of the folder, or the report of runs."""
        if path in ("", "stamp"):
            return self._start_page(path == "stamp")
        place, _, rest = path.partition("/")
        if place == "report":
            names, _, part = rest.partition("/")
            return self._report_of(names.split(","), part)
        return None

    def _start_page(self, stamp_only: bool) -> Answer:
        runs = listed_runs(self._folder, self._opened.values())
        stamp = hashlib.sha256(repr(runs).encode()).hexdigest()[:16]
        if stamp_only:
            return Answer(stamp)
        text = render(
            "start.html",
            mode="live",
            title=f"aq_gym: {visible(str(self._folder))}",
            sections=(("runs", "Runs"),),
            live={"stamp": stamp, "finished": False},
            runs=runs,
        )
        return Answer(text, "text/html", policy("live", framed=False))

    def _report_of(self, quoted: list[str], part: str) -> Answer | None:
        """Return the page of a report, its stamp, or the pictures of an episode.

        Args:
            quoted: The names of its runs, quoted.
            part: "", "stamp", or "pictures", a run's number and a task.
        """
        listed = listed_runs(self._folder, self._opened.values())
        known = {run.name: self._folder / run.name for run in listed} | self._opened
        try:
            names = [unquote(one) for one in dict.fromkeys(quoted)]
            report = self._report(tuple(known[name] for name in names))
            kind, _, rest = part.partition("/")
            if part == "":
                return Answer(report.page(), "text/html", policy("live", framed=False))
            if kind == "pictures":
                number, _, task = rest.partition("/")
                found = report.pictures(number, unquote(task))
                sent = None if found is None else json.dumps(found)
                return None if sent is None else Answer(sent, "application/json")
            return Answer(report.stamp()) if part == "stamp" else None
        except (KeyError, ValueError, OSError):
            return None
