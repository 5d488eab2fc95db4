"""The totals of an episode, for its end record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, SupportsFloat

from aq_gym.trajectory.codec import encode


class EpisodeTotals:
    """The return and outcome of an episode, for its end record."""

    def __init__(self, keys: Sequence[str]) -> None:
        """Start with a return of 0.

        Args:
            keys: The keys of ``best_progress`` and ``success`` in info.
        """
        self._keys = tuple(zip(("best_progress", "success"), keys, strict=True))
        self._return = 0.0
        self._outcome: dict[str, Any] = {}

    def add(self, reward: SupportsFloat, info: Mapping[str, Any]) -> None:
        """Add a step, or the reset with a reward of 0.

        Args:
            reward: The reward.
            info: The info dict; the outcome is that of the last one.
        """
        self._return += float(reward)
        self._outcome = {}
        for name, key in self._keys:
            if key in info:
                self._outcome[name] = info[key]

    def fields(self) -> dict[str, Any]:
        """Return the totals as JSON."""
        return {"return": encode(self._return), **encode(self._outcome)}
