"""The world of the tools: the database, the facts found so far, and the answer."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, islice
from typing import Any, ClassVar, Self, TypeAlias

from aq_gym.tools import Parameter, Tool, ToolError

Record: TypeAlias = Mapping[str, Any]
# The records of each table, by id.
Tables: TypeAlias = Mapping[str, Mapping[str, Record]]

_MOST_RESULTS = 10


class _Names:
    """The names of records as one text, because searching it is faster."""

    def __init__(self, records: Mapping[str, Record], field: str) -> None:
        self._keys = tuple(records)
        # Names have no extra whitespace, so they need only casefold, as in ``folded``.
        names = [one[field].casefold() for one in records.values()]
        self._text = "\n".join(names)
        self._starts = [0, *accumulate(len(name) + 1 for name in names)]

    def containing(self, text: str) -> Iterator[str]:
        at = self._text.find(text)
        while at >= 0:
            number = bisect_right(self._starts, at)
            yield self._keys[number - 1]
            at = self._text.find(text, self._starts[number])


class Database(dict[str, Mapping[str, Record]]):
    """The records of each table, by id; never changed.

    Copies share it, and a pickle contains only the arguments to make it again.
    """

    def __init__(self, tables: Tables, restore: tuple[Callable[..., Any], Any]) -> None:
        super().__init__(tables)
        self._restore = restore
        self._names: dict[str, _Names] = {}
        self._keys: dict[str, tuple[str, ...]] = {}

    def keys_of(self, table: str) -> tuple[str, ...]:
        """Return the ids of the records of a table."""
        if table not in self._keys:
            self._keys[table] = tuple(self[table])
        return self._keys[table]

    def containing(self, table: str, field: str, text: str) -> Iterator[str]:
        """Yield the ids of the records whose field contains a text.

        Args:
            table: The table.
            field: The field.
            text: The text, as :func:`folded` returns it.
        """
        if table not in self._names:
            self._names[table] = _Names(self[table], field)
        return self._names[table].containing(text)

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Callable[..., Any], Any]:
        return self._restore


def fact(table: str, key: str, field: str) -> str:
    """Return the name of a fact about a field of a record; "id" stands for its id."""
    return f"{table} {key} {field}"


def folded(text: str) -> str:
    """Return a text in the form for searches: without case and extra whitespace."""
    return " ".join(text.casefold().split())


class Session:
    """A database during one episode. The tools of a world are methods of a subclass.

    Args:
        data: The database; it is never changed.
        needed: The facts that the answer needs.
        seen: The needed facts that a call has returned.

    Attributes:
        answer: The answer that ``finish`` received.
        finished: Whether ``finish`` was called.
    """

    # The name of the field that has the records' names, for each table.
    names: ClassVar[Mapping[str, str]] = {}

    def __init__(
        self,
        data: Database,
        needed: Collection[str] = (),
        seen: Iterable[str] = (),
    ) -> None:
        self.data = data
        self.needed = frozenset(needed)
        self.seen = frozenset(seen)
        self.answer: Any = None
        self.finished = False

    def finish(self, answer: Any) -> str:
        """Give the answer to the question, which ends the episode.

        Args:
            answer: A text, a number, true or false, a date as YYYY-MM-DD, or a list;
                "unknown" if the tools cannot answer the question.
        """
        self.answer = answer
        self.finished = True
        return "The answer was recorded."

    @property
    def stamp(self) -> tuple[frozenset[str], bool]:
        """A value that changes whenever the measure may change."""
        return self.seen, self.finished

    def state(self) -> tuple[frozenset[str], str | None]:
        """Return the facts found, and the answer as text, which can be hashed."""
        return self.seen, json.dumps(self.answer) if self.finished else None

    def restore(self, state: tuple[frozenset[str], str | None]) -> None:
        """Restore what ``state`` returned."""
        self.seen, answer = state
        if answer is not None:
            self.answer = json.loads(answer)
            self.finished = True

    def note(self, facts: Iterable[str]) -> None:
        """Count facts as found."""
        found = self.needed.intersection(facts)
        if found:
            self.seen |= found

    def search(self, table: str, name: str) -> list[dict[str, str]]:
        """Return the ids and names of records whose name contains a text.

        Args:
            table: The table.
            name: The text; case does not matter. An empty text finds nothing.
        """
        field, wanted = self.names[table], folded(name)
        if not wanted:
            return []
        matches = self.data.containing(table, field, wanted)
        found = list(islice(matches, _MOST_RESULTS))
        self.note(fact(table, key, shown) for key in found for shown in ("id", field))
        if not found:
            self.note([absent(table, name)])
        records = self.data[table]
        return [{f"{table}_id": key, field: records[key][field]} for key in found]

    def show(self, table: str, key: str, *fields: str) -> dict[str, Any]:
        """Return fields of a record."""
        record = self.record(table, key)
        self.note(fact(table, key, field) for field in fields)
        return {field: record[field] for field in fields}

    def record(self, table: str, key: str) -> Record:
        """Return a record.

        Args:
            table: The table.
            key: Its id.

        Raises:
            ToolError: If no record has this id.
        """
        found = self.data[table].get(key)
        if found is None:
            raise ToolError(
                f"There is no {table} with the id {key[:60]!r}: searches return ids."
            )
        # Using an id shows that it is known, even if it was found without a search.
        self.note([fact(table, key, "id")])
        return found


def search_tool(table: str, about: str, field: str = "name") -> Tool:
    """Return the tool that searches the records of a table.

    Args:
        table: The table.
        about: What the tool does.
        field: The field that has the records' names.
    """
    given = Parameter(field, str, f"The {field} or a part of it.")
    return Tool(f"search_{table}", about, (given,), partial(_search, table))


def fields_tool(
    name: str, about: str, table: str, fields: str, given: str = "The id."
) -> Tool:
    """Return a tool that returns fields of a record, by their names.

    Args:
        name: The name of the tool.
        about: What it does.
        table: The table.
        fields: The fields, with spaces between them.
        given: The description of the parameter for the record's id.
    """
    parameter = Parameter(f"{table}_id", str, given)
    return Tool(name, about, (parameter,), partial(_show, table, fields.split()))


def field_tool(name: str, about: str, table: str, field: str) -> Tool:
    """Return a tool that returns one field of a record, without its name."""
    parameter = Parameter(f"{table}_id", str, "The id.")
    return Tool(name, about, (parameter,), partial(_show_one, table, field))


# Module-level functions, because tools must be picklable.
def _search(table: str, session: Session, **given: str) -> list[dict[str, str]]:
    return session.search(table, *given.values())


def _show(
    table: str, fields: Sequence[str], session: Session, **given: str
) -> dict[str, Any]:
    return session.show(table, *given.values(), *fields)


def _show_one(table: str, field: str, session: Session, **given: str) -> Any:
    return session.show(table, *given.values(), field)[field]


def absent(table: str, name: str) -> str:
    """Return the name of the fact that no record of a table has a given name."""
    return fact(table, folded(name), "absent")
