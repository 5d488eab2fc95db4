"""One moment of a world: the visible things, their names, and the paths to them."""

from __future__ import annotations

from functools import cached_property

from aq_gym.envs.babyai import text
from aq_gym.envs.babyai.logic.paths import Paths
from aq_gym.envs.babyai.logic.view import View
from aq_gym.envs.babyai.logic.world import World


class Scene:
    """The current state of a world; each part is computed on first use.

    Args:
        world: The world, which must not change as long as the scene is used.

    Attributes:
        world: The world.
        view: The visible cells.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.view = View(world)

    @cached_property
    def names(self) -> dict[str, int]:
        """The slot of each numbered name, nearest first."""
        return text.numbered(self.world, self.view)

    @cached_property
    def paths(self) -> Paths:
        """The shortest paths through the visible cells."""
        return Paths(self.world, self.view)

    @property
    def front(self) -> int:
        """The content of the cell in front of the agent."""
        return self.view.front

    def describe(self, obs_format: text.ObsFormat) -> str:
        """Describe the visible things."""
        return text.DESCRIBE[obs_format](self.world, self.view, self.names)
