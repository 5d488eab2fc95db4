"""Warnings about a run: what its results do not show."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["run_warnings"]

_MOST_CUT = 0.05


def run_warnings(usage: Mapping[str, float]) -> list[str]:
    """Return the warnings about a run.

    Args:
        usage: The sums of what its agents noted.
    """
    calls, cut = usage.get("calls", 0), usage.get("cut_answers", 0)
    if calls and cut / calls > _MOST_CUT:
        return [
            f"{cut:g} of {calls:g} answers were cut at the longest length: raise it "
            "with --agent-arg max_tokens=N"
        ]
    return []
