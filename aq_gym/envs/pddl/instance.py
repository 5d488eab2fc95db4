"""A problem instance, and the game played with it."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import Any

from aq_gym.envs.pddl.actions import Grammar
from aq_gym.envs.pddl.domains import MOST_EASY_CONDITIONS
from aq_gym.envs.pddl.expert import Expert
from aq_gym.envs.pddl.logic import Task
from aq_gym.envs.pddl.text import Prose, Words


@dataclass(frozen=True)
class Instance:
    """A grounded task with its id, words and difficulty.

    Attributes:
        task_id: Its id.
        task: The grounded task.
        words: Its domain's sentence templates.
        difficulty: "easy" or "hard".
        domain_pddl: The domain's text.
        problem_pddl: The problem's text.
    """

    task_id: str
    task: Task
    words: Words
    difficulty: str
    domain_pddl: str
    problem_pddl: str


def grade(task: Task) -> str:
    """Return "hard" for more than six goal conditions, AgentBoard's cutoff."""
    return "hard" if len(task.goals) > MOST_EASY_CONDITIONS else "easy"


@dataclass(frozen=True)
class World:
    """The state of an episode.

    Attributes:
        task_id: The problem.
        state: The atoms that hold, as bits.
        reward: AgentBoard's reward so far, in its protocol.
        cost: The total cost of the actions so far.
    """

    task_id: str
    state: int
    cost: float = 0.0
    reward: float = 0.0


class Game:
    """A problem that is being played.

    Args:
        instance: The problem.

    Attributes:
        instance: The problem.
        task: Its grounded task.
        grammar: Reads its actions.
        prose: Describes it.
        world: The state of the episode.
        held: For each condition of the goal, whether it holds.
    """

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.task = instance.task
        self.grammar = Grammar(self.task, instance.words)
        self.prose = Prose(self.task, instance.words)
        self._expert = Expert(self.task)
        self.enter(World(instance.task_id, self.task.init))
        self._held_at_start = sum(self.held)

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        """Share all values with the copy, because they are replaced, never changed."""
        return copy(self)

    @property
    def state(self) -> int:
        """The atoms that hold, one bit each."""
        return self.world.state

    def enter(self, world: World) -> None:
        """Continue from a state of the same problem."""
        self.world = world
        state = world.state
        self.held = [goal.condition.holds(state) for goal in self.task.goals]

    def carry_out(self, action: int, reward: float = 0.0) -> None:
        """Carry out an action, given by its position.

        Args:
            action: The position.
            reward: AgentBoard's reward after the action, in AgentBoard's protocol.
        """
        world = self.world
        after = self.task.step(world.state, action)
        cost = world.cost + self.task.actions[action].cost
        self.enter(World(world.task_id, after, cost, reward))

    def matching(self) -> float:
        """Return the share of the goal conditions that hold."""
        return sum(self.held) / max(1, len(self.held))

    def progress(self) -> float:
        """Return the share of the initially unmet goal conditions that hold now."""
        missing = len(self.held) - self._held_at_start
        return max(0, sum(self.held) - self._held_at_start) / max(1, missing)

    def solved(self) -> bool:
        """Return whether the goal holds."""
        return self.task.solved(self.state)

    def dead_end(self) -> bool:
        """Return whether the goal is known to be unreachable."""
        return self._expert.dead_end(self.state)

    def expert_plan(self) -> list[str]:
        """Return the names of the actions of a plan, [] if none was found."""
        actions = self.task.actions
        return [actions[number].name for number in self._expert.plan(self.state)]

    def expert_gave_up(self) -> str:
        """Return why no plan was found, or ""."""
        return self._expert.reason(self.state)
