"""One table: every id, where its class is, its default step cap, what it needs."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any, NamedTuple

import gymnasium as gym

__all__ = ["TABLE", "Row", "register_all"]


class Row(NamedTuple):
    """One registered id; strings only, so that no engine is imported.

    Attributes:
        id: What ``gymnasium.make`` takes.
        entry_point: ``module:Class``.
        max_episode_steps: The default cap, as ``TimeLimit`` counts it.
        kwargs: Constructor arguments that the id stands for.
        family: Whether the id is one of many variants of another row's.
        extra: The extra that installs the engine, "" where none is needed.
        requires: The modules that the engine needs.
    """

    id: str
    entry_point: str
    max_episode_steps: int
    kwargs: Mapping[str, Any] = {}
    family: bool = False
    extra: str = ""
    requires: tuple[str, ...] = ()

    def missing(self) -> str:
        """Name what the engine needs and is not installed, "" if nothing is."""
        return ", ".join(name for name in self.requires if find_spec(name) is None)

    def hint(self) -> str:
        """Say how to install what is missing."""
        return f"needs {self.missing()}: pip install 'aq-gym[{self.extra}]'"


TABLE: tuple[Row, ...] = (
    Row("aq/Mastermind-v0", "aq_gym.envs.mastermind:MastermindEnv", 60),
    Row("aq/Sudoku-v0", "aq_gym.envs.sudoku:SudokuEnv", 200),
    Row("aq/ALFWorld-v0", "aq_gym.envs.alfworld:AlfworldEnv", 60),
)


def register_all() -> None:
    """Register every id that Gymnasium does not know yet."""
    for row in TABLE:
        if row.id not in gym.registry:
            gym.register(
                row.id,
                row.entry_point,
                max_episode_steps=row.max_episode_steps,
                kwargs=dict(row.kwargs),
            )
