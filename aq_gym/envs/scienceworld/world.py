"""The state of an episode: an instance, and the actions taken."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from aq_gym.envs.scienceworld.tasks import Instance
from aq_gym.support.data import packaged_json

_HEADINGS = {"Sequential Subgoals:": 0, "Unordered and Optional Subgoals:": 1}


class Goal(NamedTuple):
    """One goal."""

    name: str
    reached: bool


class Goals(NamedTuple):
    """The goals of a task.

    Attributes:
        sequential: The goals that must be reached, in this order, to solve the task.
        optional: Further goals, in any order, which raise ScienceWorld's score.
    """

    sequential: tuple[Goal, ...]
    optional: tuple[Goal, ...]


def parse(report: str) -> Goals:
    """Parse ScienceWorld's report on the progress to the goal.

    Args:
        report: The two lists, each with a heading and a line for each goal. A line has
            number, "true" or "false", kind and description, separated by tabs.

    Raises:
        ValueError: If a line does not have this form.
    """
    lists: tuple[list[Goal], list[Goal]] = ([], [])
    current = lists[0]
    for line in report.splitlines():
        if line in _HEADINGS:
            current = lists[_HEADINGS[line]]
        elif "\t" in line:
            _, reached, kind, description = line.split("\t")
            name = description.strip() or _words(kind.strip())
            current.append(Goal(name, reached == "true"))
    distinct = tuple(_distinct([*lists[0], *lists[1]]))
    return Goals(distinct[: len(lists[0])], distinct[len(lists[0]) :])


def _words(kind: str) -> str:
    """Return the name of a kind, such as GoalIsStateOfMatter, as words."""
    letters = (f" {c.lower()}" if c.isupper() else c for c in kind)
    return "".join(letters).removeprefix(" goal").strip()


def _distinct(goals: list[Goal]) -> Iterator[Goal]:
    """Number the names that occur more than once."""
    counts = Counter(goal.name for goal in goals)
    seen: Counter[str] = Counter()
    for goal in goals:
        seen[goal.name] += 1
        if counts[goal.name] > 1:
            yield goal._replace(name=f"{goal.name} ({seen[goal.name]})")
        else:
            yield goal


class Status(NamedTuple):
    """The engine's report after an action.

    Attributes:
        observation: The answer.
        score: ScienceWorld's score, 0.0 to 1.0, or -1.0 if the task is failed.
        completed: Whether all sequential goals are reached.
        choices: The number of possible meanings of the last action, from which the next
            action chooses by number; 0 if the action was clear.
        location: The name of the agent's place.
        goals: The goals.
    """

    observation: str
    score: float
    completed: bool
    choices: int
    location: str
    goals: Goals

    @property
    def failed(self) -> bool:
        """Whether the task can no longer be solved."""
        return self.score < 0.0

    @property
    def solved(self) -> bool:
        """Whether the task is solved."""
        return self.completed and not self.failed


class World(NamedTuple):
    """A moment of an episode, which the engine can reach by replay.

    Attributes:
        instance: The task and its variation.
        actions: The actions, as the engine received them.
        trace: A digest of all answers of the engine so far.
        status: The engine's last report.
    """

    instance: Instance
    actions: tuple[str, ...]
    trace: str
    status: Status


def beginning(instance: Instance, status: Status) -> World:
    """Return the world before the first action.

    Args:
        instance: The task and its variation.
        status: The engine's report.
    """
    return World(instance, (), _digest("", status), status)


def followed(world: World, action: str, status: Status) -> World:
    """Return the world after an action.

    Args:
        world: The world before the action.
        action: The action, as the engine received it.
        status: The engine's report on the action.
    """
    trace = _digest(world.trace, status)
    return World(world.instance, (*world.actions, action), trace, status)


def _digest(trace: str, status: Status) -> str:
    text = f"{trace}\n{status!r}"
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def counted_names(task: str, goals: Goals) -> tuple[str, ...]:
    """Return the names of the goals that count as subgoals of an instance.

    These are the sequential goals, and the optional goals that every measured solution
    of the task reaches; optional goals that hold at the start are left out.
    """
    unneeded = _unneeded()[task]
    optional = tuple(
        goal.name
        for goal in goals.optional
        if not goal.reached and goal.name not in unneeded
    )
    return (*(goal.name for goal in goals.sequential), *optional)


def reached(names: tuple[str, ...], status: Status) -> dict[str, bool]:
    """Return whether each subgoal has been reached.

    When the task is solved, all subgoals count as reached, even optional ones that were
    skipped. When it has failed, the last sequential goal does not count.
    """
    sequential, optional = status.goals
    goals = {goal.name: goal.reached for goal in (*sequential, *optional)}
    if status.failed:
        goals[sequential[-1].name] = False
    return {name: status.solved or goals[name] for name in names}


@cache
def _unneeded() -> dict[str, list[str]]:
    """Return the optional goals of each task that do not count."""
    record = packaged_json("aq_gym.envs.scienceworld", "data/unneeded.json")
    tasks: dict[str, list[str]] = record["tasks"]
    return tasks
