"""The generated to-do list, and the templates of tasks about it."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import numpy as np

from aq_gym.envs.tooloperation.logic.builder import Builder, Template
from aq_gym.envs.tooloperation.logic.names import Names
from aq_gym.envs.tooloperation.logic.todo import (
    Project,
    Record,
    Section,
    Task,
    TodoData,
    TodoSession,
)

LABELS = ("home", "office", "phone", "errand", "waiting", "urgent")
PLACES = ("the library", "the garage", "the office", "the market", "the studio")
_VERBS = (
    *("Call", "Paint", "Order", "Repair", "Review", "Clean", "Pack", "Sort"),
    *("Print", "Measure", "Return", "Sketch", "Label", "Test"),
)
_TASKS_PER_PROJECT = (4, 9)
_FIRST_DAY = datetime.date(2021, 1, 1).toordinal()
_MOST_MINUTES = 24


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
        # Tasks are spread so that no project has only one or two.
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
    # A third of the tasks are overdue, and most others are due in the next weeks.
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


_DAYS = 90


def _complete(b: Builder) -> str:
    name, _, tasks = _project(b)
    task = b.pick(tasks)
    b.call("complete_task", task_id=task["task_id"])
    return f'Complete the task "{task["content"]}" of the project "{name}".'


def _postpone(b: Builder) -> str:
    name, _, tasks = _project(b)
    task, date = b.pick(tasks), _date(b)
    b.require(date != task["due_date"])
    b.call("update_task", task_id=task["task_id"], due_date=date)
    words = f'Set the due date of "{task["content"]}"'
    return f'{words} in the project "{name}" to {date}.'


def _delete(b: Builder) -> str:
    name, _, tasks = _project(b)
    task = b.pick(tasks)
    b.call("delete_task", task_id=task["task_id"])
    return f'Delete the task "{task["content"]}" of the project "{name}".'


def _favorites(b: Builder) -> str:
    names = _some_projects(b, 2 + b.below(2))
    for name in names:
        found = b.look_up(name, "find_projects", name=name)[0]
        b.call("update_project", project_id=found["project_id"], favorite=True)
    listed = " and ".join(f'"{name}"' for name in names)
    return f"Mark the projects {listed} as favorites."


def _overdue(b: Builder) -> str:
    today = b.call("get_current_date")
    name, _, tasks = _project(b)
    late = [one for one in tasks if one["due_date"] < today]
    b.require(1 <= len(late) <= 5)
    tomorrow = _after(today, 1)
    for one in late:
        b.call("update_task", task_id=one["task_id"], due_date=tomorrow)
    return f'Move the due dates of all overdue tasks of "{name}" to tomorrow.'


def _clear(b: Builder) -> str:
    today = b.call("get_current_date")
    name, _, tasks = _project(b)
    late = [one for one in tasks if one["due_date"] < today]
    b.require(1 <= len(late) < len(tasks))
    for one in late:
        b.call("delete_task", task_id=one["task_id"])
    return f'Delete all overdue tasks of the project "{name}".'


def _relabel(b: Builder) -> str:
    name, _, tasks = _project(b)
    priority, label = 1 + b.below(4), _word(b).lower()
    chosen = [one for one in tasks if one["priority"] == priority]
    b.require(chosen)
    for one in chosen:
        labels = [*one["labels"], label]
        b.call("update_task", task_id=one["task_id"], labels=labels)
    words = f'Add the label "{label}" to each task of "{name}"'
    return f"{words} that has priority {priority}."


def _new_task(b: Builder) -> str:
    name, project, _ = _project(b)
    section = b.pick(b.call("get_sections", project_id=project))
    content, date = f"Buy the {_word(b)}", _date(b)
    priority, label = 2 + b.below(3), b.pick(LABELS)
    b.call(
        "add_task",
        project_id=project,
        content=content,
        section_id=section["section_id"],
        due_date=date,
        priority=priority,
        labels=[label],
    )
    return (
        f'Add a task "{content}" to the section "{section["name"]}" of the project '
        f'"{name}", due on {date}, with priority {priority} and the label "{label}".'
    )


def _new_section(b: Builder) -> str:
    name, project, tasks = _project(b)
    label, title = b.pick(LABELS), _word(b)
    chosen = [one for one in tasks if label in one["labels"]]
    b.require(chosen)
    section = b.call("add_section", project_id=project, name=title)["section_id"]
    for one in chosen:
        b.call("update_task", task_id=one["task_id"], section_id=section)
    return (
        f'Add a section "{title}" to the project "{name}", and move all its tasks '
        f'with the label "{label}" to this section.'
    )


def _move(b: Builder) -> str:
    name, project, tasks = _project(b)
    task, other = b.pick(tasks), _some_projects(b, 1)[0]
    found = b.call("find_projects", name=other)[0]
    b.require(found["project_id"] != project)
    new = found["project_id"]
    b.call("update_task", task_id=task["task_id"], project_id=new)
    words = f'Move the task "{task["content"]}" from the project "{name}"'
    return f'{words} to the project "{other}".'


def _longest(b: Builder) -> str:
    name, _, tasks = _project(b)
    minutes = {one["task_id"]: _details(b, one)["minutes"] for one in tasks}
    most = max(minutes.values())
    longest = [key for key, value in minutes.items() if value == most]
    b.require(len(longest) == 1)
    b.call("complete_task", task_id=longest[0])
    return f'Complete the task of the project "{name}" that takes the most minutes.'


def _place(b: Builder) -> str:
    name, _, tasks = _project(b)
    place = b.pick(PLACES)
    chosen = [one for one in tasks if _details(b, one)["place"] == place]
    b.require(1 <= len(chosen) < len(tasks))
    for one in chosen:
        b.call("update_task", task_id=one["task_id"], priority=4)
    b.require(any(one["priority"] != 4 for one in chosen))
    return f'Give priority 4 to the tasks of "{name}" that take place at {place}.'


def _new_project(b: Builder) -> str:
    title = f"{_word(b)} trip"
    names = [f"{verb} the {_word(b)}" for verb in ("Find", "Book", "Check")]
    project = b.call("add_project", name=title)["project_id"]
    section = b.call("add_section", project_id=project, name="Before")["section_id"]
    date, inside = _date(b), b.below(3)
    for k, content in enumerate(names):
        place = {"section_id": section} if k == inside else {}
        b.call("add_task", project_id=project, content=content, due_date=date, **place)
    listed = ", ".join(f'"{one}"' for one in names)
    return (
        f'Add a project "{title}" with a section "Before" and the tasks {listed}, all '
        f'due on {date}. Only "{names[inside]}" is in the section.'
    )


def _soon(b: Builder) -> str:
    today = b.call("get_current_date")
    name, _, tasks = _project(b)
    last = _after(today, 7)
    chosen = [one for one in tasks if today <= one["due_date"] <= last]
    b.require(any(one["priority"] != 4 for one in chosen))
    for one in chosen:
        if one["priority"] != 4:
            b.call("update_task", task_id=one["task_id"], priority=4)
    return (
        f'Give priority 4 to all tasks of "{name}" that are due from today to '
        "7 days from today."
    )


def _rename(b: Builder) -> str:
    name, project, tasks = _project(b)
    task, title, content = b.pick(tasks), f"{_word(b)} plan", f"Sell the {_word(b)}"
    b.call("update_project", project_id=project, name=title)
    b.call("update_task", task_id=task["task_id"], content=content)
    return (
        f'Rename the project "{name}" to "{title}", and its task "{task["content"]}" '
        f'to "{content}".'
    )


def _project(b: Builder) -> tuple[str, str, list[dict[str, Any]]]:
    """Look up a project; return its name, its id and its tasks."""
    name = _some_projects(b, 1)[0]
    found = b.look_up(name, "find_projects", name=name)
    project = found[0]["project_id"]
    return name, project, b.call("get_tasks", project_id=project)


def _some_projects(b: Builder, count: int) -> list[str]:
    session: TodoSession = b.session  # type: ignore[assignment]
    keys = b.sample(session.data.projects, count)
    return [session.data.records[key][0] for key in keys]


def _details(b: Builder, task: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = b.call("get_task_details", task_id=task["task_id"])
    return found


def _word(b: Builder) -> str:
    return Names(b.rng).word()


def _date(b: Builder) -> str:
    session: TodoSession = b.session  # type: ignore[assignment]
    return _after(session.data.today, 1 + b.below(_DAYS))


def _after(date: str, days: int) -> str:
    moved = datetime.date.fromisoformat(date) + datetime.timedelta(days)
    return moved.isoformat()


TEMPLATES = (
    Template("complete", _complete),
    Template("postpone", _postpone),
    Template("delete", _delete),
    Template("favorites", _favorites),
    Template("overdue-tomorrow", _overdue),
    Template("clear-overdue", _clear),
    Template("relabel", _relabel),
    Template("new-task", _new_task),
    Template("new-section", _new_section),
    Template("move", _move),
    Template("longest", _longest),
    Template("place", _place),
    Template("new-project", _new_project),
    Template("soon", _soon),
    Template("rename", _rename),
)
