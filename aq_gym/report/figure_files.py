"""Every figure of some runs, written to files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aq_gym.evaluation.groups import subskills
from aq_gym.report import figures
from aq_gym.report.data import Run, read_trajectory
from aq_gym.report.figure_style import styled
from aq_gym.support.extras import require

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["FORMATS", "write_figures"]

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
    maps: int = 3,
) -> list[Path]:
    """Write every figure of some runs.

    Args:
        runs: The runs.
        folder: Where to; made if there is none.
        formats: "pdf", "png" and "svg", or some of them.
        maps: Of how many episodes of each run there is a repetition map: those with
            the most repetitions.

    Returns:
        The files.

    Raises:
        ImportError: If matplotlib is not installed.
        ValueError: If a format is unknown.
    """
    unknown = [name for name in formats if name not in FORMATS]
    if unknown:
        raise ValueError(f"formats: {unknown} are not among {FORMATS}")
    require("matplotlib", "figures for papers", "report")
    drawn = _drawn(runs, maps)
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    files = []
    with styled():
        for name, figure in drawn.items():
            for suffix in formats:
                files.append(place / f"{name}.{suffix}")
                figure.savefig(files[-1], metadata=_METADATA[suffix])
    return files


def _drawn(runs: Sequence[Run], maps: int) -> dict[str, Figure]:
    drawn = {"curves": figures.curves(runs), "bars": figures.bars(runs)}
    if any(subskills(run.episodes) for run in runs):
        drawn["radar"] = figures.radar(runs)
    for number, run in enumerate(runs):
        label = re.sub(r"[^A-Za-z0-9]+", "-", run.label).strip("-")
        for task in islice(_most_repetitive(run), maps):
            name = f"map-{number}-{label}-{task}"
            drawn[name] = figures.repetition_map(run, task)
    return drawn


def _most_repetitive(run: Run) -> Iterator[str]:
    """Yield the tasks whose trajectory can be read, the most repetitive one first."""
    for episode in sorted(run.episodes, key=lambda e: (-e.repetition_rate, e.task)):
        try:
            played = read_trajectory(run, episode.task)
        except (ValueError, OSError):
            continue
        if played is not None and played.steps:
            yield episode.task
