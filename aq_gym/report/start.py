"""The start page: the runs of a folder, and games to play."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from aq_gym.report.archive import dumps
from aq_gym.report.data import load_runs
from aq_gym.report.games import Games
from aq_gym.report.page import render
from aq_gym.report.running import has_finished, running_episodes, told
from aq_gym.report.started import StartedRuns
from aq_gym.report.watch import LiveReport
from aq_gym.report.watch_server import Answer, LocalServer, report_answer
from aq_gym.support.escaping import visible
from aq_gym.support.json_files import read_json

# A run that has neither ended nor written for so many seconds was stopped.
_SILENT = 600
_MOST_RUNS = 500


class Listed(NamedTuple):
    """A run of the folder as the page lists it.

    Attributes:
        name: Its path below the folder.
        state: "live", "finished", "stopped" or "damaged".
        agent: The agent.
        suite: The suite.
        told: How far it is.
        progress: The mean progress rate of its episodes, None without any.
        changed: When it last changed, in seconds since the epoch.
    """

    name: str
    state: str
    agent: str
    suite: str
    told: str
    progress: float | None
    changed: float

    @property
    def link(self) -> str:
        """The address of its report."""
        return f"report/{quote(self.name, safe='')}/"

    @property
    def date(self) -> str:
        """When it last changed, in UTC."""
        return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(self.changed))


def listed_runs(folder: Path) -> list[Listed]:
    """Return the runs in a folder and in its folders, live ones and new ones first.

    Args:
        folder: The folder.
    """
    found = []
    for pattern in ("run.json", "*/run.json", "*/*/run.json"):
        for file in sorted(folder.glob(pattern))[:_MOST_RUNS]:
            path = file.parent
            files = (file, path / "episodes.jsonl", path / "trajectories")
            stamps = tuple(map(_modified, files))
            stamps += ((path / "summary.json").is_file(),)
            found.append(_listed(folder, path, stamps))
    shown = [run._replace(state=_state(folder, run)) for run in found]
    return sorted(shown, key=lambda run: (run.state != "live", -run.changed))


def _modified(file: Path) -> int:
    """Return when a file last changed, or 0 if it is missing or a broken link."""
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


def _state(folder: Path, run: Listed) -> str:
    if run.state != "live":
        return run.state
    # A long episode changes its own file alone.
    files = (folder / run.name / "trajectories").glob("*.jsonl")
    newest = max((_modified(f) / 1e9 for f in files), default=0.0)
    silent = time.time() - max(run.changed, newest)
    return "stopped" if silent > _SILENT else "live"


@lru_cache(1_000)
def _listed(folder: Path, path: Path, stamps: tuple[int, ...]) -> Listed:
    name = path.relative_to(folder).as_posix()
    changed = max(stamps[:3]) / 1e9
    try:
        (run,) = load_runs([path])
        state = "finished" if has_finished([run]) or stamps[3] else "live"
        playing = [running_episodes(run)] if state == "live" else [[]]
        scored = [e.progress_rate for e in run.episodes if not e.error]
        return Listed(
            name,
            state,
            run.label,
            visible(run.suite[0]),
            told([run], playing),
            sum(scored) / len(scored) if scored else None,
            changed,
        )
    except (ValueError, OSError) as error:
        return Listed(name, "damaged", "", "", visible(str(error)), None, changed)


class StartServer(LocalServer):
    """Serves the start page, the reports of chosen runs, and games.

    Args:
        folder: The folder of the runs.
        token: The token.
        port: The port, 0 for a free one.
        agents: Agents that may be chosen for a run besides the packaged ones: their
            names, and the options of ``aq-gym run`` for each.

    Raises:
        NotADirectoryError: If there is no such folder.
        OSError: If the port is not free.
        ValueError: If it is not a port.
    """

    def __init__(
        self,
        folder: Path,
        token: str,
        port: int = 0,
        agents: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        if not folder.is_dir():
            raise NotADirectoryError(f"folder={str(folder)!r} is not a folder")
        self.folder = folder
        self.games = Games(folder / "games")
        self.started = StartedRuns(folder, agents or {})
        self._report = lru_cache(8)(LiveReport)
        super().__init__(token, port)

    def server_close(self) -> None:
        """End the games and the run, too."""
        super().server_close()
        self.games.close()
        self.started.stop()

    def answer(self, path: str) -> Answer | None:
        """Return the start page, the report of runs, or a game."""
        place, _, rest = path.partition("/")
        if path in ("", "stamp"):
            runs, told = listed_runs(self.folder), self.started.told()
            shown = repr((runs, told, self.started.playing)).encode()
            stamp = hashlib.sha256(shown).hexdigest()[:16]
            if path == "stamp":
                return Answer(stamp, "text/plain")
            page = render(
                "start.html",
                mode="live",
                title=f"aq_gym: {visible(str(self.folder))}",
                sections=(("runs", "Runs"), ("play", "Play"), ("begin-run", "Run")),
                live={"stamp": stamp, "finished": False},
                runs=runs,
                ids=Games.ids(),
                started=self.started,
            )
            return Answer(page)
        if place == "report":
            names, _, name = rest.partition("/")
            return self._report_of(names.split(","), name)
        if place == "game" and rest in self.games:
            page = render(
                "game.html",
                mode="live",
                title=self.games.title(rest),
                sections=(),
                data=dumps(self.games.shown(rest)),
            )
            return Answer(page)
        return None

    def _report_of(self, quoted: list[str], name: str) -> Answer | None:
        known = {run.name: self.folder / run.name for run in listed_runs(self.folder)}
        try:
            paths = tuple(known[unquote(one)] for one in dict.fromkeys(quoted))
            return report_answer(self._report(paths), name)
        except (KeyError, ValueError, OSError):
            return None

    def post(self, path: str, sent: bytes) -> Answer | None:
        """Begin a game or a run, play an action, or stop the run."""
        try:
            asked: Any = read_json(sent.decode())
        except ValueError:
            return None
        if not isinstance(asked, dict):
            return None
        shown: Mapping[str, Any] | None
        if path == "game":
            shown = self.games.begin(asked.get("env"), asked.get("seed"))
        elif path == "run":
            name = self.started.begin(asked.get("suite"), asked.get("agent"))
            shown = None if name is None else {"run": name}
        elif path == "stop":
            self.started.stop()
            shown = {}
        else:
            shown = self.games.act(path.removeprefix("game/"), asked.get("action"))
        return None if shown is None else Answer(json.dumps(shown), "application/json")
