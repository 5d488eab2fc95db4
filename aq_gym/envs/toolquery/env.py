"""The ToolQuery environment."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, Unpack

import numpy as np

from aq_gym.core import Prompt, Start, Turn
from aq_gym.core.arguments import check_arguments
from aq_gym.core.prompt import PublishedPrompt
from aq_gym.core.splits import Split
from aq_gym.core.tasks import separate, task_of
from aq_gym.envs.toolquery import text
from aq_gym.envs.toolquery.agentboard import make_protocol
from aq_gym.envs.toolquery.logic.session import Session
from aq_gym.envs.toolquery.protocol import Asked
from aq_gym.tools import Toolbox
from aq_gym.tools.env import ToolArguments, ToolEnv


class _Progress(NamedTuple):
    """The state of an episode besides that of its tools."""

    task_id: str
    seen: frozenset[str]
    answer: str | None


class ToolQueryEnv(ToolEnv):
    """Answer questions about a database that only tools can read.

    ## Description
    A database is generated from a seed, with invented names, so that no model can know
    what is in it. The question needs two to seven facts, which follow from each other:
    a search returns an id, with which other tools return further ids and values. The
    kinds of tools and questions are those of AgentBoard's Tool-Query.

    The expert is privileged: it knows which calls find the facts, and makes them in
    order.

    ## Action Space
    Text: one call of a tool, in any form that :func:`aq_gym.tools.read_calls` reads,
    such as ``search_movie(title="The Silent Harbour at Dawn")`` or ``{"name":
    "search_movie", "arguments": {"title": ...}}``. ``finish(answer=...)`` answers the
    question. ``check valid actions`` (or ``help``) lists the tools at the cost of a
    step. A wrong call changes nothing, and the answer explains the error.

    ## Observation Space
    Text: the tools and the question at reset; then the result of a call, as JSON.

    ## Starting State
    A database, a template and a question drawn from ``np_random``; nothing is found.

    ## Rewards
    The increase of the best progress; an episode's return is its final progress rate.
    Progress is the share of the facts that the answer needs, and of the right answer,
    that have been found: with n facts each is worth 1 / (n + 1). A fact counts once,
    whichever call returned it; the weather of a period counts as one. After the right
    answer progress is 1.0, whatever was found before.

    ## Episode End
    Terminated by ``finish``. Success needs the right answer: numbers are compared by
    value, dates by day, texts without case and punctuation, sets in any order (see
    :func:`aq_gym.answers.is_same`). Truncated after 40 steps (``max_episode_steps``).

    ## Information
    The keys of :class:`aq_gym.tools.env.ToolEnv`. ``subgoals`` has "fact 1" to
    "fact n" and "right answer"; ``difficulty`` is "hard" if the answer needs more than
    four facts (AgentBoard's cutoff). ``env.get_wrapper_attr("tools")`` has the tools
    with their JSON Schemas.

    ## Arguments
    * ``world="movies"``: the world, "movies", "weather", "academia" or "library".
    * ``difficulty="any"``: "easy" or "hard" draws questions of one kind only.
    * ``records=100``: the size of the database, 60 to 10,000; a reset with 10,000
      takes up to a second.
    * ``unanswerable=0.0``: the share of questions about somebody or something that is
      not in the database; the only fact is that it is missing, and the right answer is
      "unknown". They are easy: refused with "hard", and a larger share with "easy".
    * ``split="all"``: "train" or "test" draws from one part of the pairs of a database
      and a template.
    * ``protocol="aq"``: "agentboard" has AgentBoard's tools, questions and ends, for
      ``world="academia"``. A step adds ``info["agentboard_reward"]``.
    * ``problem=None``: the number of a question in that protocol, from 0; None for all.
    * ``data_dir=None``: the folder ``tool-query`` of AgentBoard's data, or
      ``data/tool-query`` in the folder of ``AGENTBOARD_DATA``; its graphs have
      to be converted first (``docs/reproducing.md``), since they are pickles.
    * ``parallel_calls=False``, ``distractors=0``, ``rename=False``, ``faults=0.0``: see
      :class:`aq_gym.tools.env.ToolEnv`.
    * ``render_mode``, ``instructions``, ``list_actions``: see :class:`aq_gym.TextEnv`.

    ## References
    Ma et al., "AgentBoard: An Analytical Evaluation Board of Multi-turn LLM Agents",
    NeurIPS 2024 (datasets and benchmarks): Tool-Query.

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
    shared_attributes = ToolEnv.shared_attributes | {"_asked", "_protocol"}

    def __init__(
        self,
        world: Literal["movies", "weather", "academia", "library"] = "movies",
        difficulty: Literal["any", "easy", "hard"] = "any",
        records: int = 100,
        unanswerable: float = 0.0,
        split: Split = "all",
        protocol: Literal["aq", "agentboard"] = "aq",
        problem: int | None = None,
        data_dir: str | None = None,
        **shared: Unpack[ToolArguments],
    ) -> None:
        self.prompt_example = world
        # Check first: the base class asks the protocol, made below, for its tools.
        given: dict[str, Any] = {
            **{"world": world, "difficulty": difficulty, "records": records},
            **{"unanswerable": unanswerable, "split": split},
        }
        published = {"protocol": protocol, "problem": problem, "data_dir": data_dir}
        check_arguments(ToolQueryEnv.__init__, {**given, **published})
        self._protocol = make_protocol(protocol, problem, data_dir, given)
        super().__init__(**shared)

    def _reset(self, options: Mapping[str, Any]) -> Start:
        task_id, asked = task_of(self._protocol.tasks, options, self.np_random)
        self.begin_tools(task_id)
        self._begin(task_id, asked)
        goal = asked.question.text
        opening = text.opening(goal)
        if self.instructions:
            finish = f"{self.finish_name()}(...)"
            rules = text.instructions(
                self._protocol.about, self.tools, finish, self._parallel
            )
            opening = f"{rules}\n\n{opening}"
        return Start(opening, goal, task_id, asked.difficulty)

    def _begin(self, task_id: str, asked: Asked) -> None:
        self._task_id = task_id
        self._asked = asked
        self.world: Session = self._protocol.begin(asked)

    @property
    def toolbox(self) -> Toolbox:
        """The tools of the world, before they are renamed."""
        return self._protocol.tools

    def task_prompt(self) -> Prompt:
        """Return the prompt; its example is left out where tools are renamed."""
        prompt = self._protocol.prompt(super().task_prompt())
        return prompt._replace(example=None) if self._rename else prompt

    def published_prompt(self) -> PublishedPrompt | None:
        """Return AgentBoard's prompt in its protocol, if the user has it."""
        return self._protocol.published_prompt(self._asked)

    def finish_name(self) -> str:
        """Return the name of the tool that ends the episode."""
        return self._variant.names["finish"]

    def _step(self, action: str) -> Turn:
        turn = super()._step(action)
        self._protocol.after(action, turn.action_valid, self.world)
        if not self.over():
            return turn
        words = f"{turn.observation}{self._protocol.outcome(self.success())}"
        return turn._replace(observation=words, terminated=True)

    def over(self) -> bool:
        """Return whether the question was answered."""
        return self.world.finished

    def subgoals(self) -> dict[str, bool]:
        """Return whether each fact was found, and the answer is right."""
        return self._protocol.subgoals(self._asked, self.world)

    def success(self) -> bool:
        """Return whether the right answer was given."""
        return self._protocol.success(self._asked, self.world)

    def solution(self) -> str:
        """Return the right answer."""
        return str(self._asked.question.answer)

    def extra_info(self) -> dict[str, Any]:
        """Return the counts of calls, and the protocol's own keys."""
        own = self._protocol.extra_info(self._asked, self.world)
        return {**super().extra_info(), **own}

    def secrets(self) -> tuple[str, ...]:
        """Return the task's id, which reveals whether the tools can answer."""
        return (self._task_id,)

    def sample_action(self, rng: np.random.Generator) -> str:
        """Draw a tool, and arguments from the database."""
        own = separate(rng)
        tool, arguments = self._protocol.draw_call(self.world, own)
        return self.write_call(tool, **arguments)

    def expert_action(self) -> str:
        """Return the next call of the question's route, or the answer."""
        tool, arguments = self._protocol.next_call(self._asked, self.world)
        return self.write_call(tool, **arguments)

    def _get_world(self) -> _Progress:
        # Stored as text, which can be compared and hashed.
        answer = json.dumps(self.world.answer) if self.over() else None
        return _Progress(self._task_id, self.world.seen, answer)

    def _set_world(self, world: _Progress) -> None:
        self._begin(world.task_id, self._protocol.tasks.get(world.task_id))
        self.world.seen = world.seen
        if world.answer is not None:
            self.world.answer = json.loads(world.answer)
            self.world.finished = True
