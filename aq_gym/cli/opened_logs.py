"""Open logs of other frameworks where a command expects runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory


@contextmanager
def opened(paths: Sequence[str]) -> Iterator[list[str]]:
    """Yield the folders of runs; a log is one in a temporary folder.

    Raises:
        ValueError: If a log cannot be read as a run.
    """
    from aq_gym.importers import import_logs
    from aq_gym.importers.reader import is_log

    with TemporaryDirectory() as scratch:
        folders = []
        for number, path in enumerate(paths):
            folder = path
            if not Path(path, "run.json").exists() and is_log(path):
                folder = str(Path(scratch, str(number), Path(path).stem))
                import_logs([path], folder)
            folders.append(folder)
        yield folders
