"""The records of a to-do list, and a generated one."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np

from aq_gym.envs.tooloperation.logic.names import Names

LABELS = ("home", "office", "phone", "errand", "waiting", "urgent")
PLACES = ("the library", "the garage", "the office", "the market", "the studio")
_VERBS = (
    *("Call", "Paint", "Order", "Repair", "Review", "Clean", "Pack", "Sort"),
    *("Print", "Measure", "Return", "Sketch", "Label", "Test"),
)
_TASKS_PER_PROJECT = (4, 9)
_FIRST_DAY = datetime.date(2021, 1, 1).toordinal()
_MOST_MINUTES = 24


class Project(NamedTuple):
    """A project."""

    name: str
    favorite: bool = False


class Section(NamedTuple):
    """A section of a project, which has an id."""

    name: str
    project_id: str


class Task(NamedTuple):
    """A task; ``section_id`` is "" outside sections, ``due_date`` "" without one."""

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
    """The records at the start, by id. It is never changed, and copies share it."""

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


def build(seed: int, records: int, restore: tuple[Callable[..., Any], Any]) -> TodoData:
    """Build the to-do list of a seed."""
    rng = np.random.default_rng([seed, records, 7])
    names = Names(rng)
    today = _FIRST_DAY + names.below(1_000)
    keys = iter(map(str, (1000 + rng.permutation(9 * records))[: 3 * records].tolist()))
    data: dict[str, Record] = {}
    left = records
    while left:
        low, high = _TASKS_PER_PROJECT
        size = low + names.below(high - low + 1)
        # No project ends up with only one or two tasks.
        size = left if left <= high else min(size, left - low)
        left -= size
        project = next(keys)
        data[project] = Project(
            f"{names.word()} {names.pick(('plan', 'club', 'move'))}"
        )
        sections = [next(keys) for _ in range(1 + names.below(2))]
        for key in sections:
            data[key] = Section(names.word(), project)
        for _ in range(size):
            data[next(keys)] = _task(names, project, ["", *sections], today)
    return TodoData(data, datetime.date.fromordinal(today).isoformat(), restore)


def _task(names: Names, project: str, sections: list[str], today: int) -> Task:
    # A third are overdue, and most of the rest due in the next weeks.
    due = datetime.date.fromordinal(today - 10 + names.below(30))
    labels = {names.pick(LABELS) for _ in range(names.below(3))}
    return Task(
        f"{names.pick(_VERBS)} the {names.word()}",
        project,
        names.pick(sections),
        due.isoformat(),
        1 + names.below(4),
        tuple(sorted(labels)),
        5 * (1 + names.below(_MOST_MINUTES)),
        names.pick(PLACES),
    )
