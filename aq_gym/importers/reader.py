"""Read a log of any format."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from aq_gym.importers.atif import is_atif, read_atif
from aq_gym.importers.episode import LoggedEpisode
from aq_gym.importers.inspect_ai import is_inspect, read_eval, read_inspect
from aq_gym.importers.tau2 import is_tau2, read_tau2
from aq_gym.support.json_files import read_object

_Reader = Callable[[dict[str, Any], Path], Iterator[LoggedEpisode]]
_JSON: Mapping[Callable[[dict[str, Any]], bool], _Reader] = {
    is_atif: read_atif,
    is_tau2: read_tau2,
    is_inspect: read_inspect,
}
_IN_A_JOB = "*/agent/trajectory.json"
_IN_TAU2 = "results.json"


def is_log(path: str | os.PathLike[str]) -> bool:
    """Return whether a path may be a log: a file, or a folder of Harbor or tau2."""
    path = Path(path)
    return path.is_file() or any(_files(path))


def _files(folder: Path) -> list[Path]:
    """Return the logs in a folder: those of Harbor's trials, or tau2's results."""
    return sorted([*folder.glob(_IN_A_JOB), *folder.glob(_IN_TAU2)])


def read_log(path: str | os.PathLike[str]) -> Iterator[LoggedEpisode]:
    """Yield the episodes of a log: ATIF, Inspect's ``.eval`` or ``.json``, or tau2's.

    Args:
        path: The file; the folder of a job of Harbor, which has a folder for each
            trial; or a folder of tau2's with ``results.json``.

    Raises:
        OSError: If it cannot be read.
        ValueError: If it has no known format, a part of it is damaged, or a file has
            more than 64 MiB.
    """
    path = Path(path)
    if path.is_dir():
        files = _files(path)
        if not files:
            raise ValueError(
                f"{path} has neither {_IN_A_JOB}, which a job of Harbor has, nor "
                f"{_IN_TAU2}, which tau2's folders have"
            )
        for file in files:
            yield from read_log(file)
        return
    if path.suffix == ".eval":
        yield from read_eval(path)
        return
    log = read_object(path)
    for fits, read in _JSON.items():
        if fits(log):
            yield from read(log, path)
            return
    raise ValueError(
        f"{path} has no known format: ATIF has schema_version, Inspect's logs have "
        "eval, samples and status, and tau2's results simulations"
    )
