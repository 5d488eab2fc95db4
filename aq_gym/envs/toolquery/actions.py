"""Draw random calls; ``aq_gym.tools.calls`` parses the calls of an agent."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin

import numpy as np

from aq_gym.envs.toolquery.logic.question import World
from aq_gym.envs.toolquery.logic.session import Database
from aq_gym.tools import Parameter


def draw_call(
    world: World, data: Database, rng: np.random.Generator
) -> tuple[str, dict[str, Any]]:
    """Draw a tool, and arguments from the database."""
    tools = list(world.tools)
    drawn = tools[int(rng.integers(len(tools)))]
    arguments = {
        parameter.name: _value(world, data, drawn.name, parameter, rng)
        for parameter in drawn.parameters
        if parameter.required
    }
    return drawn.name, arguments


def _value(
    world: World,
    data: Database,
    tool: str,
    parameter: Parameter,
    rng: np.random.Generator,
) -> Any:
    """Draw one of the choices, the id of a record for movie_id and such, or a name."""
    if get_origin(parameter.type) is Literal:
        choices = get_args(parameter.type)
        return choices[int(rng.integers(len(choices)))]
    if draw := world.draws.get(parameter.name):
        return draw(data, rng)
    table = parameter.name.removesuffix("_id")
    if table in data:
        return _key(data, table, rng)
    names = world.session.names
    searched = tool.removeprefix("search_")
    if searched not in names:
        searched = list(names)[int(rng.integers(len(names)))]
    return data[searched][_key(data, searched, rng)][names[searched]]


def _key(data: Database, table: str, rng: np.random.Generator) -> str:
    keys = data.keys_of(table)
    return keys[int(rng.integers(len(keys)))]
