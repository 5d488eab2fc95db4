"""The ToolOperation environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, Unpack

import numpy as np

from aq_gym.core import Prompt, Start, Turn
from aq_gym.core.help import HELP
from aq_gym.core.splits import Split, in_split
from aq_gym.core.tasks import GeneratedTasks, task_of
from aq_gym.envs.tooloperation import expert, text
from aq_gym.envs.tooloperation.actions import draw_call
from aq_gym.envs.tooloperation.logic.builder import Operation
from aq_gym.envs.tooloperation.logic.score import Score, score
from aq_gym.envs.tooloperation.logic.session import Session
from aq_gym.envs.tooloperation.logic.worlds import (
    STARTS,
    WORLDS,
    TaskName,
    operation,
    start,
)
from aq_gym.tools import Call, Result, Toolbox, Unreadable
from aq_gym.tools.env import ToolArguments, ToolEnv

# As AgentBoard's cutoff for tools: more calls are hard.
_EASY = 4
_NUMBERS = 1_000_000
_RECORDS = (10, 100_000)
_TRIES = 10_000


class _Progress(NamedTuple):
    """The state of an episode besides that of its tools."""

    task_id: str
    changed: Any
    answer: str
    made: int


class ToolOperationEnv(ToolEnv):
    """Change a to-do list or a workbook with tools until it is as a task asks.

    ## Description
    A to-do list (``world="todo"``) or a workbook (``world="sheet"``) is generated from
    a seed, with invented names. The task describes an end state: tasks that are to be
    completed, moved or added, rows to be sorted, sums to be filled in. What the task
    does not mention must stay as it is. The kinds of tools and tasks are those of
    AgentBoard's Tool-Operation.

    The expert is privileged: it knows calls that lead to the end state, and makes them
    in order.

    ## Action Space
    Text: one call of a tool, in any form that :func:`aq_gym.tools.read_calls` reads,
    such as ``complete_task(task_id="1034")`` or ``{"name": "complete_task",
    "arguments": {"task_id": "1034"}}``. ``finish()`` ends the episode. ``check valid
    actions`` (or ``help``) lists the tools at the cost of a step. A wrong call is
    answered with what is wrong, and changes nothing.

    ## Observation Space
    Text: the tools and the task at reset; then the result of a call, as JSON.

    ## Starting State
    A start, a template and a task drawn from ``np_random``; nothing is changed.

    ## Rewards
    The increase of the best progress; an episode's return is its final progress rate.
    Progress is the number of needed changes that hold now, less the number of
    differences from the start that the task does not ask for, as a share of the needed
    changes and the finish; never below 0.0. A change is a field of a record, the value,
    note or merging of a cell, or the name of a sheet. While a sheet has lost a text
    that the end state keeps, none of its changes counts, so that deleting rows or
    columns gains nothing.

    ## Episode End
    Terminated by ``finish``. Success needs exactly the end state, and for a task that
    cannot be done ``finish(answer="unknown")`` and no change. A formula counts as its
    value. Truncated after 40 steps (``max_episode_steps``).

    ## Information
    The keys of :class:`aq_gym.tools.env.ToolEnv`. ``subgoals`` has "change 1" to
    "change n", in groups where there are more than 20, and "right end state";
    ``difficulty`` is "hard" if the reference route has more than four calls.
    ``env.get_wrapper_attr("tools")`` has the tools with their JSON Schemas.

    ## Arguments
    * ``world="todo"``: the world, "todo" or "sheet".
    * ``difficulty="any"``: "easy" or "hard" draws tasks of one kind only.
    * ``records=0``: the number of tasks of the to-do list, or of rows of the largest
      table, 10 to 100,000; 0 for 40 tasks or 12 rows.
    * ``unanswerable=0.0``: the share of tasks about something that does not exist,
      which cannot be done.
    * ``split="all"``: "train" or "test" draws from one part of the pairs of a start
      and a template.
    * ``parallel_calls=False``, ``distractors=0``, ``rename=False``, ``faults=0.0``: see
      :class:`aq_gym.tools.env.ToolEnv`.
    * ``render_mode``, ``instructions``, ``list_actions``: see :class:`aq_gym.TextEnv`.

    ## References
    Ma et al., "AgentBoard: An Analytical Evaluation Board of Multi-turn LLM Agents",
    NeurIPS 2024 (datasets and benchmarks): Tool-Operation.

    ## Version History
    * v0: first version.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If an argument is out of its range, or actions are to be listed:
            there are too many calls.
    """

    plain_arguments = frozenset(
        {
            *("world", "difficulty", "records", "unanswerable", "split"),
            *("parallel_calls", "distractors", "rename", "faults"),
        }
    )
    shared_attributes = ToolEnv.shared_attributes | {"_task_now", "_tasks"}
    _task_now: Operation

    def __init__(
        self,
        world: Literal["todo", "sheet"] = "todo",
        difficulty: Literal["any", "easy", "hard"] = "any",
        records: int = 0,
        unanswerable: float = 0.0,
        split: Split = "all",
        **shared: Unpack[ToolArguments],
    ) -> None:
        self._world_name = world
        self.prompt_example = world
        super().__init__(**shared)
        if records and not _RECORDS[0] <= records <= _RECORDS[1]:
            raise ValueError(
                f"records={records} must be 0, or {_RECORDS[0]} to {_RECORDS[1]}"
            )
        if not 0.0 <= unanswerable <= 1.0:
            raise ValueError(f"unanswerable={unanswerable} must be 0.0 to 1.0")
        self._difficulty = difficulty
        self._records = records or WORLDS[world].records
        self._unanswerable = unanswerable
        self._split = split
        self._tasks = GeneratedTasks(
            self._draw_id,
            self._task,
            f"{world}-START-TEMPLATE-NUMBER, as info['task_id'] has it",
            split,
            _split_key,
        )
        if self.list_actions:
            self.admissible_actions()

    def _reset(self, options: Mapping[str, Any]) -> Start:
        task_id, (name, task) = task_of(self._tasks, options, self.np_random)
        self.begin_tools(task_id)
        self._begin(name, task)
        opening = text.opening(task.text)
        if self.instructions:
            finish = self._variant.names["finish"]
            rules = text.instructions(
                self._world_name, self.tools, finish, self._parallel
            )
            opening = f"{rules}\n\n{opening}"
        return Start(opening, task.text, task_id, _grade(task))

    def _begin(self, name: TaskName, task: Operation) -> None:
        self._task_id = str(name)
        self._start_seed = name.start
        self._task_now = task
        self.world: Session = self._new_session()
        self._made = 0
        self._scored: tuple[int, Score] | None = None
        self._awaited: tuple[int, str] | None = None

    def _new_session(self) -> Session:
        data = start(self._world_name, self._start_seed, self._records)
        return WORLDS[self._world_name].session(data)

    @property
    def toolbox(self) -> Toolbox:
        """The tools of the world, before they are renamed."""
        return WORLDS[self._world_name].tools

    def task_prompt(self) -> Prompt:
        """Return the prompt; its example is left out where tools are renamed."""
        prompt = super().task_prompt()
        return prompt._replace(example=None) if self._rename else prompt

    def _step(self, action: str) -> Turn:
        turn = super()._step(action)
        if not self.over():
            return turn
        words = f"{turn.observation}\n{text.outcome(self.success())}"
        return turn._replace(observation=words)

    def _call(self, call: Call | Unreadable) -> Result:
        result = super()._call(call)
        # A call that a fault prevented has no value.
        if isinstance(call, Unreadable) or result.value is None:
            return result
        if self._made < len(self._task_now.route):
            self._made += self.tools.canonical(call) == self._next_call()
        return result

    def _next_call(self) -> str:
        """Return the next call of the route, as this episode writes it."""
        if self._awaited is None or self._awaited[0] != self._made:
            step = self._task_now.route[self._made]
            call = self.write_call(step.tool, **step.arguments)
            self._awaited = self._made, call
        return self._awaited[1]

    def over(self) -> bool:
        """Return whether the agent has finished."""
        return bool(self.world.answer)

    def _score(self) -> Score:
        if self._scored is None or self._scored[0] != self.world.version:
            found = score(self.world, self._task_now.target)
            self._scored = self.world.version, found
        return self._scored[1]

    def subgoals(self) -> dict[str, bool]:
        """Return whether each needed change holds, and the end state was finished."""
        held = self._score().subgoals(self._task_now.target)
        return {**held, "right end state": self.success()}

    def progress(self) -> float:
        """Return the needed changes that hold less the damage, as a share."""
        return 1.0 if self.success() else self._score().progress

    def success(self) -> bool:
        """Return whether the agent finished in the end state."""
        right = self.world.answer == self._task_now.answer
        return right and self._score().exact

    def admissible_actions(self) -> tuple[str, ...]:
        """Raise an error, because there are too many calls.

        Raises:
            ValueError: Always.
        """
        raise ValueError(
            "list_actions: calls can't be listed, because any text can be an argument: "
            "use sample_action, or list_actions=False"
        )

    def sample_action(self, rng: np.random.Generator) -> str:
        """Draw a tool, and arguments as the task needs them."""
        # From a stream of its own: a caller's generator with the episode's seed would
        # draw here what it drew at reset.
        own = np.random.default_rng(rng.integers(2**63, size=2))
        world = WORLDS[self._world_name]
        tool, arguments = draw_call(world, self._task_now, own)
        return self.write_call(tool, **arguments)

    def expert_action(self) -> str:
        """Return the next call of the route; in a dead end ``check valid actions``."""
        step = expert.next_step(
            self._task_now, self.world, self._new_session, self._made
        )
        return HELP if step is None else self.write_call(step.tool, **step.arguments)

    def _get_world(self) -> _Progress:
        world = self.world
        return _Progress(self._task_id, world.state(), world.answer, self._made)

    def _set_world(self, world: _Progress) -> None:
        name, task = self._tasks.get(world.task_id)
        self._begin(name, task)
        self.world.restore(world.changed)
        self.world.answer = world.answer
        self._made = world.made

    def _draw_id(self, rng: np.random.Generator) -> str:
        templates = WORLDS[self._world_name].templates
        for _ in range(_TRIES):
            name = TaskName(
                self._world_name,
                int(rng.integers(STARTS)),
                templates[int(rng.integers(len(templates)))].name,
                int(rng.integers(_NUMBERS)),
                float(rng.random()) >= self._unanswerable,
            )
            # Before the start is made, which takes longer.
            if in_split(_part(name), self._split) and self._task(str(name)):
                return str(name)
        raise AssertionError("no task was found")

    def _task(self, task_id: str) -> tuple[TaskName, Operation] | None:
        """Make a task; return None if there is none, or this env cannot draw it."""
        name = TaskName.parse(task_id)
        if name is None or name.world != self._world_name:
            return None
        if self._unanswerable == float(name.possible):
            return None
        task = operation(name, self._records)
        if task is None or self._difficulty not in ("any", _grade(task)):
            return None
        return name, task


def _grade(task: Operation) -> str:
    return "easy" if len(task.route) <= _EASY else "hard"


def _split_key(task: tuple[TaskName, Operation]) -> str:
    return _part(task[0])


def _part(name: TaskName) -> str:
    """Return what decides the split: a start and a template."""
    return f"{name.world} {name.start} {name.template}"
