"""A to-do list: its records, and the tools that change it."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple, Self, TypeAlias, TypeVar

from aq_gym.envs.tooloperation.logic.session import (
    Changes,
    ToolCall,
    Trial,
    WorldSession,
)
from aq_gym.tools import Toolbox, ToolError


class Project(NamedTuple):
    """A project of the list."""

    name: str
    favorite: bool = False


class Section(NamedTuple):
    """A section, with the id of its project."""

    name: str
    project_id: str


class Task(NamedTuple):
    """A task; ``section_id`` and ``due_date`` are "" if it has none."""

    content: str
    project_id: str
    section_id: str = ""
    due_date: str = ""
    priority: int = 1
    labels: tuple[str, ...] = ()
    minutes: int = 0
    place: str = ""
    completed: bool = False


Record: TypeAlias = Project | Section | Task


class TodoData:
    """The records at the start, by id; never changed, and shared by copies."""

    def __init__(
        self,
        records: Mapping[str, Record],
        today: str,
        restore: tuple[Callable[..., Any], Any],
    ) -> None:
        self.records = records
        self.today = today
        self.next_id = max(map(int, records), default=0) + 1
        self.projects = [k for k, one in records.items() if isinstance(one, Project)]
        self.children: dict[str, list[str]] = {key: [] for key in self.projects}
        for key, one in records.items():
            if not isinstance(one, Project):
                self.children[one.project_id].append(key)
        self._restore = restore

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Callable[..., Any], Any]:
        return self._restore


_MOST_FOUND = 20
_MOST_CHARACTERS = 200
_MOST_LABELS = 20
_MOST_CREATED = 1_000
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)

R = TypeVar("R", bound=Record)


class TodoSession(WorldSession):
    """A to-do list; each public method except the base class's is a tool.

    Args:
        data: The list at the start, which is never changed.
    """

    def __init__(self, data: TodoData) -> None:
        super().__init__()
        self.data = data
        # The changed records; None for a deleted record.
        self.changed: dict[str, Record | None] = {}
        self._next_id = data.next_id

    def get_current_date(self) -> str:
        """Get the current date, as YYYY-MM-DD."""
        return self.data.today

    def find_projects(self, name: str = "") -> list[dict[str, Any]]:
        """Find the first 20 projects whose name contains a text.

        Args:
            name: The name or a part of it; case does not matter.
        """
        wanted = name.casefold().strip()
        found = []
        for key in self._keys(self.data.projects):
            record = self._get(key)
            if isinstance(record, Project) and wanted in record.name.casefold():
                found.append({"project_id": key, **record._asdict()})
                if len(found) == _MOST_FOUND:
                    break
        return found

    def add_project(self, name: str) -> dict[str, str]:
        """Add a project.

        Args:
            name: Its name.
        """
        return {"project_id": self._add(Project(_text("name", name)))}

    def update_project(
        self, project_id: str, name: str | None = None, favorite: bool | None = None
    ) -> str:
        """Change the name of a project, or whether it is a favorite.

        Args:
            project_id: The id, as find_projects returns it.
            name: The new name, null to keep it.
            favorite: Whether it is a favorite, null to keep that.
        """
        project = self._record(project_id, Project)
        if name is not None:
            project = project._replace(name=_text("name", name))
        if favorite is not None:
            project = project._replace(favorite=favorite)
        return self._put(project_id, project)

    def get_sections(self, project_id: str) -> list[dict[str, str]]:
        """Get the sections of a project.

        Args:
            project_id: The id of the project.
        """
        found = self._children(project_id, Section)
        return [{"section_id": key, "name": one.name} for key, one in found]

    def add_section(self, project_id: str, name: str) -> dict[str, str]:
        """Add a section to a project.

        Args:
            project_id: The id of the project.
            name: The name of the section.
        """
        self._record(project_id, Project)
        return {"section_id": self._add(Section(_text("name", name), project_id))}

    def get_tasks(self, project_id: str) -> list[dict[str, Any]]:
        """Get the tasks of a project that are not completed.

        Priorities are from 1 (normal) to 4 (urgent).

        Args:
            project_id: The id of the project.
        """
        shown = ("content", "section_id", "due_date", "priority", "labels")
        return [
            {"task_id": key} | {field: getattr(task, field) for field in shown}
            for key, task in self._children(project_id, Task)
            if not task.completed
        ]

    def get_task_details(self, task_id: str) -> dict[str, Any]:
        """Get everything about a task, also its duration in minutes and its place.

        Args:
            task_id: The id, as get_tasks returns it.
        """
        return self._record(task_id, Task)._asdict()

    def add_task(
        self,
        project_id: str,
        content: str,
        section_id: str = "",
        due_date: str = "",
        priority: int = 1,
        labels: list[str] | None = None,
    ) -> dict[str, str]:
        """Add a task to a project.

        Args:
            project_id: The id of the project.
            content: What is to be done.
            section_id: The id of one of its sections, "" for none.
            due_date: A date as YYYY-MM-DD, "" for none.
            priority: 1 (normal) to 4 (urgent).
            labels: Its labels, null for none.
        """
        task = self._checked(project_id, section_id, due_date, priority, labels or [])
        return {"task_id": self._add(task._replace(content=_text("content", content)))}

    def update_task(
        self,
        task_id: str,
        content: str | None = None,
        project_id: str | None = None,
        section_id: str | None = None,
        due_date: str | None = None,
        priority: int | None = None,
        labels: list[str] | None = None,
    ) -> str:
        """Change a task. What is null stays as it is.

        Args:
            task_id: The id of the task.
            content: What is to be done.
            project_id: The id of the project to move it to, outside its sections.
            section_id: The id of a section of its project, "" for none.
            due_date: A date as YYYY-MM-DD, "" for none.
            priority: 1 (normal) to 4 (urgent).
            labels: All its labels.
        """
        task = self._record(task_id, Task)
        moved = project_id not in (None, task.project_id)
        kept = "" if moved else task.section_id
        new = self._checked(
            task.project_id if project_id is None else project_id,
            kept if section_id is None else section_id,
            task.due_date if due_date is None else due_date,
            task.priority if priority is None else priority,
            list(task.labels) if labels is None else labels,
        )
        words = task.content if content is None else _text("content", content)
        rest = {k: getattr(task, k) for k in ("minutes", "place", "completed")}
        return self._put(task_id, new._replace(content=words, **rest))

    def complete_task(self, task_id: str) -> str:
        """Mark a task as completed.

        Args:
            task_id: The id of the task.
        """
        task = self._record(task_id, Task)
        return self._put(task_id, task._replace(completed=True))

    def delete_task(self, task_id: str) -> str:
        """Delete a task. It cannot be restored.

        Args:
            task_id: The id of the task.
        """
        self._record(task_id, Task)
        self.changed[task_id] = None
        self.version += 1
        return "Deleted."

    def changes(self) -> Changes:
        """Return the differences from the start; new records are identified by name."""
        found: dict[Any, Any] = {}
        alike: Counter[Any] = Counter()
        for key, record in self.changed.items():
            before = self.data.records.get(key)
            if record is None:
                if before is not None:
                    found[key, "deleted"] = True
            elif before is None:
                self._describe(record, found, alike)
            else:
                found |= {
                    (key, field): self._name(value) if field in _IDS else value
                    for field, value in record._asdict().items()
                    if value != getattr(before, field)
                }
        return found

    def repairs(self, wanted: Self) -> list[ToolCall] | None:
        """Return calls that make this list equal to another one.

        Added tasks can be deleted. There is no tool that deletes a project or a
        section, restores a deleted task, or opens a completed one.
        """
        made = Trial(self)
        spare: dict[Any, list[str]] = {}
        for key in self._added():
            spare.setdefault(self._name_of(self._get(key)), []).append(key)
        # The ids of the other list's records in this one.
        ids = {key: key for key in sorted({*self.changed, *wanted.changed}, key=int)}
        ids = {"": ""} | {key: key for key in ids if key in self.data.records}
        for key in wanted._added():
            new = _with_ids(wanted._get(key), ids)
            same = spare.get(wanted._name_of(wanted._get(key)))
            ids[key] = same.pop(0) if same else _create(made, new)
        for key in chain.from_iterable(spare.values()):
            if not isinstance(self._get(key), Task):
                return None
            made.call("delete_task", task_id=key)
        for other, key in list(ids.items())[1:]:
            now, end = made.session._get(key), _with_ids(wanted._get(other), ids)
            if now != end and not _update(made, key, now, end):
                return None
        return made.calls

    def _added(self) -> Iterator[str]:
        """Yield the ids of the added records."""
        return (key for key in self._keys([]) if self._get(key) is not None)

    def _contents(self) -> tuple[int, frozenset[tuple[str, Record | None]]]:
        """Return the changed records, and the next id."""
        return self._next_id, frozenset(self.changed.items())

    def _replace(self, contents: Any) -> None:
        self._next_id, changed = contents
        self.changed = dict(changed)

    def _describe(
        self, record: Record, found: dict[Any, Any], alike: Counter[Any]
    ) -> None:
        """Add the changes for a new record: its existence, each non-default field."""
        name = self._name_of(record)
        alike[name] += 1
        count = alike[name]
        found[name, count, "new"] = True
        defaults = record._field_defaults
        for field, value in record._asdict().items():
            if field in defaults and value != defaults[field]:
                value = self._name(value) if field in _IDS else value
                found[name, count, field] = value

    def _name_of(self, record: Record) -> tuple[str, ...] | tuple[Any, ...]:
        if isinstance(record, Project):
            return "project", record.name
        kind = "task" if isinstance(record, Task) else "section"
        return kind, record[0], self._name(record.project_id)

    def _name(self, key: str) -> Any:
        """Return the id of a record from the start, or the name of a new record."""
        record = self._get(key)
        known = key in self.data.records or record is None
        return key if known else self._name_of(record)

    def _get(self, key: str) -> Any:
        if key in self.changed:
            return self.changed[key]
        return self.data.records.get(key)

    def _record(self, key: str, kind: type[R]) -> R:
        record = self._get(key)
        if not isinstance(record, kind):
            name = kind.__name__.lower()
            finder = {"project": "find_projects", "section": "get_sections"}
            raise ToolError(
                f"There is no {name} with the id {key[:60]!r}: "
                f"{finder.get(name, 'get_tasks')} returns ids."
            )
        return record

    def _keys(self, start: list[str]) -> Iterator[str]:
        """Yield the ids of the initial records, then of the added ones."""
        yield from start
        yield from map(str, range(self.data.next_id, self._next_id))

    def _children(self, project_id: str, kind: type[R]) -> Iterator[tuple[str, R]]:
        self._record(project_id, Project)
        listed = self.data.children.get(project_id, [])
        # All tasks are searched, because one may have been moved here from another
        # project.
        others = sorted(self.changed.keys() - listed, key=int)
        for key in [*listed, *others]:
            record = self._get(key)
            if isinstance(record, kind) and record[1] == project_id:
                yield key, record

    def _checked(
        self,
        project_id: str,
        section_id: str,
        due_date: str,
        priority: int,
        labels: list[str],
    ) -> Task:
        """Return a task with these fields, after checking them."""
        self._record(project_id, Project)
        if section_id:
            section = self._record(section_id, Section)
            if section.project_id != project_id:
                raise ToolError(f"The section {section_id} is in another project.")
        if due_date and not _is_date(due_date):
            raise ToolError(f"due_date={due_date[:60]!r} must be a date as YYYY-MM-DD.")
        if not 1 <= priority <= 4:
            raise ToolError("priority must be from 1 (normal) to 4 (urgent).")
        if len(labels) > _MOST_LABELS:
            raise ToolError(f"A task has at most {_MOST_LABELS} labels.")
        kept = tuple(sorted({_text("labels", one) for one in labels}))
        return Task("", project_id, section_id, due_date, priority, kept)

    def _add(self, record: Record) -> str:
        if self._next_id - self.data.next_id >= _MOST_CREATED:
            raise ToolError(f"At most {_MOST_CREATED} records can be added.")
        key = str(self._next_id)
        self._next_id += 1
        self._put(key, record)
        return key

    def _put(self, key: str, record: Record) -> str:
        self.changed[key] = record
        if record == self.data.records.get(key):
            del self.changed[key]
        self.version += 1
        return "Updated."


_IDS = frozenset({"project_id", "section_id"})


def _with_ids(record: Any, ids: Mapping[str, str]) -> Any:
    """Return a record with the ids of another list."""
    fields = _IDS.intersection(getattr(record, "_fields", ()))
    return record and record._replace(
        **{one: ids.get(getattr(record, one), getattr(record, one)) for one in fields}
    )


def _create(made: Trial, record: Record) -> str:
    """Add a record, and return its id."""
    kind = type(record).__name__.lower()
    given = record._asdict()
    for field in ("favorite", "minutes", "place", "completed"):
        given.pop(field, None)
    if isinstance(record, Task):
        given["labels"] = [*record.labels]
    added: str = made.call(f"add_{kind}", **given)[f"{kind}_id"]
    return added


def _update(made: Trial, key: str, now: Record | None, end: Record | None) -> bool:
    """Change a record; return False if no tool can."""
    if isinstance(now, Task) and end is None:
        made.call("delete_task", task_id=key)
        return True
    if now is None or end is None or isinstance(now, Section):
        return False
    changed = {k: v for k, v in end._asdict().items() if v != getattr(now, k)}
    if isinstance(now, Project):
        made.call("update_project", project_id=key, **changed)
        return True
    if not changed.pop("completed", True):
        return False
    if end[-1] and not now.completed:
        made.call("complete_task", task_id=key)
    # Moving a task to another project takes it out of its section.
    if "project_id" in changed and isinstance(end, Task):
        changed["section_id"] = end.section_id
    if "labels" in changed:
        changed["labels"] = [*changed["labels"]]
    if changed:
        made.call("update_task", task_id=key, **changed)
    return True


def _text(name: str, value: str) -> str:
    stripped = value.strip()
    if not 1 <= len(stripped) <= _MOST_CHARACTERS:
        raise ToolError(f"{name} must have 1 to {_MOST_CHARACTERS} characters.")
    return stripped


def _is_date(text: str) -> bool:
    if not _DATE.fullmatch(text):
        return False
    try:
        datetime.date.fromisoformat(text)
    except ValueError:
        return False
    return True


TOOLS = Toolbox.of(TodoSession)
