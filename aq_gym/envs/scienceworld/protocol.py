"""Our own protocol of ScienceWorld: its texts, and how it reads actions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from aq_gym.core.protocol import Protocol
from aq_gym.core.results import Turn
from aq_gym.core.tasks import TaskSource
from aq_gym.core.text import normalize, quote
from aq_gym.envs.scienceworld.engine import NO_MATCH, POOL
from aq_gym.envs.scienceworld.tasks import (
    Instance,
    checked_simplifications,
    checked_tasks,
    task_source,
)
from aq_gym.envs.scienceworld.world import World, counted_names, reached

# The forms of actions as ScienceWorld lists them.
_FORMS = (
    "activate OBJ",
    "close OBJ",
    "connect OBJ to OBJ",
    "deactivate OBJ",
    "disconnect OBJ",
    "dunk OBJ in OBJ",
    "eat OBJ",
    "flush OBJ",
    "focus on OBJ",
    "go OBJ",
    "inventory",
    "look around",
    "look at OBJ",
    "look in OBJ",
    "mix OBJ",
    "move OBJ to OBJ",
    "open OBJ",
    "pick up OBJ",
    "pour OBJ in OBJ",
    "put down OBJ",
    "read OBJ",
    "reset task",
    "task",
    "use OBJ on OBJ",
    "wait",
    "wait1",
)
# All words that ScienceWorld accepts for these actions, not only the listed ones.
_ALONE = "inventory|look around|look|task|objects|reset task|wait|wait1"
_ONE = (
    "activate|turn on|deactivate|turn off|disconnect|eat|consume|flush|focus on|focus|"
    "look at|look on|examine|look in|mix|stir|pick up|get|take|put down|drop|open|"
    "close|read|go through|go to|go into|go|walk through|walk to|move through|move to|"
    "move into|teleport to|teleport into|teleport"
)
_TWO = (
    ("connect", "to|in|into"),
    ("move|put", "to|into|in|on"),
    ("pour", "into|in|on|to"),
    ("dunk", "into|in"),
    ("use", "on|with"),
)
# No object has a longer name; the longest action of a gold path has 110 characters.
_NAME = r"[a-z0-9(][a-z0-9()' -]{0,120}"
_GRAMMAR = re.compile(
    "|".join(
        (
            _ALONE,
            r"\d{1,3}",
            f"(?:{_ONE}) {_NAME}",
            *(f"(?:{verb}) {_NAME} (?:{word}) {_NAME}" for verb, word in _TWO),
        )
    )
)
# Words that occur in sentences but in no name.
_SENTENCE = re.compile(
    r"\b(?:i|we|you|it|my|me|he|they|because|so|should|will|would|could|can|then|now|that"
    r"|which|first|next|please|need|want|let|let's|is|are|was|be|if|but|before|after"
    r"|again|try|think|here|there|this|using|order)\b"
)


def forms(instance: Instance) -> tuple[str, ...]:
    """Return the forms of the actions of an instance.

    Args:
        instance: The instance; its simplifications add or remove forms.
    """
    enabled = instance.enabled
    listed = [
        f for f in _FORMS if "noElectricalAction" not in enabled or "connect" not in f
    ]
    return (*listed, "teleport OBJ") if "teleportAction" in enabled else tuple(listed)


class Moment(NamedTuple):
    """A moment of an episode.

    Attributes:
        world: The state of ScienceWorld.
        noted: The names of the subgoals; in AgentBoard's protocol only the reached
            ones.
    """

    world: World
    noted: tuple[str, ...]


class Experiment:
    """An episode, with its current moment.

    Attributes:
        moment: The current moment.
        opening: The first observation, as AgentBoard's prompt quotes it.
    """

    moment: Moment
    opening = ""

    @property
    def world(self) -> World:
        """The current state of ScienceWorld."""
        return self.moment.world

    @world.setter
    def world(self, world: World) -> None:
        self.moment = self.moment._replace(world=world)

    @property
    def forms(self) -> tuple[str, ...]:
        """The forms of the actions."""
        return forms(self.world.instance)


class Begun(NamedTuple):
    """A begun episode, with its goal, first observation and difficulty."""

    goal: str
    opening: str
    difficulty: str = ""


class Action(NamedTuple):
    """An action.

    Attributes:
        text: The agent's text.
        command: The text that ScienceWorld receives.
    """

    text: str
    command: str


class Arguments(NamedTuple):
    """The arguments of the environment that select its tasks."""

    task: str | Sequence[str] | None
    variation: int | None
    simplifications: str | Sequence[str]
    split: str
    problem: int | None
    data_dir: str | None


class ScienceWorldProtocol(Protocol[Experiment, Action]):
    """Our own protocol.

    Args:
        tasks: The tasks.
    """

    def __init__(self, tasks: TaskSource[Any]) -> None:
        self.tasks = tasks

    @classmethod
    def of(cls, given: Arguments) -> Self:
        """Return the protocol for the arguments of the environment.

        Raises:
            ValueError: If the value of an argument is not allowed, or two arguments
                contradict each other.
        """
        if given.data_dir is not None or given.problem is not None:
            raise ValueError(
                f"data_dir={given.data_dir!r}, problem={given.problem!r} need "
                "protocol='agentboard'"
            )
        names = checked_simplifications(given.simplifications)
        tasks = checked_tasks(given.task, names)
        return cls(task_source(tasks, given.variation, names, given.split))

    def begin(self, game: Experiment, task: Any) -> Begun:
        """Begin an episode of a task.

        Raises:
            EngineError: If ScienceWorld fails.
        """
        world, goal = POOL.begin(task)
        game.moment = Moment(world, counted_names(task.task, world.status.goals))
        return Begun(goal, world.status.observation)

    def read(self, game: Experiment, text: str) -> Action | None:
        """Return an action in ScienceWorld's words; None for text of another form.

        Case, whitespace, surrounding quotes and a final full stop do not matter.
        """
        command = normalize(text)
        if _GRAMMAR.fullmatch(command) is None or _SENTENCE.search(command):
            return None
        return Action(text, command)

    def write(self, game: Experiment, action: Action) -> str:
        """Return the action as ScienceWorld receives it."""
        return action.command

    def play(self, game: Experiment, action: Action) -> Turn:
        """Carry out an action.

        Raises:
            EngineError: If ScienceWorld fails.
        """
        command, choices = action.command, game.world.status.choices
        if command.isdecimal() and int(command) >= choices:
            return Turn.invalid(_choose(command, choices))
        with POOL.at(game.world) as engine:
            after = engine.act(command)
            if after is None:
                why = _no_match(command, engine.objects())
                return Turn(NO_MATCH, action_valid=False, feedback=why)
        game.world = after
        return Turn(after.status.observation, terminated=after.status.failed)

    def refuse(self, game: Experiment, text: str) -> Turn:
        """Explain that a text does not have the form of an action."""
        return Turn.invalid(_unknown(text, game.forms))

    def help(self, game: Experiment) -> str:
        """Return the forms of actions and the objects in sight.

        Raises:
            EngineError: If ScienceWorld fails.
        """
        with POOL.at(game.world) as engine:
            objects = engine.objects()
        return help_text(game.forms, objects, game.world.status.choices)

    def subgoals(self, game: Experiment) -> dict[str, bool]:
        """Return whether each subgoal has been reached."""
        return reached(game.moment.noted, game.world.status)

    def success(self, game: Experiment) -> bool:
        """Return whether the task is solved."""
        return game.world.status.solved

    def admissible_actions(self, game: Experiment) -> tuple[str, ...]:
        """Return ScienceWorld's list of the valid actions, sorted.

        Raises:
            EngineError: If ScienceWorld fails.
        """
        choices = game.world.status.choices
        if choices:
            return tuple(map(str, range(choices)))
        with POOL.at(game.world) as engine:
            return engine.actions()

    def extra_info(self, game: Experiment) -> dict[str, Any]:
        """Return the protocol's own keys of info."""
        return {}


