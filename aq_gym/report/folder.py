"""The runs of a folder."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from aq_gym.evaluation import summarize, usage_totals
from aq_gym.evaluation.summary import by_benchmark
from aq_gym.importers.convert import is_log, log_files
from aq_gym.report.data import load_runs
from aq_gym.report.live import (
    has_finished,
    is_stopped,
    modified,
    running_episodes,
    status_text,
)
from aq_gym.support.escaping import short, visible

_MOST_ENVS, _LONGEST = 2, 160
# The name has the model; a timeout tells no agents apart.
_NOT_TOLD = ("model", "timeout")
_MEANS = {
    "success": "success rate",
    "progress": "progress rate",
    "repetition": "repetition rate",
    "grounding": "grounding accuracy",
}


class Listed(NamedTuple):
    """A run of the folder as the page lists it.

    Attributes:
        name: Its path below the folder, or its whole path.
        state: "live", "finished", "stopped", "damaged" or, of another program, "log".
        agent: The agent.
        arguments: The agent's arguments as text.
        suite: The suite.
        envs: The benchmarks so far as text; of more than two, how many there are.
        status: The status of the run as text.
        success: The share of its episodes that were solved; None if there are none.
        progress: The mean progress rate of its episodes; None if there are none.
        repetition: The mean repetition rate of its episodes; None if there are none.
        grounding: The mean share of valid actions; None if there are no episodes.
        tokens: The tokens of all episodes, 0 if they are not known.
        cost: What they cost, 0 without a price.
        seconds: How long the model took to answer, 0 without one.
        changed: When it last changed, in seconds since the epoch.
    """

    name: str
    state: str
    status: str
    changed: float
    agent: str = ""
    arguments: str = ""
    suite: str = ""
    envs: str = ""
    success: float | None = None
    progress: float | None = None
    repetition: float | None = None
    grounding: float | None = None
    tokens: float = 0
    cost: float = 0
    seconds: float = 0

    @property
    def link(self) -> str:
        """The address of its report."""
        return report_link([self.name])

    @property
    def date(self) -> str:
        """When it last changed, in UTC."""
        return time.strftime("%Y-%m-%d %H:%M", time.gmtime(self.changed))


def run_name(folder: Path, path: Path) -> str:
    """Return the name of a run: its path below a folder, or else its whole path."""
    # The name "." would be lost in an address.
    inside = path != folder and path.is_relative_to(folder)
    return (path.relative_to(folder) if inside else path.absolute()).as_posix()


def report_link(names: Iterable[str]) -> str:
    """Return the address of the report of runs, by their names."""
    return f"report/{','.join(quote(name, safe='') for name in names)}/"


def listed_runs(folder: Path, others: Iterable[Path] = ()) -> list[Listed]:
    """Return the runs in a folder and its subfolders, the last changed ones first.

    Logs, which opening one reads, are among them.

    Args:
        folder: The folder.
        others: Further runs, which may be outside the folder.
    """
    found = []
    for path in dict.fromkeys([*_folders(folder, 2), *others]):
        if not _is_run(path):
            # A folder can be another user's.
            with suppress(OSError):
                if is_log(path):
                    found.append(_log(folder, path))
            continue
        dated = (path / "run.json", path / "episodes.jsonl", path / "trajectories")
        stamps = tuple(map(modified, dated))
        ended = (path / "summary.json").is_file()
        found.append(_listed(folder, path, (*stamps, ended, is_stopped(path))))
    # An abandoned game is not listed as a run; the server lists one still being played.
    return sorted(
        (run for run in found if run.suite != "game" or run.state == "finished"),
        key=lambda run: -run.changed,
    )


def _folders(folder: Path, depth: int) -> Iterator[Path]:
    """Yield a folder and those inside it, but not those inside a run."""
    yield folder
    if depth and not _is_run(folder):
        names: list[str] = []
        with suppress(OSError):
            names = sorted(os.listdir(folder))
        for path in map(folder.joinpath, names):
            if os.path.isdir(path):
                yield from _folders(path, depth - 1)


def _is_run(path: Path) -> bool:
    return os.path.isfile(path / "run.json")


def _log(folder: Path, path: Path) -> Listed:
    changed = max(map(modified, log_files(path)), default=0) / 1e9
    status = "of another program; opening it reads it"
    return Listed(run_name(folder, path), "log", status, changed)


@lru_cache(1_000)
def _listed(folder: Path, path: Path, stamps: tuple[int, ...]) -> Listed:
    name = run_name(folder, path)
    changed = max(stamps[:3]) / 1e9
    try:
        (run,) = load_runs([path])
        ended, stopped = has_finished([run]) or stamps[3], stamps[4]
        state = "finished" if ended else "stopped" if stopped else "live"
        told = status_text([run], [running_episodes(run) if state == "live" else []])
        scored = summarize(run.episodes)
        means = {name: scored[_MEANS[name]].value for name in _MEANS if scored}
        envs, usage = list(by_benchmark(run.episodes)), usage_totals(run.episodes)
        return Listed(
            name,
            state,
            " · ".join(filter(None, [told, run.damaged])),
            changed,
            run.label,
            _arguments(run.manifest.get("agent_params", {})),
            visible(run.suite[0]),
            (
                visible(", ".join(envs))
                if len(envs) <= _MOST_ENVS
                else f"{len(envs)} environments"
            )
            # The manifest does not name those that are still to come.
            + " so far" * bool(envs and not ended),
            tokens=usage.get("tokens", 0),
            cost=usage.get("cost", 0),
            seconds=usage.get("latency", 0),
            **means,
        )
    except (ValueError, OSError) as error:
        return Listed(name, "damaged", visible(str(error)), changed)


def _arguments(params: Mapping[str, Any]) -> str:
    """Return what tells an agent from others, besides the model, which its name has."""
    given = (f"{k}={v!s:.40}" for k, v in params.items() if k not in _NOT_TOLD)
    return short(", ".join(given), _LONGEST)
