"""The record of a step, and the totals of an episode for its end record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, SupportsFloat

from aq_gym.trajectory import jsonl
from aq_gym.trajectory.codec import encode
from aq_gym.trajectory.light_encoding import encode_for_utf8


def step_line(
    number: int, action: object, result: tuple[Any, ...], notes: Mapping[str, object]
) -> bytes:
    """Return the record of a step as a line of JSON.

    Args:
        number: The number of the step, from 1.
        action: The action, as JSON.
        result: The five values that ``step`` returned.
        notes: The notes on the action; empty if there are none.
    """
    try:
        record = _step_record(encode_for_utf8, number, action, notes, *result)
        return jsonl.dumps_utf8(record)
    except (RecursionError, ValueError):
        record = _step_record(encode, number, action, notes, *result)
        return jsonl.dumps(record)


def _step_record(
    encoded: Callable[[Any], Any],
    number: int,
    action: object,
    notes: Mapping[str, object],
    observation: object,
    reward: SupportsFloat,
    terminated: object,
    truncated: object,
    info: object,
) -> dict[str, Any]:
    record = {
        "kind": "step",
        "t": number,
        "action": action,
        "observation": encoded(observation),
        "reward": encoded(reward),
        "terminated": bool(terminated),
        "truncated": bool(truncated),
        "info": encoded(info),
    }
    if notes:
        record["notes"] = encoded(notes)
    return record


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
