"""Our own protocol of ToolQuery: questions about generated databases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, get_args, get_origin

import numpy as np

from aq_gym.answers import is_same
from aq_gym.envs.toolquery.logic.question import Question, World
from aq_gym.envs.toolquery.logic.session import Database, Session
from aq_gym.envs.toolquery.logic.worlds import DATABASES, WORLDS, database, question
from aq_gym.tools import Parameter
from aq_gym.tools.tasks import TaskName
from aq_gym.tools.world_env import (
    Episode,
    GeneratedProtocol,
    Measure,
    WorldArguments,
)

# A larger database takes many seconds and gigabytes.
_RECORDS = (60, 10_000)
_ABOUT = {
    "movies": "a database of movies, people and production companies",
    "academia": "a database of papers and their authors",
    "library": "a database of a library: books, writers, members, loans and branches",
    "weather": "the weather of invented places, past, present and expected",
}


class Asked(NamedTuple):
    """A task: a question, with the parts of its id.

    Attributes:
        question: The question.
        difficulty: AgentBoard's label, "" for a generated question.
        name: The parts of its id; None for a published question.
        subgoals: Sets of facts; in AgentBoard's protocol, the published results.
    """

    question: Question
    difficulty: str
    name: TaskName | None = None
    subgoals: tuple[Any, ...] = ()

    @property
    def goal(self) -> str:
        """The question as text."""
        return self.question.text


class ToolQueryProtocol(GeneratedProtocol):
    """Questions about generated databases.

    Args:
        given: The arguments of the environment.

    Raises:
        ValueError: If an argument is out of its range, or needs another protocol.
    """

    worlds = WORLDS
    starts = DATABASES
    start_name = "DATABASE"
    # Making a database takes longer than making a question, so each gets many tries.
    tries_per_start = 100
    label = "Question"
    ending = (
        "Give the answer with {finish}(...), which ends the episode; "
        'if the tools cannot answer the question, the answer is "unknown". '
        "Write dates as YYYY-MM-DD, and several values as a list."
    )
    outcomes = "\nThe answer is wrong.", "\nThe answer is right."

    def __init__(self, given: WorldArguments) -> None:
        if given.data_dir is not None or given.problem is not None:
            raise ValueError(
                f"data_dir={given.data_dir!r} and problem={given.problem!r} need "
                "protocol='agentboard'"
            )
        low, high = _RECORDS
        if not low <= given.records <= high:
            raise ValueError(f"records={given.records} must be {low} to {high}")
        world = WORLDS[given.world]
        self.tools = world.tools
        self.about = (
            f"Answer a question with tools that read {_ABOUT[given.world]}. "
            "Nothing in it is real, so only the tools know it."
        )
        templates = [one.name for one in world.templates]
        super().__init__(given, templates, given.records)

    @property
    def _world(self) -> World:
        # Not an attribute, because functions in it cannot be pickled.
        return WORLDS[self._given.world]

    def make(self, name: TaskName) -> Asked | None:
        """Return the question with a name, or None."""
        asked = question(name, self._records)
        return asked and Asked(asked, "", name, asked.subgoals)

    def session(self, task: Asked) -> Session:
        """Return a session in which no fact is found."""
        assert task.name is not None
        data = database(self._given.world, task.name.start, self._records)
        return self._world.session(data, task.question.facts)

    def measure(self, game: Episode) -> Measure:
        """Measure the facts that were found, and the answer."""
        session, right = game.session, game.task.question
        success = session.finished and is_same(session.answer, right.answer, right.kind)
        numbered = enumerate(game.task.subgoals, start=1)
        found = {f"fact {k}": one <= session.seen for k, one in numbered}
        subgoals = {**found, "right answer": success}
        return Measure(sum(subgoals.values()) / len(subgoals), subgoals, success)

    def next_call(self, game: Episode) -> tuple[str, Mapping[str, Any]]:
        """Return the first call that finds a missing fact, or the answer."""
        asked: Question = game.task.question
        for step in asked.route:
            if not game.session.seen.issuperset(step.facts):
                return step.tool, step.arguments
        return "finish", {"answer": asked.answer}

    def draw(
        self, game: Episode, rng: np.random.Generator
    ) -> tuple[str, Mapping[str, Any]]:
        """Draw a tool, and arguments from the database."""
        tools = list(self.tools)
        drawn = tools[int(rng.integers(len(tools)))]
        data: Database = game.session.data
        arguments = {
            one.name: self._argument(data, drawn.name, one, rng)
            for one in drawn.parameters
            if one.required
        }
        return drawn.name, arguments

    def _argument(
        self, data: Database, tool: str, parameter: Parameter, rng: np.random.Generator
    ) -> Any:
        """Draw an argument: one of its choices, the id of a record, or a name."""
        if get_origin(parameter.type) is Literal:
            choices = get_args(parameter.type)
            return choices[int(rng.integers(len(choices)))]
        if draw := self._world.draws.get(parameter.name):
            return draw(data, rng)
        table = parameter.name.removesuffix("_id")
        if table in data:
            return _key(data, table, rng)
        names = self._world.session.names
        searched = tool.removeprefix("search_")
        if searched not in names:
            searched = list(names)[int(rng.integers(len(names)))]
        return data[searched][_key(data, searched, rng)][names[searched]]


def _key(data: Database, table: str, rng: np.random.Generator) -> str:
    keys = data.keys_of(table)
    return keys[int(rng.integers(len(keys)))]
