"""The worlds, and the questions that are made from their ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from aq_gym.envs.toolquery.logic import (
    academia_questions,
    library_questions,
    movies_questions,
    weather_questions,
)
from aq_gym.envs.toolquery.logic.names import Names
from aq_gym.envs.toolquery.logic.question import Builder, Question, Step, World
from aq_gym.envs.toolquery.logic.session import Database
from aq_gym.tools import Call
from aq_gym.tools.tasks import RejectedError, TaskName

# The number of databases from which tasks are drawn, for each world and size.
DATABASES = 1_000
_ATTEMPTS = 500


WORLDS: Mapping[str, World] = {
    "movies": movies_questions.WORLD,
    "weather": weather_questions.WORLD,
    "academia": academia_questions.WORLD,
    "library": library_questions.WORLD,
}


@lru_cache(maxsize=16)
def database(world: str, seed: int, records: int) -> Database:
    """Return the database of a seed; environments in one process share it."""
    tables = WORLDS[world].build(seed, records)
    return Database(tables, (database, (world, seed, records)))


@lru_cache(maxsize=1024)
def question(name: TaskName, records: int) -> Question | None:
    """Make the question with a name; return None if there is none."""
    world = WORLDS[name.world]
    templates = {one.name: one for one in world.templates}
    template = templates.get(name.template)
    if template is None:
        return None
    data = database(name.world, name.start, records)
    place = list(templates).index(name.template)
    rng = np.random.default_rng([name.start, place, name.number])
    options = template.options
    target = options[int(rng.integers(len(options)))] if options else None
    missing = "" if name.possible else _missing_name(rng)
    for _ in range(_ATTEMPTS):
        try:
            drawn = template.ask(Builder(data, rng, world.session.names, missing))
        except RejectedError:
            continue
        if name.possible and options and drawn.answer != target:
            continue
        if _is_shortest(world, data, drawn):
            return drawn
    return None


def _missing_name(rng: np.random.Generator) -> str:
    """Return a name of three words, which no record has."""
    names = Names(rng)
    return " ".join(names.word() for _ in range(3))


class _Made(NamedTuple):
    """A call of a route.

    Attributes:
        needs: The texts that must be known before the call.
        facts: The needed facts that the call finds.
        result: The result of the call, as text.
    """

    needs: tuple[str, ...]
    facts: frozenset[str]
    result: str


def _is_shortest(world: World, data: Database, drawn: Question) -> bool:
    """Return whether the route finds all facts, and no call in it can be left out."""
    calls = [_make(world, data, drawn, step) for step in drawn.route]
    needed = frozenset(drawn.facts)
    if _found(drawn.text, calls) != needed:
        return False
    rest = (calls[:k] + calls[k + 1 :] for k in range(len(calls)))
    return all(_found(drawn.text, some) != needed for some in rest)


def _make(world: World, data: Database, drawn: Question, step: Step) -> _Made:
    session = world.session(data, drawn.facts)
    result = world.tools.run(session, Call(step.tool, step.arguments))
    choices = {
        parameter.name
        for parameter in world.tools[step.tool].parameters
        if parameter.type not in (str, int)
    }
    needs = step.needs
    if needs is None:
        given = step.arguments.items()
        needs = tuple(str(value) for name, value in given if name not in choices)
    return _Made(needs, session.seen, result.text if result.valid else "")


def _found(question_text: str, calls: Sequence[_Made]) -> frozenset[str]:
    """Return the facts found by those calls whose needed texts are known."""
    known, seen = question_text, frozenset[str]()
    for call in calls:
        if all(text in known for text in call.needs):
            known += call.result
            seen |= call.facts
    return seen
