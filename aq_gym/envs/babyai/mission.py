"""A mission in play: the world, the visible part of it, and the milestones reached."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple, Self

from aq_gym.envs.babyai import text
from aq_gym.envs.babyai.agentboard import Scores
from aq_gym.envs.babyai.logic.layout import Layout
from aq_gym.envs.babyai.logic.milestones import Milestone, find_milestones, latch
from aq_gym.envs.babyai.logic.view import Paths, View
from aq_gym.envs.babyai.logic.world import Outcome, World, WorldState


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

    def describe(self) -> str:
        """Describe the visible things."""
        return text.describe(self.world, self.view, self.names)


class MissionState(NamedTuple):
    """A mission at one moment.

    Attributes:
        layout: The instance.
        milestones: The events on the way to the goal.
        reached: Whether each milestone has happened.
        world: The state of the world.
        scores: AgentBoard's scores, in its protocol.
    """

    layout: Layout
    milestones: tuple[Milestone, ...]
    reached: tuple[bool, ...]
    world: WorldState
    scores: Scores = Scores()


class Mission:
    """A mission that is being played.

    Args:
        state: The state to continue from.

    Attributes:
        world: The world.
        scene: The visible part of the world.
        milestones: The events on the way to the goal.
        reached: Whether each milestone has happened.
        scores: AgentBoard's scores, in its protocol.
        steps: minigrid's steps since the count was last set to 0.
    """

    def __init__(self, state: MissionState) -> None:
        self.world = World(state.layout, state.world)
        self.scene = Scene(self.world)
        self.milestones, self.reached = state.milestones, state.reached
        self.scores = state.scores
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
        reached = (False,) * len(milestones)
        return cls(MissionState(layout, milestones, reached, world.state()))

    def state(self) -> MissionState:
        """Return the current state."""
        return MissionState(
            self.world.layout,
            self.milestones,
            self.reached,
            self.world.state(),
            self.scores,
        )

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
