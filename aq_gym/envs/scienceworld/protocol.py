"""The default protocol, and AgentBoard's where it differs.

AgentBoard's is written from the behaviour of its published environment and compared
with it by ``benchmarks/scienceworld_agentboard.py``:

- A task is a variation with a goal in AgentBoard's words, and patterns that the
  answers may match, in any order: they alone are the subgoals, and the end.
- An action goes to ScienceWorld as it is, without the blanks around it.
- An action is valid if ScienceWorld lists it as possible after it was carried out. It
  lists them twice a step, and once for "check valid actions": each time it draws
  random numbers, which decide what animals do.
- An answer to "check valid actions" matches no pattern.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import compress
from typing import Any, NamedTuple

from aq_gym.core.help import HELP
from aq_gym.core.prompt import PublishedPrompt
from aq_gym.core.results import Turn
from aq_gym.core.tasks import TaskSource, UserTasks
from aq_gym.envs.scienceworld import actions, text
from aq_gym.envs.scienceworld.engine import POOL
from aq_gym.envs.scienceworld.logic.instances import TASKS, Instance
from aq_gym.envs.scienceworld.logic.world import World, counted_names, reached
from aq_gym.envs.scienceworld.sources import (
    checked_simplifications,
    checked_tasks,
    task_source,
)
from aq_gym.papers import agentboard

_SIMPLIFICATIONS = "selfWateringFlowerPots,openContainers,openDoors,noElectricalAction"
# As ScienceWorld reads older names of its tasks.
_PREFIX = re.compile(r"task-(\d|a|b)+-|[()]")
_LONGEST_PATTERN = 1_000


class Moment(NamedTuple):
    """A moment of an episode.

    Attributes:
        world: The moment of ScienceWorld.
        noted: The names of the subgoals; in AgentBoard's protocol those reached.
    """

    world: World
    noted: tuple[str, ...]


class Begun(NamedTuple):
    """The beginning of an episode: its moment, goal, first observation and label."""

    moment: Moment
    goal: str
    opening: str
    difficulty: str = ""


class Protocol:
    """The default protocol."""

    def __init__(self, tasks: TaskSource[Instance]) -> None:
        self.tasks: TaskSource[Any] = tasks

    def begin(self, task: Any) -> Begun:
        """Begin an episode of a task."""
        world, goal = POOL.begin(task)
        noted = counted_names(task.task, world.status.goals)
        return Begun(Moment(world, noted), goal, world.status.observation)

    def act(self, moment: Moment, action: str) -> tuple[Moment, Turn]:
        """Carry out an action, which may be any text.

        Raises:
            EngineError: If ScienceWorld fails.
        """
        command = actions.read(action)
        choices = moment.world.status.choices
        forms = actions.forms(moment.world.instance)
        if command is None:
            return moment, Turn.invalid(text.unknown(action, forms))
        if command.isdecimal() and int(command) >= choices:
            return moment, Turn.invalid(text.choose(command, choices))
        with POOL.at(moment.world) as engine:
            after = engine.act(command)
            if after is None:
                why = text.no_match(command, engine.objects())
                return moment, Turn(text.NO_MATCH, action_valid=False, feedback=why)
        status = after.status
        return moment._replace(world=after), Turn(
            status.observation, terminated=status.failed
        )

    def subgoals(self, moment: Moment) -> dict[str, bool]:
        """Return for each subgoal whether it has been reached."""
        return reached(moment.noted, moment.world.status)

    def success(self, moment: Moment) -> bool:
        """Return whether the task is solved."""
        return moment.world.status.solved

    def help(self, moment: Moment) -> tuple[Moment, str]:
        """Return the answer to ``check valid actions``, and the moment after it.

        Raises:
            EngineError: If ScienceWorld fails.
        """
        with POOL.at(moment.world) as engine:
            objects = engine.objects()
        forms = actions.forms(moment.world.instance)
        return moment, text.help_text(forms, objects, moment.world.status.choices)

    def admissible_actions(self, moment: Moment) -> tuple[str, ...]:
        """Return ScienceWorld's list of the valid actions, sorted.

        Raises:
            EngineError: If ScienceWorld fails.
        """
        choices = moment.world.status.choices
        if choices:
            return tuple(map(str, range(choices)))
        with POOL.at(moment.world) as engine:
            return engine.actions()

    def read(self, action: str) -> str | None:
        """Return the canonical form of an action, None for other text."""
        return actions.read(action)

    def extra_info(self, moment: Moment) -> dict[str, Any]:
        """Return the protocol's own keys of info."""
        return {}

    def published_prompt(self, moment: Moment) -> PublishedPrompt | None:
        """Return the prompt of the paper's agent, None without one."""
        return None


class _Task(NamedTuple):
    instance: Instance
    goal: str
    difficulty: str
    patterns: tuple[str, ...]


