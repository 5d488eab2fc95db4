"""Rebuild a file of verdicts from trajectories.

A trajectory holds each step's verdicts in ``info["judge"]``, so that an episode can be
executed again without an endpoint::

    python -m aq_gym.envs.mystery.recover runs/mine/*.jsonl verdicts.jsonl
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from aq_gym.envs.mystery.judge import VerdictFile, verdict_of

__all__ = ["recover"]

_LONGEST_LINE = 10_000_000


def recover(trajectories: Iterable[Path], file: Path) -> int:
    """Add the verdicts in trajectories to a file of verdicts.

    Args:
        trajectories: JSON Lines files, as ``TrajectoryLogger`` writes them.
        file: The file of verdicts, which need not exist.

    Returns:
        The number of verdicts added.

    Raises:
        OSError: If a trajectory can't be read.
        ValueError: If ``file`` is not a file of verdicts.
    """
    verdicts = VerdictFile(file)
    added = 0
    for trajectory in trajectories:
        for key, verdict in _verdicts(trajectory):
            if not verdicts.get(key):
                verdicts.put(key, verdict, {"kind": "recovered"})
                added += 1
    return added


def _verdicts(trajectory: Path) -> Iterator[tuple[str, str]]:
    with trajectory.open("rb") as lines:
        while line := lines.readline(_LONGEST_LINE):
            for record in _judged(line):
                if found := verdict_of(json.dumps(record)):
                    yield found


def _judged(line: bytes) -> list[Any]:
    """Return the judge's entry in a line's info."""
    try:
        record = json.loads(line)
        judged = json.loads(record["info"]["judge"] or "[]")
    except (ValueError, RecursionError, KeyError, TypeError):
        return []
    return judged if isinstance(judged, list) else []


def main() -> None:
    """Run the command: read the trajectories and write the file of verdicts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("trajectories", nargs="+", type=Path)
    parser.add_argument("verdicts", type=Path)
    options = parser.parse_args()
    added = recover(options.trajectories, options.verdicts)
    sys.stdout.write(f"{added} verdicts added to {options.verdicts}\n")


if __name__ == "__main__":
    main()
