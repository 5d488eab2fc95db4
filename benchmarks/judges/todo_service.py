"""Todoist's service, in memory, as AgentBoard's to-do list asks it."""

from __future__ import annotations

import copy
from typing import Any

_PROJECTS: dict[str, dict[str, Any]] = {}
_TASKS: dict[str, dict[str, Any]] = {}
_HIDDEN_OF_PROJECTS = (
    *("comment_count", "is_shared", "is_inbox_project", "is_team_inbox"),
    *("url", "view_style", "parent_id"),
)
_HIDDEN_OF_TASKS = (
    *("assigner_id", "assignee_id", "section_id", "parent_id", "labels"),
    *("comment_count", "creator_id", "created_at", "url"),
)


class _Answer:
    """An answer of the service, with the attributes that the code reads."""

    def __init__(self, found: Any = None, code: int = 200) -> None:
        self.status_code = code if code != 200 or found is not None else 404
        self.text = "error"
        self._found = copy.deepcopy(found)

    def json(self) -> Any:
        return self._found


def get(url: str, headers: Any, params: Any = None) -> _Answer:
    """Answer a request for records."""
    last = url.rsplit("/", 1)[1]
    if last == "projects":
        return _Answer(list(_PROJECTS.values()))
    if last == "tasks":
        of = params["project_id"]
        tasks = [one for one in _TASKS.values() if one["project_id"] == of]
        return _Answer(tasks if of in _PROJECTS else None)
    return _Answer((_PROJECTS if "/projects/" in url else _TASKS).get(last))


def post(url: str, headers: Any, params: Any = None) -> _Answer:
    """Answer a request for a change."""
    *_, before, last = url.split("/")
    if last == "projects":
        order = len(_PROJECTS) + 1
        new = dict.fromkeys(_HIDDEN_OF_PROJECTS) | {
            "id": str(2000 + order), "order": order, "color": "charcoal",
            "name": params["name"], "is_favorite": False,
        }  # fmt: skip
        return _Answer(_PROJECTS.setdefault(str(new["id"]), new))
    if last == "tasks":
        of = params["project_id"]
        order = sum(one["project_id"] == of for one in _TASKS.values()) + 1
        duration = {"amount": params["duration"], "unit": params["duration_unit"]}
        new = dict.fromkeys(_HIDDEN_OF_TASKS) | {
            "id": f"{of}{order:03}", "project_id": of, "order": order,
            "content": params["content"], "description": params["description"],
            "is_completed": False, "priority": params["priority"],
            "due": {"date": params["due_date"]}, "duration": duration,
        }  # fmt: skip
        return _Answer(_TASKS.setdefault(str(new["id"]), new))
    if last == "close":
        return _Answer(code=204 if _TASKS.pop(before, None) else 404)
    if "/projects/" in url and last in _PROJECTS:
        favorite = str(params["is_favorite"]).lower() == "true"
        _PROJECTS[last]["is_favorite"] = favorite
        return _Answer(_PROJECTS[last])
    if last in _TASKS:
        _TASKS[last]["due"] = {"date": params["due_date"]}
    return _Answer(_TASKS.get(last))


def delete(url: str, headers: Any) -> _Answer:
    """Answer a request to delete a record."""
    key = url.rsplit("/", 1)[1]
    gone = _TASKS.pop(key, None) or _PROJECTS.pop(key, None)
    return _Answer(code=204 if gone else 404)


def clear() -> None:
    """Forget all projects and tasks."""
    _PROJECTS.clear()
    _TASKS.clear()
