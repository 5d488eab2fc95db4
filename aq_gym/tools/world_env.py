"""Environments whose tools read or change a world, and the base of their protocols."""

from __future__ import annotations

import copy
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple, Unpack

import numpy as np

from aq_gym.core import Prompt, Start, Turn
from aq_gym.core.arguments import check_arguments
from aq_gym.core.drawing import Drawing
from aq_gym.core.protocol import Protocol
from aq_gym.core.splits import Split, in_split
from aq_gym.core.tasks import GeneratedTasks, TaskSource, separate, task_of
from aq_gym.tools.calls import Call, Unreadable
from aq_gym.tools.env import Calls, ToolArguments, ToolEnv
from aq_gym.tools.picture import Looked, Seen, draw
from aq_gym.tools.tasks import TaskName
from aq_gym.tools.toolbox import Result, Toolbox

_NUMBERS = 1_000_000
_MOST_DRAWS = 10_000


class WorldArguments(NamedTuple):
    """The arguments of a :class:`WorldEnv` that decide which tasks it plays."""

    world: str
    difficulty: str
    records: int
    unanswerable: float
    split: Split
    problem: int | None
    data_dir: str | None


@dataclass
class Episode:
    """The game of a :class:`WorldEnv`.

    Attributes:
        task_id: The id of the task.
        task: The task, with a ``goal`` and a ``difficulty``. It never changes.
        session: The world that the tools receive, with ``state()``, ``restore(state)``,
            ``finished`` and a ``stamp``, which changes whenever the measure may change.
        made: The number of calls of the reference route that were made in order.
    """

    task_id: str
    task: Any
    session: Any
    made: int = 0

    def __deepcopy__(self, memo: dict[int, Any]) -> Episode:
        """Copy only the session, because the task never changes."""
        return replace(self, session=copy.deepcopy(self.session, memo))


class Measure(NamedTuple):
    """The measure of a state.

    Attributes:
        progress: The progress, 0.0 to 1.0; 1.0 only with success.
        subgoals: Whether each subgoal holds.
        success: Whether the task is solved.
    """

    progress: float
    subgoals: dict[str, bool]
    success: bool


class WorldProtocol(Protocol[Episode, Calls]):
    """The tasks of a :class:`WorldEnv`, their wording, their measure and their end.

    :class:`ToolEnv` reads, plays and refuses calls in the same way for every protocol.

    Attributes:
        tools: The tools, before they are renamed.
        tasks: The tasks.
        about: The kind of task in one sentence.
        ending: How an episode is ended, with ``{finish}`` for the tool's name.
        label: What a task is called.
        outcomes: The sentences after a failed and after a solved task.
    """

    tools: Toolbox
    tasks: TaskSource[Any]
    about: str
    ending: str
    label: ClassVar[str]
    outcomes: tuple[str, str]

    def session(self, task: Any) -> Any:
        """Return the world at the start of a task."""
        raise NotImplementedError

    def measure(self, game: Episode) -> Measure:
        """Measure the present state."""
        raise NotImplementedError

    def next_call(self, game: Episode) -> tuple[str, Mapping[str, Any]] | None:
        """Return the expert's next call, None in a dead end."""
        raise NotImplementedError

    def draw(
        self, game: Episode, rng: np.random.Generator
    ) -> tuple[str, Mapping[str, Any]]:
        """Draw a call that can be tried."""
        raise NotImplementedError

    def picture(self, game: Episode, seen: Seen, looked: Sequence[Looked]) -> Drawing:
        """Return a picture of what the agent has seen of the world."""
        return draw(seen, looked)

    def route(self, game: Episode) -> Sequence[tuple[str, Mapping[str, Any]]]:
        """Return calls that solve the task; empty if the expert does not count them."""
        return ()

    def after(self, game: Episode, action: Calls, valid: bool, tools: Toolbox) -> None:
        """Complete a step; by default, do nothing.

        Args:
            game: The episode.
            action: The action, with the calls that count.
            valid: Whether one of them was carried out.
            tools: The tools as the agent sees them.
        """

    def extra_info(self, game: Episode) -> dict[str, Any]:
        """Return the protocol's own keys of info."""
        return {}

    def task_prompt(self, packaged: Prompt) -> Prompt:
        """Return the prompt for a language model, given the default prompt."""
        return packaged


