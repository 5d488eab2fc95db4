"""The server of ``aq-gym ui`` and ``aq-gym watch``: runs, their reports, games."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import gymnasium as gym

from aq_gym.importers.convert import LogRuns
from aq_gym.report.archive import dumps
from aq_gym.report.folder import listed_runs, report_link, run_name
from aq_gym.report.games import Games
from aq_gym.report.live import LiveReport
from aq_gym.report.page import policy, render
from aq_gym.server.pages import Answer, PageServer
from aq_gym.support.escaping import visible
from aq_gym.support.json_files import read_json

# Seconds after which a page is shown that waits for the report.
_PATIENCE = 3.0
_UNPLAYABLE = (gym.error.Error, ImportError, OSError, TypeError, ValueError)


class UiServer(PageServer):
    """Serves the page of a folder of runs, the reports of chosen runs, and games.

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
        self._games = Games(folder / "games")
        self.first = report_link(self._opened) if opened else ""
        with ExitStack() as begun:
            self._logs = begun.enter_context(LogRuns())
            self._pool = ThreadPoolExecutor()
            self._report = lru_cache(8)(
                lambda paths: self._pool.submit(self._opened_report, paths)
            )
            if opened:
                LiveReport(opened, self._logs.run_of)
            super().__init__(token, port)
            begun.pop_all()

    def server_close(self) -> None:
        """End the games, too, and remove the runs of logs."""
        super().server_close()
        self._pool.shutdown(cancel_futures=True)
        self._games.close()
        self._logs.close()

    def answer(self, path: str) -> Answer:
        """Return the folder's page, a report, a game, or an environment's arguments."""
        return self._found(path) or _missing(path)

    def _found(self, path: str) -> Answer | None:
        match path.split("/"):
            case [("" | "stamp") as part]:
                return self._start_page(part == "stamp")
            case ["arguments", env]:
                known = Games.arguments(unquote(env))
                return None if known is None else Answer(known)
            case ["report", names, *parts]:
                return self._report_of(names.split(","), parts or [""])
            case ["game", name] if name in self._games:
                game = self._games.shown(name)
                return _page("game.html", title=game["title"], data=dumps(game))
        return None

    def post(self, path: str, sent: bytes) -> Answer | None:
        """Begin a game, or play an action."""
        try:
            asked: Any = read_json(sent.decode())
        except ValueError:
            return None
        if not isinstance(asked, dict):
            return None
        shown = (
            self._begun(asked)
            if path == "game"
            else self._games.act(path.removeprefix("game/"), asked.get("action"))
        )
        return None if shown is None else _json(shown)

    def _begun(self, asked: Mapping[str, Any]) -> Mapping[str, Any] | None:
        try:
            return self._games.begin(
                asked.get("env"), asked.get("seed"), asked.get("arguments", "")
            )
        except _UNPLAYABLE as error:
            # Gymnasium appends the environment's arguments.
            told = str(error).partition(" was raised from the environment")[0]
            return {"problem": visible(told)}

    def _start_page(self, stamp_only: bool) -> Answer:
        runs = listed_runs(self._folder, self._opened.values())
        stamp = hashlib.sha256(repr(runs).encode()).hexdigest()[:16]
        if stamp_only:
            return Answer(stamp)
        return _page(
            "start.html",
            title=f"aq_gym: {visible(self._folder.resolve().name or '/')}",
            sections=(("runs", "Runs"), ("play", "Play")),
            live={"stamp": stamp, "finished": False},
            runs=runs,
            folder=visible(str(self._folder)),
            ids=Games.ids(),
            games=self._games.open(),
        )

    def _opened_report(self, paths: Sequence[Path]) -> LiveReport:
        report = LiveReport(paths, self._logs.run_of)
        report.page()
        return report

    def _report_of(self, quoted: list[str], parts: list[str]) -> Answer | None:
        """Return the page of a report, its stamp and status, or an episode's pictures.

        Args:
            quoted: The names of its runs, quoted.
            parts: "", "stamp", or "pictures", a run's number and a task.
        """
        listed = listed_runs(self._folder, self._opened.values())
        known = {run.name: self._folder / run.name for run in listed} | self._opened
        try:
            names = [unquote(one) for one in dict.fromkeys(quoted)]
            opening = self._report(tuple(known[name] for name in names))
            if not wait([opening], _PATIENCE).done:
                told = f"{visible(', '.join(names))}: the episodes are being read"
                return _waiting(told, finished=False) if parts == [""] else Answer("")
            report = opening.result()
            match parts:
                case [""]:
                    return Answer(
                        report.page(), "text/html", policy("live", framed=False)
                    )
                case ["pictures", number, task]:
                    found = report.pictures(number, unquote(task))
                    return None if found is None else _json(found)
                case ["stamp"]:
                    return Answer(f"{report.stamp()}\n{report.status()}")
        except KeyError:
            pass
        except (ValueError, OSError) as error:
            # It is read again when it is asked for again.
            self._report.cache_clear()
            if parts == [""]:
                return _waiting(visible(str(error)), finished=True)
        return None


def _page(template: str, sections: Sequence[Any] = (), **values: Any) -> Answer:
    return Answer(
        render(template, mode="live", sections=sections, **values),
        "text/html",
        policy("live", framed=False),
    )


def _missing(path: str) -> Answer:
    return _page(
        "waiting.html",
        title="not found",
        live={"stamp": "", "finished": True},
        problem="There is no run, game or page at this address",
        back="../" * path.count("/") or "./",
    )._replace(status=HTTPStatus.NOT_FOUND)


def _waiting(told: str, finished: bool) -> Answer:
    return _page(
        "waiting.html",
        title=f"a run {'cannot be' if finished else 'is being'} read",
        live={"stamp": "", "finished": finished},
        problem=told,
    )


def _json(value: Mapping[str, Any]) -> Answer:
    return Answer(dumps(value), "application/json")
