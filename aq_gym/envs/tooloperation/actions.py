"""Calls that can be tried; how they are read is in ``aq_gym.tools.calls``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from aq_gym.envs.tooloperation.logic.builder import Step
from aq_gym.tools import Toolbox

__all__ = ["draw_call"]


def draw_call(
    toolbox: Toolbox, route: Sequence[Step], rng: np.random.Generator
) -> tuple[str, dict[str, Any]]:
    """Draw a tool, with arguments like those of some calls.

    Args:
        toolbox: The tools.
        route: The calls.
        rng: A generator.
    """
    known: dict[str, list[Any]] = {}
    for step in route:
        for name, value in step.arguments.items():
            known.setdefault(name, []).append(value)
    tools = [
        one
        for one in toolbox
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
