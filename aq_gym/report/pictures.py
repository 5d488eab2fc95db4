"""The pictures of episodes, drawn by replaying some of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from gymnasium.error import DependencyNotInstalled

from aq_gym import trajectory
from aq_gym.report.archive import Archive
from aq_gym.report.collect import Collected, Track, untracked
from aq_gym.report.data import Run
from aq_gym.report.findings import find_all
from aq_gym.support.escaping import short, visible
from aq_gym.trajectory.reader import find
from aq_gym.trajectory.trust import UntrustedError

MOST_PICTURED = 300
# Of a longer episode, only the first steps are drawn.
_MOST_STEPS = 500
_LONGEST = 300
# The errors that an environment's code can raise for a file from elsewhere.
_FAILURES = (
    ArithmeticError,
    AttributeError,
    LookupError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)


def drawn(run: Path, task: str, trust: bool = False) -> dict[str, Any]:
    """Return the pictures of an episode.

    "svg" has the distinct pictures, and "at" the number of the picture of the reset and
    of each step; "problem" is the reason if pictures are missing.

    Args:
        run: The folder of the run.
        task: The name of the task.
        trust: Whether the recorded spec may name any code.
    """
    svgs: list[str] = []
    problem = ""
    try:
        path = find(run / "trajectories", task)
        recorded = trajectory.read(path)
        # Episodes imported from other frameworks' logs name no environment.
        if recorded.header.get("spec", {}) is not None:
            svgs = trajectory.pictures(path, None, trust, _MOST_STEPS, "auto")
        if svgs and len(svgs) <= len(recorded.steps):
            problem = f"No pictures after step {len(svgs) - 1}: " + (
                f"{_MOST_STEPS} steps are drawn."
                if len(svgs) > _MOST_STEPS
                else "the replay there is different from what was recorded."
            )
    except UntrustedError as error:
        problem = (
            f"No pictures: {visible(error.problem)} and is not trusted to; "
            "aq-gym report --trust draws them."
        )
    except _FAILURES as error:
        # Other messages name files of this machine.
        problem = "No pictures: " + (
            short(str(cause), _LONGEST)
            if isinstance(cause := error.__cause__ or error, DependencyNotInstalled)
            else f"the episode cannot be replayed here ({type(cause).__name__})."
        )
    numbers = {svg: number for number, svg in enumerate(dict.fromkeys(svgs))}
    return {
        "svg": [*numbers],
        "at": [numbers[svg] for svg in svgs],
        "problem": problem,
    }


def add_pictures(
    runs: Sequence[Run],
    collected: Collected,
    archive: Archive,
    most: int | None = MOST_PICTURED,
    trust: bool = False,
    track: Track = untracked,
) -> str:
    """Put pictures of episodes into the archive, and their places into the list.

    The episodes that the findings name come first, then some of each run and
    environment. Equal pictures of an episode are kept once. An environment without
    pictures is tried once in each run.

    Args:
        runs: The runs.
        collected: The return value of :meth:`aq_gym.report.collect.Collector.collect`.
        archive: The archive to which the pictures are added.
        most: The number of episodes that get pictures; None for all.
        trust: Whether recorded specs may name any code.
        track: Shows how far the drawing is.

    Returns:
        The note on episodes without pictures.
    """
    columns = collected.columns
    places: list[Any] = [None] * len(columns["task"])
    columns["pictures"] = places
    folders = {run.label: run.path for run in runs}
    blank: set[tuple[str, str]] = set()
    left = len(places) if most is None else most
    told = ""
    total = min(left, len(places))
    for row in track(_order(runs, collected), total, "drawing pictures"):
        run = columns["run"][row]
        kind = run, columns["env"][row]
        if not left:
            told = (
                f"The pictures of {sum(map(bool, places))} of the {len(places)} "
                "episodes are in this report; --pictures all draws those of all."
            )
            break
        if kind in blank:
            continue
        found = drawn(folders[run], columns["task"][row], trust)
        if not found["svg"] and not found["problem"]:
            blank.add(kind)
            continue
        left -= 1
        places[row] = archive.add(json.dumps(found, separators=(",", ":")).encode())
    archive.finish()
    return told


def _order(runs: Sequence[Run], collected: Collected) -> Iterator[int]:
    """Yield the rows of the list of episodes in the order in which they are drawn."""
    columns = collected.columns
    rows = {
        key: row
        for row, key in enumerate(zip(columns["run"], columns["task"], strict=True))
    }
    examples = [
        rows[run, task]
        for number in range(len(runs))
        for findings in find_all(collected, [number]).values()
        for finding in findings
        for run, task, _ in finding.examples
    ]
    groups: dict[tuple[str, str], list[int]] = {}
    for row, key in enumerate(zip(columns["run"], columns["env"], strict=True)):
        groups.setdefault(key, []).append(row)
    turns = chain.from_iterable(zip_longest(*groups.values()))
    return (row for row in dict.fromkeys(chain(examples, turns)) if row is not None)