class AgentBoardProtocol(Protocol):
    """AgentBoard's protocol.

    Args:
        data_dir: The folder of AgentBoard's data; None for ``AGENTBOARD_DATA``.
        problem: The number of a task in its file; None for all.

    Raises:
        FileNotFoundError: If its file is not there.
        ValueError: If its file is not of its form, or has no such task.
    """

    def __init__(self, data_dir: str | None, problem: int | None) -> None:
        rows = agentboard.annotated("scienceworld", data_dir)
        if problem is not None and not 0 <= problem < len(rows):
            raise ValueError(f"problem={problem} must be 0 to {len(rows) - 1}")
        tasks = [_task(number, row) for number, row in enumerate(rows)]
        chosen = range(len(tasks)) if problem is None else (problem,)
        named = {f"agentboard-{number}": tasks[number] for number in chosen}
        self.tasks = UserTasks(named, "AgentBoard's tasks of ScienceWorld")
        self._of = {task.instance: task for task in tasks}
        self._opening = ""

    def begin(self, task: Any) -> Begun:
        """Begin an episode of a task."""
        world, _ = POOL.begin(task.instance)
        with POOL.at(world) as engine:
            held = engine.inventory()
            after, _ = engine.list_actions()
        self._opening = f"{world.status.observation}\n{held}"
        moment = Moment(after, ())
        return Begun(moment, task.goal, self._opening, task.difficulty)

    def act(self, moment: Moment, action: str) -> tuple[Moment, Turn]:
        """Carry out an action; see :meth:`Protocol.act`."""
        left = {
            name: pattern
            for name, pattern in self._patterns(moment)
            if name not in moment.noted
        }
        with POOL.at(moment.world) as engine:
            seen = engine.step(self.read(action)).status.observation
            found = engine.match([*left.values()], seen)
            engine.list_actions()
            after, listed = engine.list_actions()
        matched = {*moment.noted, *compress(left, found)}
        now = Moment(after, tuple(sorted(matched)))
        ended, valid = self.success(now), action in listed
        why = "" if valid else seen
        return now, Turn(seen, terminated=ended, action_valid=valid, feedback=why)

    def subgoals(self, moment: Moment) -> dict[str, bool]:
        """Return for each pattern whether an answer has matched it."""
        return {name: name in moment.noted for name, _ in self._patterns(moment)}

    def success(self, moment: Moment) -> bool:
        """Return whether every pattern has been matched."""
        return len(moment.noted) == len(self._patterns(moment))

    def help(self, moment: Moment) -> tuple[Moment, str]:
        """Return AgentBoard's list of the forms of actions; see :class:`Protocol`."""
        with POOL.at(moment.world) as engine:
            after, _ = engine.list_actions()
        forms = actions.forms(moment.world.instance)
        listed = [*(form for form in forms if "reset" not in form), HELP]
        said = f"Choose an action from these valid actions: {', '.join(listed)}"
        return moment._replace(world=after), said

    def admissible_actions(self, moment: Moment) -> tuple[str, ...]:
        """Return the valid actions, which were listed after the last action."""
        return tuple(moment.world.status.observation.split("\n"))

    def read(self, action: str) -> str:
        """Return an action as ScienceWorld receives it, with whitespace stripped."""
        # A null character asks the engine for its list of the actions; Java cannot be
        # sent a lone surrogate.
        return action.strip().strip("\0").encode(errors="replace").decode()

    def extra_info(self, moment: Moment) -> dict[str, Any]:
        """Return AgentBoard's reward."""
        return {"agentboard_reward": len(moment.noted) / len(self._patterns(moment))}

    def published_prompt(self, moment: Moment) -> PublishedPrompt | None:
        """Return AgentBoard's prompt, None if its checkout is not there."""
        task = self._of[moment.world.instance]
        return agentboard.prompt(
            "scienceworld_base",
            task.goal,
            [("Observation", self._opening)],
            check=HELP,
            inventory=True,
        )

    def _patterns(self, moment: Moment) -> list[tuple[str, str]]:
        patterns = self._of[moment.world.instance].patterns
        return [(f"subgoal {k:02}", one) for k, one in enumerate(patterns, 1)]


def make_protocol(
    name: str,
    chosen: tuple[str | Sequence[str] | None, int | None, str | Sequence[str], str],
    problem: int | None,
    data_dir: str | None,
) -> Protocol:
    """Return a protocol by its name.

    Args:
        name: "aq" or "agentboard".
        chosen: Our tasks: the arguments task, variation, simplifications and split.
        problem: The number of a task of AgentBoard's.
        data_dir: The folder of AgentBoard's data.

    Raises:
        FileNotFoundError: If AgentBoard's file is not there.
        ValueError: If the arguments do not fit together, or the file is not its.
    """
    task, variation, simplifications, split = chosen
    if name == "agentboard":
        if (task, variation, split) != (None, None, "all") or simplifications:
            raise ValueError(
                "protocol='agentboard' has its own tasks: choose one with problem=, "
                "without task, variation, simplifications and split"
            )
        return AgentBoardProtocol(data_dir, problem)
    if data_dir is not None or problem is not None:
        raise ValueError(
            f"data_dir={data_dir!r}, problem={problem!r} need protocol='agentboard'"
        )
    names = checked_simplifications(simplifications)
    return Protocol(task_source(checked_tasks(task, names), variation, names, split))


def _task(number: int, row: agentboard.Annotation) -> _Task:
    """Return a task of AgentBoard's file.

    Raises:
        ValueError: If there is no such variation, or a pattern is not one.
    """
    where = f"AgentBoard's task {number} of ScienceWorld"
    name = _PREFIX.sub("", str(row.info.get("env_name")))
    variation = row.info.get("var")
    if name not in TASKS or type(variation) is not int:
        raise ValueError(f"{where}: there is no task {name!r:.80} {variation!r:.20}")
    if not 0 <= variation < TASKS[name]:
        raise ValueError(f"{where}: {name} has no variation {variation}")
    if len(row.subgoals) != 1 or not row.subgoals[0]:
        raise ValueError(f"{where}: it must have one list of subgoals")
    for pattern in row.subgoals[0]:
        try:
            if len(pattern) > _LONGEST_PATTERN:
                raise ValueError(f"it has more than {_LONGEST_PATTERN} characters")
            re.compile(pattern)
        except (ValueError, re.error, RecursionError, OverflowError) as error:
            raise ValueError(f"{where}: {pattern!r:.80}: {error}") from error
    instance = Instance(name, variation, _SIMPLIFICATIONS)
    return _Task(instance, row.goal, row.difficulty, row.subgoals[0])
