"""AgentBoard's protocol of ScienceWorld.

It is written from the behaviour of AgentBoard's published environment and compared with
it by ``benchmarks/judges/agentboard.py``:

- A task is a variation with a goal in AgentBoard's words, and patterns that the answers
  may match in any order. Only these patterns are subgoals, and matching all of them
  ends the episode.
- An action goes to ScienceWorld unchanged, except for surrounding whitespace.
- An action is valid if ScienceWorld lists it as possible after it was carried out.
  AgentBoard requests this list twice per step, and once for "check valid actions". Each
  time ScienceWorld draws random numbers, which change what animals do later.
- An answer to "check valid actions" matches no pattern.
"""

from __future__ import annotations

import re
from itertools import compress
from typing import Any, NamedTuple, Self

from aq_gym.core.help import HELP
from aq_gym.core.prompt import PublishedPrompt
from aq_gym.core.results import Turn
from aq_gym.core.tasks import UserTasks
from aq_gym.envs.scienceworld.engine import POOL
from aq_gym.envs.scienceworld.protocol import (
    Action,
    Arguments,
    Begun,
    Experiment,
    Moment,
    ScienceWorldProtocol,
)
from aq_gym.envs.scienceworld.tasks import TASKS, Instance
from aq_gym.papers import agentboard

_SIMPLIFICATIONS = "selfWateringFlowerPots,openContainers,openDoors,noElectricalAction"
# ScienceWorld removes these parts from older names of its tasks.
_PREFIX = re.compile(r"task-(\d|a|b)+-|[()]")
_LONGEST_PATTERN = 1_000


class Task(NamedTuple):
    """A task of AgentBoard's file.

    Attributes:
        instance: ScienceWorld's variation.
        goal: The goal in AgentBoard's words.
        difficulty: "easy" or "hard".
        patterns: The subgoals: regular expressions that the answers may match.
    """

    instance: Instance
    goal: str
    difficulty: str
    patterns: tuple[str, ...]


class AgentBoardProtocol(ScienceWorldProtocol):
    """AgentBoard's protocol.

    Args:
        data_dir: The folder of AgentBoard's data; None for ``AGENTBOARD_DATA``.
        problem: The number of a task in its file; None for all.

    Raises:
        FileNotFoundError: If AgentBoard's file is missing.
        ValueError: If the file has another format, or no such task.
    """

    def __init__(self, data_dir: str | None, problem: int | None) -> None:
        rows = agentboard.annotated("scienceworld", data_dir)
        if problem is not None and not 0 <= problem < len(rows):
            raise ValueError(f"problem={problem} must be 0 to {len(rows) - 1}")
        tasks = [_annotated(number, row) for number, row in enumerate(rows)]
        chosen = range(len(tasks)) if problem is None else (problem,)
        named = {f"agentboard-{number}": tasks[number] for number in chosen}
        super().__init__(UserTasks(named, "AgentBoard's tasks of ScienceWorld"))
        self._of = {task.instance: task for task in tasks}

    @classmethod
    def of(cls, given: Arguments) -> Self:
        """Return the protocol for the arguments of the environment.

        Raises:
            FileNotFoundError: If AgentBoard's file is missing.
            ValueError: If the arguments select other tasks, or the file is not
                AgentBoard's.
        """
        others = given.task, given.variation, given.split
        if others != (None, None, "all") or given.simplifications:
            raise ValueError(
                "protocol='agentboard' has its own tasks: choose one with problem=, "
                "without task, variation, simplifications and split"
            )
        return cls(given.data_dir, given.problem)

    def begin(self, game: Experiment, task: Any) -> Begun:
        """Begin an episode of a task.

        Raises:
            EngineError: If ScienceWorld fails.
        """
        world, _ = POOL.begin(task.instance)
        with POOL.at(world) as engine:
            held = engine.inventory()
            after, _ = engine.list_actions()
        game.opening = f"{world.status.observation}\n{held}"
        game.moment = Moment(after, ())
        return Begun(task.goal, game.opening, task.difficulty)

    def read(self, game: Experiment, text: str) -> Action:
        """Return an action as ScienceWorld receives it, with whitespace stripped."""
        # A null character alone would ask the engine for its list of actions; a lone
        # surrogate cannot be sent to Java.
        sent = text.strip().strip("\0").encode(errors="replace").decode()
        return Action(text, sent)

    def play(self, game: Experiment, action: Action) -> Turn:
        """Carry out an action.

        Raises:
            EngineError: If ScienceWorld fails.
        """
        noted = game.moment.noted
        left = {name: one for name, one in self._patterns(game) if name not in noted}
        with POOL.at(game.world) as engine:
            seen = engine.step(action.command).status.observation
            found = engine.match([*left.values()], seen)
            engine.list_actions()
            after, listed = engine.list_actions()
        matched = {*noted, *compress(left, found)}
        game.moment = Moment(after, tuple(sorted(matched)))
        valid = action.text in listed
        why = "" if valid else seen
        return Turn(
            seen, terminated=self.success(game), action_valid=valid, feedback=why
        )

    def help(self, game: Experiment) -> str:
        """Return AgentBoard's list of the forms of actions.

        Raises:
            EngineError: If ScienceWorld fails.
        """
        with POOL.at(game.world) as engine:
            game.world, _ = engine.list_actions()
        listed = [*(form for form in game.forms if "reset" not in form), HELP]
        return f"Choose an action from these valid actions: {', '.join(listed)}"

    def prompt(self, game: Experiment) -> PublishedPrompt | None:
        """Return AgentBoard's prompt, or None without a checkout."""
        return agentboard.prompt(
            "scienceworld_base",
            self._of[game.world.instance].goal,
            [("Observation", game.opening)],
            check=HELP,
            inventory=True,
        )

    def subgoals(self, game: Experiment) -> dict[str, bool]:
        """Return whether an answer has matched each pattern."""
        noted = game.moment.noted
        return {name: name in noted for name, _ in self._patterns(game)}

    def success(self, game: Experiment) -> bool:
        """Return whether every pattern has been matched."""
        return len(game.moment.noted) == len(self._patterns(game))

    def admissible_actions(self, game: Experiment) -> tuple[str, ...]:
        """Return the valid actions, as they were listed after the last action."""
        return tuple(game.world.status.observation.split("\n"))

    def extra_info(self, game: Experiment) -> dict[str, Any]:
        """Return AgentBoard's reward."""
        share = len(game.moment.noted) / len(self._patterns(game))
        return {"agentboard_reward": share}

    def _patterns(self, game: Experiment) -> list[tuple[str, str]]:
        patterns = self._of[game.world.instance].patterns
        return [(f"subgoal {k:02}", one) for k, one in enumerate(patterns, 1)]


def _annotated(number: int, row: agentboard.Annotation) -> Task:
    """Return a task of AgentBoard's file.

    Raises:
        ValueError: If there is no such variation, or a pattern is not a regular
            expression.
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
    return Task(instance, row.goal, row.difficulty, row.subgoals[0])
