"""The calls of a step, for environments whose actions are tool calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def count_calls(info: Mapping[str, Any]) -> tuple[int, int]:
    """Return how many calls of a step were valid, and how many it had.

    Where the environment does not count calls, a step is one call; one without
    ``info["action_valid"]`` has none.
    """
    calls, valid = info.get("calls"), info.get("valid_calls")
    if type(calls) is type(valid) is int and 0 <= valid <= calls and calls:
        return valid, calls
    if "action_valid" not in info:
        return 0, 0
    return int(bool(info["action_valid"])), 1
