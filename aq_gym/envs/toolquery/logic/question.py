"""Questions, the builder with which templates write them, and the type of a world."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from aq_gym.answers import Kind
from aq_gym.envs.toolquery.logic.session import (
    Database,
    Record,
    Session,
    Tables,
    absent,
    fact,
)
from aq_gym.tools import Toolbox
from aq_gym.tools.tasks import TaskBuilder


class Step(NamedTuple):
    """A call of the reference route, with the facts that it has to find.

    Attributes:
        tool: The name of the tool.
        arguments: Its arguments.
        facts: The facts.
        as_one: Whether the facts count as one, such as the days of a period.
        needs: The texts that must be known before the call; None means its arguments.
            For a date that follows from today's date, it is today's date.
    """

    tool: str
    arguments: Mapping[str, Any]
    facts: tuple[str, ...]
    as_one: bool = False
    needs: tuple[str, ...] | None = None


class Question(NamedTuple):
    """A question about a database.

    Attributes:
        text: The question.
        answer: The right answer.
        kind: How answers are compared.
        route: Calls that find all facts that the answer needs.
    """

    text: str
    answer: Any
    kind: Kind
    route: tuple[Step, ...]

    @property
    def facts(self) -> tuple[str, ...]:
        """The needed facts, in the order of the route."""
        return tuple(dict.fromkeys(one for step in self.route for one in step.facts))

    @property
    def subgoals(self) -> tuple[frozenset[str], ...]:
        """The facts in groups; each group counts as one subgoal."""
        groups: list[frozenset[str]] = []
        for step in self.route:
            if step.as_one:
                groups.append(frozenset(step.facts))
            else:
                groups += (frozenset((one,)) for one in step.facts)
        return tuple(dict.fromkeys(groups))


class Template(NamedTuple):
    """A kind of question.

    Attributes:
        name: Its name, a part of task ids.
        ask: Writes a question with a builder.
        options: The possible answers, which are drawn equally often; empty if there are
            too many possible answers.
    """

    name: str
    ask: Callable[[Builder], Question]
    options: tuple[Any, ...] = ()


class Builder(TaskBuilder):
    """Draws records from the database, and notes the calls that find facts about them.

    Args:
        data: The database.
        rng: The generator of the task.
        names: The name of the field that has the records' names, for each table.
        missing: A name that no record has, or "". If given, the question is about this
            name, and the tools cannot answer it.
    """

    def __init__(
        self,
        data: Database,
        rng: np.random.Generator,
        names: Mapping[str, str],
        missing: str = "",
    ) -> None:
        super().__init__(rng)
        self.data = data
        self._names = names
        self._missing = missing
        self._absent: Step | None = None
        self._route: list[Step] = []

    def draw(self, table: str) -> str:
        """Draw a record uniformly, and return its id."""
        key: str = self.pick(self.data.keys_of(table))
        return key

    def search(self, table: str, key: str) -> str:
        """Add the search for a record by its name, and return the name."""
        field = self._names[table]
        name: str = self.data[table][key][field]
        if self._missing and self._absent is None:
            name = self._missing
            facts = (absent(table, name),)
            self._absent = Step(f"search_{table}", {field: name}, facts)
        found = (fact(table, key, "id"),)
        self._route.append(Step(f"search_{table}", {field: name}, found))
        return name

    def find(self, table: str, count: int) -> tuple[list[str], list[str]]:
        """Draw records and add the searches for them; return their ids and names."""
        keys = self.sample(self.data.keys_of(table), count)
        return keys, [self.search(table, key) for key in keys]

    def some_of(self, table: str, field: str) -> tuple[str, list[Any]]:
        """Draw a record with two to four entries in a list, and find them.

        Args:
            table: The table.
            field: The list, which the tool ``get_{table}_{field}`` returns.

        Returns:
            The name of the record, and the entries.
        """
        key = self.draw(table)
        self.require(2 <= len(self.data[table][key][field]) <= 4)
        name = self.search(table, key)
        return name, self.look(f"get_{table}_{field}", table, key, field)[field]

    def look(self, tool: str, table: str, key: str, *fields: str) -> Record:
        """Add a call that returns fields of a record, and return the record.

        Args:
            tool: The tool.
            table: The table.
            key: The id of the record.
            *fields: The fields that the answer needs.
        """
        facts = tuple(fact(table, key, field) for field in fields)
        self.call(tool, {f"{table}_id": key}, facts)
        record: Record = self.data[table][key]
        return record

    def each(self, tool: str, table: str, keys: Sequence[str], field: str) -> list[Any]:
        """Add calls for a field of each of several records; return the values."""
        return [self.look(tool, table, key, field)[field] for key in keys]

    def first(
        self, keys: Sequence[Any], values: Sequence[Any], reverse: bool = False
    ) -> Any:
        """Return the key with the lowest value; reject the draw if there is a tie.

        Args:
            keys: The keys, one for each value.
            values: The values.
            reverse: Whether to take the highest.
        """
        best = max(values) if reverse else min(values)
        self.require(values.count(best) == 1)
        return keys[values.index(best)]

    def call(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        facts: Sequence[str],
        as_one: bool = False,
        needs: tuple[str, ...] | None = None,
    ) -> None:
        """Add a call, unless it is already on the route.

        Args:
            tool: The tool.
            arguments: Its arguments.
            facts: The facts that it has to find.
            as_one: Whether the facts count as one.
            needs: The texts that must be known before the call; None means its
                arguments.
        """
        step = Step(tool, arguments, tuple(facts), as_one, needs)
        if step not in self._route:
            self._route.append(step)

    def question(self, text: str, answer: Any, kind: Kind = "text") -> Question:
        """Return the question with the calls added so far as its route."""
        if self._absent is not None:
            return Question(text, "unknown", "text", (self._absent,))
        return Question(text, answer, kind, tuple(self._route))


def about_one(
    table: str, tool: str, field: str, text: str, kind: Kind = "text"
) -> Callable[[Builder], Question]:
    """Return a template that asks for a field of a record.

    Args:
        table: The table.
        tool: The tool that returns the field.
        field: The field.
        text: The question, with ``{}`` for the name of the record.
        kind: How answers are compared.
    """

    def ask(b: Builder) -> Question:
        (key,), (name,) = b.find(table, 1)
        record = b.look(tool, table, key, field)
        return b.question(text.format(name), record[field], kind)

    return ask


def same_of_two(
    table: str, tool: str, field: str, text: str
) -> Callable[[Builder], Question]:
    """Return a template that asks whether two records have the same field value."""

    def ask(b: Builder) -> Question:
        keys, names = b.find(table, 2)
        one, other = b.each(tool, table, keys, field)
        return b.question(text.format(*names), one == other, "boolean")

    return ask


def shared_by_two(
    table: str, tool: str, field: str, text: str
) -> Callable[[Builder], Question]:
    """Return a template that asks for the common items of two records' lists."""

    def ask(b: Builder) -> Question:
        keys, names = b.find(table, 2)
        one, other = b.each(tool, table, keys, field)
        shared = sorted(set(one) & set(other))
        b.require(shared)
        return b.question(text.format(*names), shared, "set")

    return ask


