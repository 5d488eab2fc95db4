"""Warnings about a run that its results do not show."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["run_warnings"]

_MOST = 0.05
_ANSWERS = {
    "cut_answers": "were cut at the longest length: raise it with --agent-arg "
    "max_tokens=N",
    "empty_answers": "were empty: the trajectories have their finish_reason and "
    "reasoning; a reasoning model may need more max_tokens",
    "filtered_answers": "were refused, or removed by the endpoint's content filter",
}


def run_warnings(usage: Mapping[str, float]) -> list[str]:
    """Return the warnings about a run.

    Args:
        usage: The sums of what its agents noted.
    """
    calls = usage.get("calls", 0)
    warnings = [
        f"{usage[name]:g} of {calls:g} answers {problem}"
        for name, problem in _ANSWERS.items()
        if calls and usage.get(name, 0) / calls > _MOST
    ]
    if estimated := usage.get("estimated_tokens", 0):
        warnings.append(
            f"the endpoint did not count all tokens: limits took {estimated:g} more, "
            "by a cautious estimate"
        )
    return warnings
