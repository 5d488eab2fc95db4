"""Every figure of some runs, written to files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aq_gym.evaluation import EpisodeResult
from aq_gym.evaluation.summary import by_benchmark, subskills
from aq_gym.report import figures
from aq_gym.report.data import Run, read_trajectory
from aq_gym.report.figure_style import styled
from aq_gym.support.extras import require

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("pdf", "png", "svg")

# Without a time stamp equal runs give equal files.
_METADATA: dict[str, Any] = {
    "pdf": {"CreationDate": None},
    "png": {},
    "svg": {"Date": None},
}


def write_figures(
    runs: Sequence[Run],
    folder: str | os.PathLike[str],
    formats: Sequence[str] = FORMATS,
    maps: int = 1,
    env: str | None = None,
    narrow: bool = False,
) -> list[Path]:
    """Write every figure of some runs.

    Args:
        runs: The runs.
        folder: Where to; made if there is none.
        formats: "pdf", "png" and "svg", or some of them.
        maps: Of how many episodes of each run and environment there is a repetition
            map: the unsolved ones with the most repetitions.
        env: The benchmark to draw; by default all that the runs have.
        narrow: Whether the figures fit one column of a paper, instead of both.

    Returns:
        The files.

    Raises:
        ImportError: If matplotlib is not installed.
        ValueError: If a format is unknown, or the runs do not have the benchmark.
    """
    unknown = [name for name in formats if name not in FORMATS]
    if unknown:
        raise ValueError(f"formats: {unknown} are not among {FORMATS}")
    require("matplotlib", "figures for papers", "report")
    drawn = _drawn(runs, maps, env, narrow)
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    files = []
    with styled():
        for name, figure in drawn.items():
            for suffix in formats:
                files.append(place / f"{name}.{suffix}")
                figure.savefig(files[-1], metadata=_METADATA[suffix])
    return files


def _drawn(
    runs: Sequence[Run], maps: int, env: str | None, narrow: bool
) -> dict[str, Figure]:
    width = figures.ONE_COLUMN if narrow else figures.TWO_COLUMNS
    drawn = {
        "curves": figures.curves(runs, env, width),
        "dots": figures.dots(runs, env, width),
    }
    if env is None and any(subskills(run.episodes) for run in runs):
        drawn["radar"] = figures.radar(runs)
    for number, run in enumerate(runs):
        label = re.sub(r"[^A-Za-z0-9]+", "-", run.label).strip("-")
        for name, own in by_benchmark(run.episodes).items():
            if env in (None, name):
                for task in islice(_most_repetitive(run, own), maps):
                    file = f"map-{number}-{label}-{task}"
                    drawn[file] = figures.repetition_map(run, task)
    return drawn


def _most_repetitive(run: Run, episodes: Sequence[EpisodeResult]) -> Iterator[str]:
    """Yield the tasks that have a trajectory, unsolved and repetitive ones first."""
    for episode in sorted(
        episodes, key=lambda e: (e.success, -e.repetition_rate, e.task)
    ):
        try:
            played = read_trajectory(run, episode.task)
        except (ValueError, OSError):
            continue
        if played is not None and played.steps:
            yield episode.task