def best_of_three(
    table: str, tool: str, field: str, text: str, reverse: bool = False
) -> Callable[[Builder], Question]:
    """Return a template that asks which of three records has the lowest value.

    With ``reverse`` it asks for the highest value.
    """

    def ask(b: Builder) -> Question:
        keys, names = b.find(table, 3)
        values = b.each(tool, table, keys, field)
        return b.question(text.format(*names), b.first(names, values, reverse))

    return ask


def best_listed(
    table: str, listed: str, tool: str, field: str, text: str, reverse: bool = False
) -> Callable[[Builder], Question]:
    """Return a template that asks which record in a list has the lowest value.

    Args:
        table: The table of the record with the list.
        listed: The list, such as "books", which has ids of the table "book".
        tool: The tool that returns the value.
        field: The field with the value.
        text: The question, with ``{}`` for the name of the record.
        reverse: Whether to ask for the highest value.
    """
    item = listed.removesuffix("s")

    def ask(b: Builder) -> Question:
        name, keys = b.some_of(table, listed)
        best = b.first(keys, b.each(tool, item, keys, field), reverse)
        return b.question(text.format(name), b.data[item][best]["title"])

    return ask


def total_listed(
    table: str, listed: str, tool: str, field: str, text: str
) -> Callable[[Builder], Question]:
    """Return a template that asks for the sum of the values of a list of records."""

    def ask(b: Builder) -> Question:
        name, keys = b.some_of(table, listed)
        total = sum(b.each(tool, listed.removesuffix("s"), keys, field))
        return b.question(text.format(name), total, "number")

    return ask


class World(NamedTuple):
    """A subject with its database, tools and questions.

    Attributes:
        build: Builds its database from a seed and a size.
        session: The class whose methods are its tools.
        tools: The tools.
        templates: The templates of its questions.
        draws: For parameters that are neither the id nor the name of a record,
            functions that draw an argument, by the name of the parameter.
    """

    build: Callable[[int, int], Tables]
    session: type[Session]
    tools: Toolbox
    templates: tuple[Template, ...]
    draws: Mapping[str, Callable[[Tables, np.random.Generator], Any]] = {}
