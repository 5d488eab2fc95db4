"""Calls that can be tried; how they are read is in ``aq_gym.tools.calls``."""

from __future__ import annotations

from typing import Any

import numpy as np

from aq_gym.envs.tooloperation.logic.builder import Operation
from aq_gym.envs.tooloperation.logic.worlds import World

__all__ = ["draw_call"]


def draw_call(
    world: World, task: Operation, rng: np.random.Generator
) -> tuple[str, dict[str, Any]]:
    """Draw a tool, with arguments like those of the task's own calls.

    Args:
        world: The world.
        task: The task.
        rng: A generator.
    """
    known: dict[str, list[Any]] = {}
    for step in task.route:
        for name, value in step.arguments.items():
            known.setdefault(name, []).append(value)
    tools = [
        one
        for one in world.tools
        if one.name != "finish"
        and all(p.name in known for p in one.parameters if p.required)
    ]
    drawn = tools[int(rng.integers(len(tools)))]
    arguments = {
        one.name: known[one.name][int(rng.integers(len(known[one.name])))]
        for one in drawn.parameters
        if one.required
    }
    return drawn.name, arguments
