"""minigrid's own image of the agent's view."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from aq_gym.envs.babyai.logic.layout import EMPTY, LOCKED, OPEN, WALL
from aq_gym.envs.babyai.logic.view import OWN_SLOT, SIZE, View
from aq_gym.envs.babyai.logic.world import World

# minigrid's default.
_TILE = 32


def minigrid_image(world: World, view: View) -> npt.NDArray[np.uint8]:
    """Return what minigrid's ``get_pov_render`` draws: 224 x 224 x 3 numbers.

    Args:
        world: The world now.
        view: What is visible in it.
    """
    # Imported here, because it takes 0.3 s and only images need it.
    from minigrid.core.grid import Grid
    from minigrid.core.world_object import Ball, Box, Door, Key, Wall

    kinds = {"ball": Ball, "box": Box, "key": Key}
    grid = Grid(SIZE, SIZE)
    visible = np.zeros((SIZE, SIZE), bool)
    for slot, code in {**view.slots, OWN_SLOT: world.carrying}.items():
        row, column = divmod(slot, SIZE)
        visible[column, row] = True
        if code == WALL:
            grid.set(column, row, Wall())
        elif code != EMPTY:
            thing = world.things[code]
            if thing.kind == "door":
                state = world.doors[code]
                shown = Door(thing.color, state == OPEN, state == LOCKED)
            else:
                shown = kinds[thing.kind](thing.color)
            grid.set(column, row, shown)
    row, column = divmod(OWN_SLOT, SIZE)
    image = grid.render(_TILE, (column, row), agent_dir=3, highlight_mask=visible)
    return np.asarray(image, np.uint8)
