"""Play walks in AgentBoard's to-do list, in a process of its own.

Its code calls Todoist with ``requests``: both are replaced by a service in memory. The
input is ``[[golden results, [[tool, arguments], ...]], ...]`` as JSON, the output the
observation and the reward of each step. Run by ``tool_operation_todo.py``.
"""

from __future__ import annotations

import contextlib
import copy
import io
import json
import os
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
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


def _replace(name: str, **attributes: Any) -> None:
    module = ModuleType(name)
    module.__dict__.update(attributes)
    sys.modules[name] = module


def main() -> None:
    """Play the walks."""
    checkout = Path(sys.argv[1])
    os.environ["PROJECT_PATH"] = str(checkout)
    sys.path.insert(0, str(checkout / "agentboard"))
    _replace("requests", get=get, post=post, delete=delete)
    _replace("dotenv", load_dotenv=lambda: None)
    _replace("utils.logging")
    _replace("utils.logging.agent_logger", AgentLogger=object)
    registry = type("registry", (), {"register_environment": lambda _: lambda c: c})
    _replace("common")
    _replace("common.registry", registry=registry)
    # Only this module, without the package's own list of all environments.
    environment = ModuleType("environment")
    environment.__path__ = [str(checkout / "agentboard" / "environment")]
    sys.modules["environment"] = environment
    code = import_module("environment.todo_env")
    found = []
    for golden, walk in json.load(sys.stdin):
        _PROJECTS.clear()
        _TASKS.clear()
        task = {"goal": "", "ground_truth": None, "ground_truth_subgoals": golden}
        with contextlib.redirect_stdout(io.StringIO()):
            env = code.TodoEnv(task)
        env.todo_toolkits.current_date = "2015-05-31"
        env.todo_toolkits.current_location = "New York"
        for tool, arguments in walk:
            action = f"Action: {tool} with Action Input: {arguments!r}"
            observation, reward, done, _ = env.step(action)
            found.append([observation, reward, done])
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
