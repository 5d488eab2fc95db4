"""The ToolQuery environment."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, Unpack

import numpy as np

from aq_gym.answers import is_same
from aq_gym.core import Prompt, Start, Turn
from aq_gym.core.splits import Split, in_split
from aq_gym.core.tasks import GeneratedTasks, task_of
from aq_gym.envs.toolquery import expert, text
from aq_gym.envs.toolquery.actions import draw_call
from aq_gym.envs.toolquery.logic.question import Question
from aq_gym.envs.toolquery.logic.session import Session
from aq_gym.envs.toolquery.logic.worlds import (
    DATABASES,
    WORLDS,
    TaskName,
    database,
    question,
)
from aq_gym.tools import Toolbox
from aq_gym.tools.env import ToolArguments, ToolEnv

# AgentBoard's cutoff: more facts are hard.
_EASY = 4
_NUMBERS = 1_000_000
_RECORDS = (60, 100_000)
_DATABASE_TRIES = 100
_QUESTION_TRIES = 100


class _Progress(NamedTuple):
    """The state of an episode besides that of its tools."""

    task_id: str
    seen: frozenset[str]
    answer: str | None


class ToolQueryEnv(ToolEnv):
    """Answer questions about a database that only tools can read.

    ## Description
    A database is generated from a seed, with invented names, so that no model can know
    what is in it. The question needs two to six facts, which follow from each other:
    a search returns an id, with which other tools return further ids and values. The
    kinds of tools and questions are those of AgentBoard's Tool-Query.

    The expert is privileged: it knows which calls find the facts, and makes them in
    order.

    ## Action Space
    Text: one call of a tool, in any form that :func:`aq_gym.tools.read_calls` reads,
    such as ``search_movie(title="The Silent Harbour at Dawn")`` or ``{"name":
    "search_movie", "arguments": {"title": ...}}``. ``finish(answer=...)`` answers the
    question. ``check valid actions`` (or ``help``) lists the tools at the cost of a
    step. A wrong call is answered with what is wrong, and changes nothing.

    ## Observation Space
    Text: the tools and the question at reset; then the result of a call, as JSON.

    ## Starting State
    A database, a template and a question drawn from ``np_random``; nothing is found.

    ## Rewards
    The increase of the best progress; an episode's return is its final progress rate.
    Progress is the share of the facts that the answer needs, and of the right answer,
    that are there: with n facts each is worth 1 / (n + 1). A fact counts once,
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
    * ``world="movies"``: the world, "movies", "weather", "academia" or
      "library".
    * ``difficulty="any"``: "easy" or "hard" draws questions of one kind only.
    * ``records=100``: the size of the database, 60 to 100,000.
    * ``unanswerable=0.0``: the share of questions about somebody or something that is
      not in the database; the only fact is that it is missing, and the right answer is
      "unknown".
    * ``split="all"``: "train" or "test" draws from one part of the pairs of a database
      and a template.
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

    plain_arguments = frozenset(
        {
            *("world", "difficulty", "records", "unanswerable", "split"),
            *("parallel_calls", "distractors", "rename", "faults"),
        }
    )
    shared_attributes = ToolEnv.shared_attributes | {"_facts", "_question", "_tasks"}

    def __init__(
        self,
        world: Literal["movies", "weather", "academia", "library"] = "movies",
        difficulty: Literal["any", "easy", "hard"] = "any",
        records: int = 100,
        unanswerable: float = 0.0,
        split: Split = "all",
        **shared: Unpack[ToolArguments],
    ) -> None:
        self._world_name = self.prompt_example = world
        super().__init__(**shared)
        if not _RECORDS[0] <= records <= _RECORDS[1]:
            raise ValueError(
                f"records={records} must be {_RECORDS[0]} to {_RECORDS[1]}"
            )
        if not 0.0 <= unanswerable <= 1.0:
            raise ValueError(f"unanswerable={unanswerable} must be 0.0 to 1.0")
        self._difficulty = difficulty
        self._records = records
        self._unanswerable = unanswerable
        self._split = split
        self._tasks = GeneratedTasks(
            self._draw_id,
            self._task,
            f"{world}-DATABASE-TEMPLATE-NUMBER, as info['task_id'] has it",
            split,
            _split_key,
        )
        if self.list_actions:
            self.admissible_actions()

    def _reset(self, options: Mapping[str, Any]) -> Start:
        task_id, (name, asked) = task_of(self._tasks, options, self.np_random)
        self.begin_tools(task_id)
        self._begin(name, asked)
        opening = text.opening(asked.text)
        if self.instructions:
            finish = f"{self.finish_name()}(...)"
            rules = text.instructions(
                self._world_name, self.tools, finish, self._parallel
            )
            opening = f"{rules}\n\n{opening}"
        return Start(opening, asked.text, task_id, _grade(asked))

    def _begin(self, name: TaskName, asked: Question) -> None:
        self._task_id = str(name)
        self._question = asked
        data = database(name.world, name.database, self._records)
        self.world: Session = WORLDS[name.world].session(data, asked.facts)
        self._facts = asked.subgoals

    @property
    def toolbox(self) -> Toolbox:
        """The tools of the world, before they are renamed."""
        return WORLDS[self._world_name].tools

    def task_prompt(self) -> Prompt:
        """Return the prompt; its example is left out where tools are renamed."""
        prompt = super().task_prompt()
        return prompt._replace(example=None) if self._rename else prompt

    def finish_name(self) -> str:
        """Return the name of the tool that ends the episode."""
        return self._variant.names["finish"]

    def _step(self, action: str) -> Turn:
        turn = super()._step(action)
        if not self.over():
            return turn
        words = f"{turn.observation}\n{text.outcome(self.success())}"
        return turn._replace(observation=words)

    def over(self) -> bool:
        """Return whether the question was answered."""
        return self.world.finished

    def subgoals(self) -> dict[str, bool]:
        """Return whether each fact was found, and the answer is right."""
        seen = self.world.seen
        found = {f"fact {k}": one <= seen for k, one in enumerate(self._facts, start=1)}
        return {**found, "right answer": self.success()}

    def success(self) -> bool:
        """Return whether the right answer was given."""
        world, asked = self.world, self._question
        return world.finished and is_same(world.answer, asked.answer, asked.kind)

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
        """Draw a tool, and arguments from the database."""
        # From a stream of its own: a caller's generator with the episode's seed would
        # draw here what it drew at reset.
        own = np.random.default_rng(rng.integers(2**63, size=2))
        tool, arguments = draw_call(WORLDS[self._world_name], self.world.data, own)
        return self.write_call(tool, **arguments)

    def expert_action(self) -> str:
        """Return the next call of the question's route, or the answer."""
        step = expert.next_step(self._question, self.world.seen)
        if step is None:
            return self.write_call("finish", answer=self._question.answer)
        return self.write_call(step.tool, **step.arguments)

    def _get_world(self) -> _Progress:
        # As text: a value that can be compared, and hashed.
        answer = json.dumps(self.world.answer) if self.over() else None
        return _Progress(self._task_id, self.world.seen, answer)

    def _set_world(self, world: _Progress) -> None:
        name, asked = self._tasks.get(world.task_id)
        self._begin(name, asked)
        self.world.seen = world.seen
        if world.answer is not None:
            self.world.finish(json.loads(world.answer))

    def _draw_id(self, rng: np.random.Generator) -> str:
        templates = WORLDS[self._world_name].templates
        for _ in range(_DATABASE_TRIES):
            seed = int(rng.integers(DATABASES))
            for _ in range(_QUESTION_TRIES):
                name = TaskName(
                    self._world_name,
                    seed,
                    templates[int(rng.integers(len(templates)))].name,
                    int(rng.integers(_NUMBERS)),
                    float(rng.random()) >= self._unanswerable,
                )
                # Before the database is made, which takes longer.
                if in_split(_part(name), self._split) and self._task(str(name)):
                    return str(name)
        raise AssertionError("no question was found")

    def _task(self, task_id: str) -> tuple[TaskName, Question] | None:
        """Make a task; return None if there is none, or this env cannot draw it."""
        name = TaskName.parse(task_id)
        if name is None or name.world != self._world_name:
            return None
        if name.answerable and self._unanswerable == 1.0:
            return None
        if not name.answerable and self._unanswerable == 0.0:
            return None
        asked = question(name, self._records)
        if asked is None or self._difficulty not in ("any", _grade(asked)):
            return None
        return name, asked


def _grade(asked: Question) -> str:
    return "easy" if len(asked.subgoals) <= _EASY else "hard"


def _split_key(task: tuple[TaskName, Question]) -> str:
    return _part(task[0])


def _part(name: TaskName) -> str:
    """Return what decides the split: a database and a template."""
    return f"{name.world} {name.database} {name.template}"
