"""Extraction of a plan from a search."""

from __future__ import annotations


def trace(came_from: dict[int, tuple[int, int]], state: int) -> list[int]:
    """Return the actions that lead from the initial state to a state."""
    plan = []
    before, action = came_from[state]
    while before >= 0:
        plan.append(action)
        before, action = came_from[before]
    return plan[::-1]