class GeneratedProtocol(WorldProtocol):
    """Tasks that are generated from their ids.

    Args:
        given: The constructor arguments of the environment.
        templates: The names of the world's templates.
        records: The size of the data at the start.

    Raises:
        ValueError: If a share is out of its range.
    """

    worlds: ClassVar[Container[str]]
    # The number of starts of each world, and the word for a start in the form of an id.
    starts: ClassVar[int]
    start_name: ClassVar[str]
    tries_per_start: ClassVar[int] = 1

    def __init__(
        self, given: WorldArguments, templates: Sequence[str], records: int
    ) -> None:
        share = given.unanswerable
        if not 0.0 <= share <= 1.0:
            raise ValueError(f"unanswerable={share} must be 0.0 to 1.0")
        if share and given.difficulty == "hard":
            raise ValueError(
                f"unanswerable={share} with difficulty='hard': such tasks are easy; "
                "give difficulty='any', or unanswerable=0.0"
            )
        self._given = given
        self._templates = templates
        self._records = records
        form = f"{given.world}-{self.start_name}-TEMPLATE-NUMBER, as info['task_id']"
        self.tasks = GeneratedTasks(
            self._draw_id, self._task, f"{form} has it", given.split, _split_key
        )

    def make(self, name: TaskName) -> Any:
        """Return a task with its ``name``, or None if no task has this name."""
        raise NotImplementedError

    def _draw_id(self, rng: np.random.Generator) -> str:
        for _ in range(_MOST_DRAWS // self.tries_per_start):
            start = int(rng.integers(self.starts))
            for _ in range(self.tries_per_start):
                name = TaskName(
                    self._given.world,
                    start,
                    self._templates[int(rng.integers(len(self._templates)))],
                    int(rng.integers(_NUMBERS)),
                    float(rng.random()) >= self._given.unanswerable,
                )
                # Checked before the data are made, because that takes longer.
                fits = in_split(_part(name), self._given.split)
                if fits and self._task(str(name)):
                    return str(name)
        raise AssertionError("no task was found")

    def _task(self, task_id: str) -> Any:
        """Make a task; return None if there is none or this env cannot draw it."""
        name = TaskName.parse(task_id, self.worlds, self.starts)
        if name is None or name.world != self._given.world:
            return None
        if self._given.unanswerable == float(name.possible):
            return None
        task = self.make(name)
        drawn = task and self._given.difficulty in ("any", task.difficulty)
        return task if drawn else None


def _split_key(task: Any) -> str:
    return _part(task.name)


def _part(name: TaskName) -> str:
    """Return what decides the split: a start and a template."""
    return f"{name.world} {name.start} {name.template}"


class _Progress(NamedTuple):
    """The state of an episode, apart from the state of its tools."""

    task_id: str
    session: Any
    made: int


class WorldEnv(ToolEnv):
    """An environment whose tools read or change a generated or published world.

    A benchmark names its protocols in ``protocols``, and writes a constructor.

    Args:
        protocol: The name of the protocol.
        given: The arguments that decide which tasks are played.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If the protocol does not accept an argument.
    """

    protocols: ClassVar[Mapping[str, Callable[[WorldArguments], WorldProtocol]]]
    plain_arguments = frozenset(
        {
            *("world", "difficulty", "records", "unanswerable", "split", "protocol"),
            "problem",
            *("parallel_calls", "distractors", "rename", "faults"),
        }
    )
    protocol: WorldProtocol
    _game: Episode

    def __init__(
        self, protocol: str, given: WorldArguments, **shared: Unpack[ToolArguments]
    ) -> None:
        # Checked first: the base class asks the protocol for its tools.
        check_arguments(type(self).__init__, {**given._asdict(), "protocol": protocol})
        self._set_protocol(self.protocols[protocol](given))
        if protocol != "aq":
            self.source = "published"
        self.prompt_example = given.world
        super().__init__(**shared)

    @property
    def toolbox(self) -> Toolbox:
        """The tools of the world, before they are renamed."""
        return self.protocol.tools

    def _reset(self, options: Mapping[str, Any]) -> Start:
        task_id, task = task_of(self.protocol.tasks, options, self.np_random)
        self.begin_tools(task_id)
        self._begin(task_id, task)
        opening = f"{self.protocol.label}: {task.goal}"
        if self.instructions:
            opening = f"{self._rules()}\n\n{opening}"
        return Start(opening, task.goal, task_id, task.difficulty)

    def _rules(self) -> str:
        """Return the explanation of the task, with the tools."""
        calls = "one or more calls" if self._parallel else "one call"
        ending = self.protocol.ending.format(finish=self._variant.names["finish"])
        return (
            f"{self.protocol.about}\n"
            f"Each action is {calls} of a tool, as {self.example_call()}; JSON, "
            f'{{"name": ..., "arguments": {{...}}}}, is read, too. {ending}\n'
            f"The tools:\n{self.tools.text()}"
        )

    def _begin(self, task_id: str, task: Any, made: int = 0) -> None:
        self.world = self.protocol.session(task)
        self._game = Episode(task_id, task, self.world, made)
        self._measured: tuple[Any, Measure] | None = None

    def task_prompt(self) -> Prompt:
        """Return the prompt; its example is left out if the tools have other names."""
        return self.protocol.task_prompt(super().task_prompt())

    def _step(self, action: Calls) -> Turn:
        turn = super()._step(action)
        counted = action._replace(calls=self._counted(action))
        self.protocol.after(self._game, counted, turn.action_valid, self.tools)
        if not self.over():
            return turn
        words = f"{turn.observation}{self.protocol.outcomes[self.success()]}"
        return turn._replace(observation=words, terminated=True)

    def _call(self, call: Call | Unreadable) -> Result:
        result = super()._call(call)
        # A call that a simulated fault prevented has no value.
        if isinstance(call, Call) and result.value is not None:
            self._game.made += self._is_next(call)
        return result

    def _is_next(self, call: Call) -> bool:
        """Return whether a call is the next one of the route."""
        route, made = self.protocol.route(self._game), self._game.made
        if made >= len(route):
            return False
        tool, arguments = route[made]
        if call.name != self._variant.names[tool]:
            return False
        return self.tools.bind(call) == self.tools.bind(self._named(tool, arguments))

    def over(self) -> bool:
        """Return whether the agent has finished."""
        finished: bool = self.world.finished
        return finished

    def _measure(self) -> Measure:
        stamp = self.world.stamp
        if self._measured is None or self._measured[0] != stamp:
            self._measured = stamp, self.protocol.measure(self._game)
        return self._measured[1]

    def subgoals(self) -> dict[str, bool]:
        """Return whether each subgoal holds; the last is the right end."""
        return dict(self._measure().subgoals)

    def progress(self) -> float:
        """Return the progress, as the protocol measures it."""
        return self._measure().progress

    def success(self) -> bool:
        """Return whether the agent finished with the task solved."""
        return self._measure().success

    def extra_info(self) -> dict[str, Any]:
        """Return the numbers of calls, and the protocol's own keys."""
        return {**super().extra_info(), **self.protocol.extra_info(self._game)}

    def sample_action(self, rng: np.random.Generator) -> str:
        """Draw a tool, with arguments from the world or the task."""
        tool, arguments = self.protocol.draw(self._game, separate(rng))
        return self.write_call(tool, **arguments)

    def expert_action(self) -> str | None:
        """Return the route's next call, or None in a dead end."""
        call = self.protocol.next_call(self._game)
        return None if call is None else self.write_call(call[0], **call[1])

    def _draw(self) -> Drawing:
        return self.protocol.picture(self._game, self._memory, self._looked())

    def _get_world(self) -> _Progress:
        game = self._game
        return _Progress(game.task_id, self.world.state(), game.made)

    def _set_world(self, world: _Progress) -> None:
        task = self.protocol.tasks.get(world.task_id)
        self._begin(world.task_id, task, world.made)
        self.world.restore(world.session)
