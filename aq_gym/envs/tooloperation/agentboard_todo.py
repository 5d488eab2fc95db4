"""AgentBoard's to-do list: its tools, with the answers of Todoist."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from aq_gym.envs.tooloperation.logic.session import Changes, Session
from aq_gym.tools import Toolbox, ToolError

_FIRST_ID = 2_000


class Todo(NamedTuple):
    """The list at the start, and the results of the tools about the user.

    Attributes:
        projects: The projects with their tasks, in the form of ``projects.json``.
        date: The current date.
        place: The current city.
    """

    projects: Sequence[Mapping[str, Any]]
    date: str
    place: str


class BoardTodo(Session):
    """The to-do list; each public method before ``status`` is a tool.

    Args:
        todo: The list at the start.

    Attributes:
        results: The results of the valid calls, without ids, as JSON.
    """

    def __init__(self, todo: Todo) -> None:
        super().__init__()
        self._todo = todo
        self._projects: dict[str, dict[str, Any]] = {}
        self._tasks: dict[str, dict[str, Any]] = {}
        self._extra: dict[str, Mapping[str, Any]] = {}
        self.results: tuple[str, ...] = ()
        for order, project in enumerate(todo.projects, start=1):
            key = str(_FIRST_ID + order)
            self._projects[key] = _project(key, order, project)
            for place, task in enumerate(project["tasks"], start=1):
                own = f"{key}{place:03}"
                self._tasks[own] = _task(own, place, task)
                self._extra[own] = task

    def get_user_current_date(self) -> str:
        """Get the current date."""
        return self._say(self._todo.date)

    def get_user_current_location(self) -> str:
        """Get the current city."""
        return self._say(self._todo.place)

    def get_projects(self) -> str:
        """Get all projects."""
        return self._say(list(self._projects.values()))

    def update_project(self, project_id: str | int, is_favorite: bool | str) -> str:
        """Change whether a project is a favorite.

        Args:
            project_id: The id of the project.
            is_favorite: "True" or "False".
        """
        key = self._key(project_id, self._projects, "project")
        favorite = str(is_favorite).strip().lower() == "true"
        self._projects[key] = {**self._projects[key], "is_favorite": favorite}
        return self._say({"project": self._projects[key]})

    def get_tasks(self, project_id: str | int) -> str:
        """Get the tasks of a project.

        Args:
            project_id: The id of the project.
        """
        key = self._key(project_id, self._projects, "project")
        return self._say(self._of(key))

    def get_task_description(self, task_id: str | int) -> str:
        """Get the description of a task.

        Args:
            task_id: The id of the task.
        """
        return self._say(self._about(task_id, "description"))

    def get_task_duration(self, task_id: str | int) -> str:
        """Get the duration of a task.

        Args:
            task_id: The id of the task.
        """
        return self._say(self._about(task_id, "duration"))

    def complete_task(self, task_id: str | int) -> str:
        """Mark a task as completed.

        Args:
            task_id: The id of the task.
        """
        task = self._tasks.pop(self._key(task_id, self._tasks, "task"))
        shown = {k: value for k, value in task.items() if k != "is_completed"}
        return self._say({"task": shown})

    def update_task(self, task_id: str | int, due_date: str) -> str:
        """Change the due date of a task.

        Args:
            task_id: The id of the task.
            due_date: The date, as YYYY-MM-DD.
        """
        key = self._key(task_id, self._tasks, "task")
        self._tasks[key] = {**self._tasks[key], "due_date": due_date}
        return self._say({"task": self._tasks[key]})

    def delete_task(self, task_id: str | int) -> str:
        """Delete a task.

        Args:
            task_id: The id of the task.
        """
        task = self._tasks.pop(self._key(task_id, self._tasks, "task"))
        return self._say({"task": task})

    def check_valid_actions(self) -> str:
        """List the tools."""
        return repr([one.name for one in TODO_TOOLS])

    def finish(self, answer: Any) -> str:
        """Give the answer, or "done", which ends the episode.

        Args:
            answer: The answer.
        """
        if isinstance(answer, list):
            answer = sorted(answer, key=lambda one: (str(type(one)), str(one)))
        self.answer = "done"
        return self._say(answer)

    @property
    def project_ids(self) -> list[str]:
        """The ids of the projects."""
        return list(self._projects)

    @property
    def task_ids(self) -> list[str]:
        """The ids of the tasks."""
        return list(self._tasks)

    def status(self) -> dict[str, Any]:
        """Return the projects and tasks, without ids."""
        tasks = [task for key in self._projects for task in self._of(key)]
        return {
            "projects": [_without_ids(one) for one in self._projects.values()],
            "tasks": [_without_ids(one) for one in tasks],
        }

    def changes(self) -> Changes:
        """Return the projects and tasks."""
        return {("status",): json.dumps(self.status(), sort_keys=True)}

    def _contents(self) -> Any:
        """Return the projects, the tasks and the results as text."""
        return json.dumps([self._projects, self._tasks]), self.results

    def _replace(self, contents: Any) -> None:
        (self._projects, self._tasks), self.results = (
            json.loads(contents[0]),
            contents[1],
        )

    def _of(self, project: str) -> list[dict[str, Any]]:
        return [task for key, task in self._tasks.items() if key[:-3] == project]

    def _about(self, task_id: str | int, field: str) -> dict[str, Any]:
        key = self._key(task_id, self._tasks, "task")
        extra = self._extra[key]
        value = extra[field]
        if field == "duration":
            value = f"{value}({extra['duration_unit']})"
        return {"id": key, "content": self._tasks[key]["content"], field: value}

    def _key(self, given: str | int, known: Mapping[str, Any], kind: str) -> str:
        if str(given) not in known:
            raise ToolError(f"There is no {kind} with the id {str(given)[:60]!r}.")
        return str(given)

    def _say(self, result: Any) -> str:
        """Return a result as Python writes it, and record it for the reward."""
        self.results += (_canonical(result),)
        self.version += 1
        return result if isinstance(result, str) else repr(result)


def _canonical(result: Any) -> str:
    return json.dumps(_without_ids(result), sort_keys=True)


def canonical_subgoal(subgoal: Any) -> str:
    """Return a golden result in the form for comparisons.

    Args:
        subgoal: The result, without ids; its "message" is ignored.
    """
    if isinstance(subgoal, dict):
        subgoal = {key: value for key, value in subgoal.items() if key != "message"}
    return _canonical(subgoal)


def _without_ids(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_ids(one) for one in value]
    if isinstance(value, dict):
        return {k: _without_ids(one) for k, one in value.items() if k != "id"}
    return value


def _project(key: str, order: int, project: Mapping[str, Any]) -> dict[str, Any]:
    # Todoist's default colour of projects.
    shown = {"id": key, "order": order, "color": "charcoal", "name": project["name"]}
    return {**shown, "is_favorite": bool(project.get("is_favorite", False))}


def _task(key: str, order: int, task: Mapping[str, Any]) -> dict[str, Any]:
    shown = {"id": key, "order": order, "content": task["content"]}
    rest = {"priority": task["priority"], "due_date": task["due_date"]}
    return {**shown, "is_completed": False, **rest}


_NAMES = (
    *("get_user_current_date", "get_user_current_location", "get_projects"),
    *("update_project", "get_tasks", "get_task_description", "get_task_duration"),
    *("complete_task", "update_task", "delete_task", "check_valid_actions", "finish"),
)
_FUNCTIONS: list[Callable[..., Any]] = [getattr(BoardTodo, name) for name in _NAMES]
TODO_TOOLS = Toolbox(_FUNCTIONS)
