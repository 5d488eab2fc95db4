"""The ToolOperation environment."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal, NamedTuple, Unpack

import numpy as np

from aq_gym.core import Prompt, Start, Turn
from aq_gym.core.help import HELP
from aq_gym.core.prompt import PublishedPrompt
from aq_gym.core.splits import Split
from aq_gym.core.tasks import separate, task_of
from aq_gym.envs.tooloperation import text
from aq_gym.envs.tooloperation.logic.builder import Step
from aq_gym.envs.tooloperation.logic.session import Session
from aq_gym.envs.tooloperation.protocol import Measure, Protocol, make_protocol
from aq_gym.tools import Call, Result, Toolbox, Unreadable
from aq_gym.tools.env import ToolArguments, ToolEnv


class _Progress(NamedTuple):
    """The state of an episode besides that of its tools."""

    task_id: str
    changed: Any
    answer: str
    best: float
    made: int


class ToolOperationEnv(ToolEnv):
    """Change a to-do list or a workbook with tools, as a task asks.

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
    actions`` (or ``help``) lists the tools at the cost of a step. A wrong call changes
    nothing, and the answer explains the error.

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
      table, 10 to 10,000; 0 for 40 tasks or 12 rows.
    * ``unanswerable=0.0``: the share of tasks about something that does not exist,
      which cannot be done. They are easy: refused with "hard", and a larger share with
      "easy".
    * ``split="all"``: "train" or "test" draws from one part of the pairs of a start
      and a template.
    * ``protocol="aq"``: "agentboard" plays AgentBoard's own tasks with its tools
      (12 for the list, 20 for the workbook), its reward and its ends: an episode ends
      by the word "finish" in an action. Success needs every golden call, or the golden
      table, and ``finish``. ``info["agentboard_reward"]`` is its reward; progress is
      the same, but at most 0.999 before success. The arguments above, but
      ``world``, keep their defaults.
    * ``problem=None``: the number of a task in this protocol, from 0; None for all.
    * ``data_dir=None``: for this protocol, a folder with AgentBoard's files; None for
      the one that the environment variable ``AGENTBOARD_DATA`` names.
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

    size_argument = "records"
    plain_arguments = frozenset(
        {
            *("world", "difficulty", "records", "unanswerable", "split", "protocol"),
            "problem",
            *("parallel_calls", "distractors", "rename", "faults"),
        }
    )
    shared_attributes = ToolEnv.shared_attributes | {"_task", "_protocol"}
    _task: Any

    def __init__(
        self,
        world: Literal["todo", "sheet"] = "todo",
        difficulty: Literal["any", "easy", "hard"] = "any",
        records: int = 0,
        unanswerable: float = 0.0,
        split: Split = "all",
        protocol: Literal["aq", "agentboard"] = "aq",
        problem: int | None = None,
        data_dir: str | None = None,
        **shared: Unpack[ToolArguments],
    ) -> None:
        self._world_name = world
        self._chosen = (world, difficulty, records, unanswerable, split)
        self._published = (protocol, problem, data_dir)
        self.prompt_example = world
        super().__init__(**shared)

    @cached_property
    def _protocol(self) -> Protocol:
        # Made after the base class has checked the arguments.
        return make_protocol(self._published, *self._chosen)

    def _reset(self, options: Mapping[str, Any]) -> Start:
        task_id, task = task_of(self._protocol.tasks, options, self.np_random)
        self.begin_tools(task_id)
        self._begin(task_id, task)
        goal = self._protocol.goal(task)
        opening = text.opening(goal)
        if self.instructions:
            finish = self._variant.names["finish"]
            ending = self._protocol.ending
            rules = text.instructions(
                self._world_name, self.tools, finish, ending, self._parallel
            )
            opening = f"{rules}\n\n{opening}"
        return Start(opening, goal, task_id, self._protocol.grade(task))

    def _begin(self, task_id: str, task: Any) -> None:
        self._task_id = task_id
        self._task = task
        self.world: Session = self._protocol.session(task)
        self._made = 0
        self._was_read = False
        self._measured: tuple[tuple[int, str, float], Measure] | None = None
        self._awaited: tuple[int, str, dict[str, Any], dict[str, Any]] | None = None

    @property
    def toolbox(self) -> Toolbox:
        """The tools of the world, before they are renamed."""
        return self._protocol.tools

    def task_prompt(self) -> Prompt:
        """Return the prompt; its example is left out where tools have other names."""
        prompt = super().task_prompt()
        shown = self._protocol.has_example and not self._rename
        return prompt if shown else prompt._replace(example=None)

    def published_prompt(self) -> PublishedPrompt | None:
        """Return AgentBoard's prompt in its protocol, if the user has it."""
        return self._protocol.published_prompt(self._task)

    def _step(self, action: str) -> Turn:
        self._was_read = False
        turn = super()._step(action)
        if self._was_read:
            self._protocol.after(self.world, self._task, action)
        if not self.over():
            return turn
        words = f"{turn.observation}\n{text.outcome(self.success())}"
        return turn._replace(observation=words, terminated=True)

    def _call(self, call: Call | Unreadable) -> Result:
        result = super()._call(call)
        if isinstance(call, Call):
            self._was_read |= result.valid or self._is_bound(call)
            # A call that a fault prevented has no value.
            if result.value is not None:
                self._made += self._is_next(call)
        return result

    def _is_bound(self, call: Call) -> bool:
        """Return whether the arguments of a call are valid."""
        unknown = self.tools.find(call.name) is None
        return unknown or not isinstance(self.tools.bind(call), str)

    def _is_next(self, call: Call) -> bool:
        """Return whether a call is the next one of the route."""
        if self._awaited is None or self._awaited[0] != self._made:
            route = self._protocol.route(self._task)
            step = route[self._made] if self._made < len(route) else Step("", {})
            self._awaited = self._made, *self._as_called(step)
        _, name, defaults, arguments = self._awaited
        return call.name == name and {**defaults, **call.arguments} == arguments

    def _as_called(self, step: Step) -> tuple[str, dict[str, Any], dict[str, Any]]:
        """Return a call's current tool name, the default arguments and all of them."""
        if not step.tool:
            return "", {}, {}
        variant = self._variant
        name = variant.names[step.tool]
        parameters = variant.tools[name].parameters
        defaults = {one.name: one.default for one in parameters if not one.required}
        new = {variant.parameters[step.tool, k]: v for k, v in step.arguments.items()}
        return name, defaults, {**defaults, **new}

    def over(self) -> bool:
        """Return whether the agent has finished."""
        return bool(self.world.answer)

    def _measure(self) -> Measure:
        world = self.world
        key = (world.version, world.answer, world.best)
        if self._measured is None or self._measured[0] != key:
            self._measured = key, self._protocol.measure(world, self._task)
        return self._measured[1]

    def subgoals(self) -> dict[str, bool]:
        """Return whether each needed change holds, and whether the task is solved."""
        return dict(self._measure().subgoals)

    def progress(self) -> float:
        """Return the share of needed changes that hold, minus the damage."""
        return self._measure().progress

    def success(self) -> bool:
        """Return whether the agent finished in the end state."""
        return self._measure().success

    def extra_info(self) -> dict[str, Any]:
        """Return the numbers of calls, and AgentBoard's reward in its protocol."""
        return {**super().extra_info(), **self._protocol.extra_info(self.world)}

    def sample_action(self, rng: np.random.Generator) -> str:
        """Draw a tool; its arguments come from the world and the words of the task.

        In AgentBoard's protocol they are those of its reference calls.
        """
        own = separate(rng)
        step = self._protocol.draw(self.world, self._task, own)
        return self.write_call(step.tool, **step.arguments)

    def expert_action(self) -> str:
        """Return the route's next call, or ``check valid actions`` in a dead end."""
        step = self._protocol.next_step(self.world, self._task, self._made)
        return HELP if step is None else self.write_call(step.tool, **step.arguments)

    def _get_world(self) -> _Progress:
        world = self.world
        found = world.state(), world.answer, world.best
        return _Progress(self._task_id, *found, self._made)

    def _set_world(self, world: _Progress) -> None:
        self._begin(world.task_id, self._protocol.tasks.get(world.task_id))
        self.world.restore(world.changed)
        self.world.answer = world.answer
        self.world.best = world.best
        self._made = world.made