_INSTRUCTIONS = """\
You are in a house with a workshop, a greenhouse, a foundry and a garden, where you \
do an experiment or find something out. Write each action in one of these forms, where \
OBJ is the name of a thing, a substance, a door or a place as in the answers:
{forms}
"focus on OBJ" names the object that the task asks about: focus on it only where the \
task says so, because a wrong one fails the task. "wait" lets ten units of time pass, \
"wait1" one. Where an action can mean several things you are asked for a number. \
"check valid actions" lists the forms and what is in sight."""


def instructions(forms: tuple[str, ...]) -> str:
    """Return the instructions before the first observation."""
    return _INSTRUCTIONS.format(forms=", ".join(forms))


def help_text(forms: tuple[str, ...], objects: tuple[str, ...], choices: int) -> str:
    """Return the answer to ``check valid actions``.

    Args:
        forms: The forms of actions.
        objects: The names of the objects in sight.
        choices: The number of meanings to choose from; 0 if there is no question.
    """
    lines = [f"Actions have one of these forms: {', '.join(forms)}."]
    if objects:
        lines.append(f"OBJ can be: {', '.join(objects)}.")
    if choices:
        lines.insert(0, _choices(choices))
    return "\n".join(lines)


def _unknown(action: str, forms: tuple[str, ...]) -> str:
    """Return the reason why a text is not an action."""
    return (
        f"{quote(action)} has no form of an action. "
        f"Write one of: {', '.join(forms)}, or 'check valid actions'."
    )


def _no_match(action: str, objects: tuple[str, ...]) -> str:
    """Return the reason why ScienceWorld knows no such action."""
    return (
        f"{quote(action)} names something that is not here, or that cannot be used so. "
        f"OBJ can be: {', '.join(objects)}."
    )


def _choose(number: str, choices: int) -> str:
    """Return the reason why a number is not an action.

    Args:
        number: The number.
        choices: The number of meanings to choose from; 0 if there is no question.
    """
    if not choices:
        return f"{quote(number)}: a number only answers a question, and none was asked."
    return f"{quote(number)} is not one of the choices. {_choices(choices)}"


def _choices(choices: int) -> str:
    return f"Enter a number from 0 to {choices - 1}, or another action."
