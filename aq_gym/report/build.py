"""The report of some runs, written to one file."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from errno import EISDIR
from pathlib import Path
from typing import TextIO

from aq_gym.papers.published import read_published
from aq_gym.report.archive import Archive
from aq_gym.report.collect import Collector, Track, untracked
from aq_gym.report.content import report_page
from aq_gym.report.data import load_runs
from aq_gym.report.pictures import MOST_PICTURED, add_pictures
from aq_gym.report.ranking import best_first

LARGEST_FILE = 200_000_000
_MARK = "<!--chunks-->"


def write_report(
    runs: Sequence[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    title: str = "",
    largest: int = LARGEST_FILE,
    pictures: int | None = MOST_PICTURED,
    trust: bool = False,
    published: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = (),
    track: Track = untracked,
) -> Path:
    """Write a self-contained page about one or more runs, which works offline.

    If the compressed trajectories are larger than ``largest``, they are written to a
    folder next to the page, which must be kept with it.

    Args:
        runs: The directories of the runs. More than eight are sorted as the ranking
            is, and their baseline is the best one.
        out: The file to write; an existing one is replaced.
        title: The page's title; by default the names of the runs.
        largest: The maximum size of the trajectories in the page, in bytes.
        pictures: The number of episodes whose pictures are in the page, drawn by a
            replay: those that the findings name come first, then some of each run and
            environment. None for all.
        trust: Whether a replay may make any environment that a trajectory names, with
            any arguments: it may read files and run code.
        published: A JSON file of published scores to show with the runs, or several.
        track: Shows how far the report is, as ``rich.progress.track`` does: called
            with the things of a loop, their number and a description, it returns them.

    Returns:
        The file.

    Raises:
        ValueError: If a run is given twice, or has no finished episode, or a file of
            published scores has another format.
        FileNotFoundError: If a directory holds no run.
        IsADirectoryError: If ``out`` is a directory.
    """
    named = [published] if isinstance(published, str | os.PathLike) else published
    papers = read_published(*named)
    loaded = best_first(load_runs(runs))
    if not any(run.episodes for run in loaded):
        folders = ", ".join(str(run.path) for run in loaded)
        raise ValueError(f"{folders}: no episode is finished yet")
    path = Path(out)
    if path.is_dir():
        raise IsADirectoryError(EISDIR, "is a folder, not a file to write", str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    with Archive() as archive:
        collected = Collector().collect(loaded, archive, track=track)
        told = add_pictures(loaded, collected, archive, pictures, trust, track)
        folder = path.with_name(f"{path.stem}-trajectories")
        outside = archive.size > largest
        name = folder.name if outside else ""
        page = report_page(
            loaded,
            collected,
            title=title,
            folder=name,
            unpictured=told,
            papers=papers,
        )
        if outside:
            archive.write_folder(folder)
        half = path.with_name(f".{path.name}.part")
        with half.open("w", encoding="utf-8", errors="replace") as file:
            _write(file, page, None if outside else archive)
        half.replace(path)
    return path


def fill_page(page: str, archive: Archive) -> str:
    """Insert the trajectories into a page.

    Args:
        page: The return value of :func:`aq_gym.report.content.report_page`.
        archive: The trajectories.
    """
    file = io.StringIO()
    _write(file, page, archive)
    return file.getvalue()


def _write(file: TextIO, page: str, archive: Archive | None) -> None:
    before, _, after = page.partition(_MARK)
    file.write(before)
    if archive is not None:
        archive.write_elements(file)
    file.write(after)
