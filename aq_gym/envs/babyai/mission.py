"""A mission being played: the world and the milestones reached."""

from __future__ import annotations

from typing import Self

from aq_gym.envs.babyai.logic.layout import Layout
from aq_gym.envs.babyai.logic.milestones import Milestone, find_milestones, latch
from aq_gym.envs.babyai.logic.verifier import Outcome
from aq_gym.envs.babyai.logic.world import World, WorldState
from aq_gym.envs.babyai.scene import Scene


class Mission:
    """A world being acted on.

    Args:
        world: The world.
        milestones: The events on the way to the goal.
        reached: Whether each of them has happened.

    Attributes:
        world: The world.
        scene: What is visible in it now.
        milestones: The events on the way to the goal.
        reached: Whether each of them has happened.
        steps: minigrid's steps since the count was last set to 0.
    """

    def __init__(
        self, world: World, milestones: tuple[Milestone, ...], reached: tuple[bool, ...]
    ) -> None:
        self.world = world
        self.scene = Scene(world)
        self.milestones = milestones
        self.reached = reached
        self.steps = 0

    @classmethod
    def begin(cls, layout: Layout, *, facing: bool = True) -> Self:
        """Begin a mission in an instance's initial state.

        Args:
            layout: The instance.
            facing: See :func:`find_milestones`.
        """
        world = World(layout)
        milestones = find_milestones(world, Scene(world).view, facing=facing)
        return cls(world, milestones, (False,) * len(milestones))

    @classmethod
    def resume(
        cls,
        layout: Layout,
        milestones: tuple[Milestone, ...],
        reached: tuple[bool, ...],
        state: WorldState,
    ) -> Self:
        """Return a mission in a state."""
        return cls(World(layout, state), milestones, reached)

    def act(self, primitive: int) -> Outcome:
        """Take one of minigrid's steps."""
        outcome = self.world.act(primitive)
        self.steps += 1
        self.scene = Scene(self.world)
        self.reached = latch(self.milestones, self.reached, self.world, self.scene.view)
        return outcome

    def accomplished(self) -> bool:
        """Return whether minigrid's verifier says that the mission is accomplished."""
        return self.world.verifier.done[self.world.layout.root.number]
