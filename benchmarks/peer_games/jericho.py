"""Compare four of the packaged adventures with jericho's interpreter."""

from __future__ import annotations

from jericho_step import measure
from zmachine_judge import ADVENTURES

NAMES = ("bathyscaphe", "clockwork", "lighthouse", "maze")


def compare(rounds: int) -> None:
    """Print a table for each adventure."""
    for name in NAMES:
        measure(ADVENTURES / f"{name}.z5", rounds)
