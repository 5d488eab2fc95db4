"""One table: every id, where its class is, and its default step cap."""

from __future__ import annotations

from typing import NamedTuple

import gymnasium as gym

__all__ = ["TABLE", "Row", "register_all"]


class Row(NamedTuple):
    """One registered id; strings only, so that no engine is imported.

    Attributes:
        id: What ``gymnasium.make`` takes.
        entry_point: ``module:Class``.
        max_episode_steps: The default cap, as ``TimeLimit`` counts it.
    """

    id: str
    entry_point: str
    max_episode_steps: int


TABLE: tuple[Row, ...] = (
    Row("aq/Mastermind-v0", "aq_gym.envs.mastermind:MastermindEnv", 60),
    Row("aq/Jericho-v0", "aq_gym.envs.jericho:JerichoEnv", 120),
)


def register_all() -> None:
    """Register every id that Gymnasium does not know yet."""
    for row in TABLE:
        if row.id not in gym.registry:
            gym.register(
                row.id, row.entry_point, max_episode_steps=row.max_episode_steps
            )
