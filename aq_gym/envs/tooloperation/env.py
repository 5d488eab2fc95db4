"""The ToolOperation environment."""

from __future__ import annotations

from typing import Literal, Unpack

from aq_gym.core.splits import Split
from aq_gym.envs.tooloperation.agentboard import AgentBoardProtocol
from aq_gym.envs.tooloperation.protocol import ToolOperationProtocol
from aq_gym.tools.env import ToolArguments
from aq_gym.tools.world_env import WorldArguments, WorldEnv

PROTOCOLS = {"aq": ToolOperationProtocol, "agentboard": AgentBoardProtocol}


class ToolOperationEnv(WorldEnv):
    """Change a to-do list or a workbook with tools, as a task asks.

    ## Description
    A to-do list (``world="todo"``) or a workbook (``world="sheet"``) is generated from
    a seed, with invented names. The task describes an end state, with tasks completed,
    moved or added, rows sorted, or sums filled in. Everything that the task does not
    mention must stay unchanged. There are the same kinds of tools and tasks as in
    AgentBoard's Tool-Operation.

    The expert is privileged: it knows calls that lead to the end state, and makes them
    in order. It undoes other changes where a tool can; it gives up after a change that
    no tool undoes, such as a completed task or a deleted sheet.

    ## Action Space
    Text: one call of a tool, in any form that :func:`aq_gym.tools.read_calls` reads,
    such as ``complete_task(task_id="1034")`` or ``{"name": "complete_task",
    "arguments": {"task_id": "1034"}}``. ``finish()`` ends the episode. ``check valid
    actions`` (or ``help``) lists the tools at the cost of a step. An invalid call
    changes nothing, and the answer explains the error.

    ## Observation Space
    Text: the tools and the task at reset; then the result of a call, as JSON.

    ## Starting State
    A start, a template and a task drawn from ``np_random``; nothing is changed.

    ## Rewards
    The increase of the best progress; an episode's return is its final progress rate.
    Progress is (held - damage) / (needed + 1), at least 0.0: "needed" is the number of
    changes that the task needs, "held" is how many of them hold now, and "damage" is
    the number of other differences from the start; the 1 stands for the finish. A
    change is a field of a record, the value, note or merging of a cell, or the name of
    a sheet. While a sheet lacks a text that the end state keeps, none of its changes
    counts, so that deleting rows or columns gains nothing.

    ## Episode End
    Terminated by ``finish``. Success needs exactly the end state; if the task cannot be
    done, it needs ``finish(answer="unknown")`` and no change. Formulas are compared by
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
      which cannot be done. They count as easy, so they are refused with
      ``difficulty="hard"``, and are a larger share of "easy" tasks.
    * ``split="all"``: "train" or "test" draws from one part of the tasks, divided by
      start and template.
    * ``protocol="aq"``: "agentboard" plays AgentBoard's own tasks with its tools
      (12 for the list, 20 for the workbook), its reward and its ends: an episode ends
      at the word "finish" in an action. Success needs every golden call, or the golden
      table, and ``finish``. ``info["agentboard_reward"]`` is its reward; progress is
      the same, but at most 0.999 before success. All arguments above except ``world``
      must keep their defaults.
    * ``problem=None``: the number of a task in this protocol, from 0; None for all.
    * ``data_dir=None``: for this protocol, a folder with AgentBoard's files; None for
      the folder that the environment variable ``AGENTBOARD_DATA`` names. Its workbook
      needs the extra ``agentboard``.
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
        ValueError: If an argument is out of its range, or ``list_actions`` is True:
            there are too many calls.
        gymnasium.error.DependencyNotInstalled: If AgentBoard's workbook is played
            without ``openpyxl``.
    """

    protocols = PROTOCOLS

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
        chosen = world, difficulty, records, unanswerable, split, problem, data_dir
        super().__init__(protocol, WorldArguments(*chosen), **shared)
