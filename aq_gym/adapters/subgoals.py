"""Subgoals for ``SubgoalProgress`` that fit many environments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def rewarded(
    observation: object, reward: float, terminated: bool, info: Mapping[str, Any]
) -> bool:
    """Return whether the last step had a positive reward.

    In FrozenLake, Taxi and MiniGrid this is the goal.
    """
    return reward > 0


def succeeded(
    observation: object, reward: float, terminated: bool, info: Mapping[str, Any]
) -> bool:
    """Return whether ``info["success"]`` is True, as adapters of packages set it."""
    return info.get("success") is True
