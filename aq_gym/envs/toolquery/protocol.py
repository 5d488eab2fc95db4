"""The default protocol; AgentBoard's is in ``agentboard.py``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from aq_gym.answers import is_same
from aq_gym.core import Prompt
from aq_gym.core.prompt import PublishedPrompt
from aq_gym.core.splits import Split, in_split
from aq_gym.core.tasks import GeneratedTasks, TaskSource
from aq_gym.envs.toolquery import expert, text
from aq_gym.envs.toolquery.actions import draw_call
from aq_gym.envs.toolquery.logic.question import Question
from aq_gym.envs.toolquery.logic.session import Session
from aq_gym.envs.toolquery.logic.worlds import (
    DATABASES,
    WORLDS,
    database,
    question,
)
from aq_gym.tools.tasks import TaskName, check_unanswerable

# AgentBoard's cutoff: questions with more facts are hard.
_EASY = 4
# A larger one takes many seconds and gigabytes.
_RECORDS = (60, 10_000)
_NUMBERS = 1_000_000
_DATABASE_TRIES = 100
_QUESTION_TRIES = 100


class Asked(NamedTuple):
    """A task: a question, and how it was made.

    Attributes:
        question: The question.
        difficulty: "easy" or "hard".
        name: The parts of its id; None for a published question.
        goals: The subgoals: sets of facts, or those that were published.
    """

    question: Question
    difficulty: str
    name: TaskName | None = None
    goals: tuple[Any, ...] = ()


class Protocol:
    """The default protocol: generated databases and questions.

    Args:
        world: The world.
        difficulty: "any", "easy" or "hard".
        records: The size of the databases.
        unanswerable: The share of questions that the tools cannot answer.
        split: "all", "train" or "test".

    Raises:
        ValueError: If a number is out of its range.

    Attributes:
        tools: The tools, before they are renamed.
        about: What the tools read, as the agent is told.
        tasks: The tasks.
    """

    tasks: TaskSource[Asked]

    def __init__(
        self,
        world: str,
        difficulty: str,
        records: int,
        unanswerable: float,
        split: Split,
    ) -> None:
        if not _RECORDS[0] <= records <= _RECORDS[1]:
            raise ValueError(
                f"records={records} must be {_RECORDS[0]} to {_RECORDS[1]}"
            )
        check_unanswerable(unanswerable, difficulty)
        self._world = world
        self._difficulty = difficulty
        self._records = records
        self._unanswerable = unanswerable
        self._split = split
        self.tools = WORLDS[world].tools
        self.about = f"{text.ABOUT[world]}. {text.INVENTED}"
        self.tasks = GeneratedTasks(
            self._draw_id,
            self._task,
            f"{world}-DATABASE-TEMPLATE-NUMBER, as info['task_id'] has it",
            split,
            _split_key,
        )

    def prompt(self, packaged: Prompt) -> Prompt:
        """Return the package's prompt for a language model."""
        return packaged

    def published_prompt(self, asked: Asked) -> PublishedPrompt | None:
        """Return the prompt of the paper's agent, None without one."""
        return None

    def begin(self, asked: Asked) -> Session:
        """Return a session in which nothing is found."""
        assert asked.name is not None
        data = database(self._world, asked.name.start, self._records)
        return WORLDS[self._world].session(data, asked.question.facts)

    def subgoals(self, asked: Asked, session: Session) -> dict[str, bool]:
        """Return whether each fact was found, and the answer is right."""
        seen, groups = session.seen, enumerate(asked.goals, start=1)
        found = {f"fact {k}": one <= seen for k, one in groups}
        return {**found, "right answer": self.success(asked, session)}

    def success(self, asked: Asked, session: Session) -> bool:
        """Return whether the right answer was given."""
        right = asked.question
        return session.finished and is_same(session.answer, right.answer, right.kind)

    def after(self, action: str, valid: bool, session: Session) -> None:
        """Complete a step; by default, do nothing."""

    def outcome(self, right: bool) -> str:
        """Return what the agent reads below the result of its last call."""
        return f"\n{text.outcome(right)}"

    def extra_info(self, asked: Asked, session: Session) -> dict[str, Any]:
        """Return the protocol's own keys of info."""
        return {}

    def next_call(
        self, asked: Asked, session: Session
    ) -> tuple[str, Mapping[str, Any]]:
        """Return the expert's next call: a tool and its arguments."""
        step = expert.next_step(asked.question, session.seen)
        if step is None:
            return "finish", {"answer": asked.question.answer}
        return step.tool, step.arguments

    def draw_call(
        self, session: Session, rng: np.random.Generator
    ) -> tuple[str, Mapping[str, Any]]:
        """Draw a tool, and arguments from the database."""
        return draw_call(WORLDS[self._world], session.data, rng)

    def _draw_id(self, rng: np.random.Generator) -> str:
        templates = WORLDS[self._world].templates
        for _ in range(_DATABASE_TRIES):
            seed = int(rng.integers(DATABASES))
            for _ in range(_QUESTION_TRIES):
                name = TaskName(
                    self._world,
                    seed,
                    templates[int(rng.integers(len(templates)))].name,
                    int(rng.integers(_NUMBERS)),
                    float(rng.random()) >= self._unanswerable,
                )
                # Checked before the database is made, which takes longer.
                if in_split(_part(name), self._split) and self._task(str(name)):
                    return str(name)
        raise AssertionError("no question was found")

    def _task(self, task_id: str) -> Asked | None:
        """Make a task; return None if there is none, or this env cannot draw it."""
        name = TaskName.parse(task_id, WORLDS, DATABASES)
        if name is None or name.world != self._world:
            return None
        if name.possible and self._unanswerable == 1.0:
            return None
        if not name.possible and self._unanswerable == 0.0:
            return None
        asked = question(name, self._records)
        if asked is None:
            return None
        goals = asked.subgoals
        grade = "easy" if len(goals) <= _EASY else "hard"
        if self._difficulty not in ("any", grade):
            return None
        return Asked(asked, grade, name, goals)


def _split_key(asked: Asked) -> str:
    return _part(asked.name)


def _part(name: TaskName | None) -> str:
    """Return what decides the split: a database and a template."""
    assert name is not None
    return f"{name.world} {name.start} {name.template}"
