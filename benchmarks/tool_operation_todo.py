"""Is ToolOperation's to-do list with ``protocol="agentboard"`` AgentBoard's?

AgentBoard's code plays the same random calls in a process of its own, with a service
in memory in place of Todoist (``tool_operation_server.py``). Counts the steps at which
the result, the reward or the end differ; results are compared without "message", and
of calls that fail only the reward and the end.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import subprocess
import sys
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from aq_gym.envs.tooloperation.agentboard import AgentBoardProtocol, BoardTask
from aq_gym.envs.tooloperation.agentboard_todo import (
    TODO_TOOLS,
    BoardTodo,
    Todo,
    canonical_subgoal,
)
from aq_gym.tools import Call
from aq_gym.tools.env import Calls
from aq_gym.tools.world_env import Episode

Walk: TypeAlias = list[tuple[str, dict[str, Any]]]
FAVORITES = ("True", "False")


def drawn(rng: random.Random, count: int) -> Walk:
    """Draw calls, some of records that do not exist."""
    walk: Walk = []
    for _ in range(count):
        project = {"project_id": rng.choice(("2001", "2002", "2009"))}
        task = {"task_id": f"{project['project_id']}00{rng.randint(1, 4)}"}
        calls: Walk = [
            ("get_projects", {}),
            ("get_user_current_date", {}),
            ("get_user_current_location", {}),
            ("get_tasks", project),
            (
                "update_project",
                {**project, "is_favorite": rng.choice(("True", "False"))},
            ),
            ("update_task", {**task, "due_date": f"2015-07-0{rng.randint(1, 9)}"}),
            *((name, task) for name in ("get_task_description", "get_task_duration")),
            *((name, task) for name in ("complete_task", "delete_task")),
        ]
        walk.append(rng.choice(calls))
    return walk


def golden(todo: Todo, walk: Walk, theirs: list[Any]) -> list[Any]:
    """Return AgentBoard's results of the calls that do not fail, without ids."""
    session, found = BoardTodo(todo), []
    for (tool, arguments), (observation, *_) in zip(walk, theirs, strict=True):
        if TODO_TOOLS.run(session, Call(tool, arguments)).valid:
            found.append(without_ids(_value(observation)))
    return found or ["New York"]


def without_ids(value: Any) -> Any:
    """Return a result without the ids in it."""
    if isinstance(value, list):
        return [without_ids(one) for one in value]
    if isinstance(value, dict):
        return {key: without_ids(one) for key, one in value.items() if key != "id"}
    return value


def compared(
    todo: Todo, goals: list[Any], walk: Walk, theirs: list[Any]
) -> Counter[str]:
    """Play a walk here, and count the differences."""
    text = tuple(map(canonical_subgoal, goals))
    task = BoardTask("", todo, "", text, "", False, "easy")
    session, different = BoardTodo(todo), Counter[str](steps=len(walk))
    protocol = object.__new__(AgentBoardProtocol)
    game = Episode("", task, session)
    for (tool, arguments), (observation, reward, done) in zip(
        walk, theirs, strict=True
    ):
        result = TODO_TOOLS.run(session, Call(tool, arguments))
        call = Call(tool, arguments)
        action = Calls(f"{tool} {arguments}", (call,))
        protocol.after(game, action, result.valid, TODO_TOOLS)
        different["reward"] += abs(session.best - reward) > 1e-9
        different["end"] += bool(session.answer) != done
        if result.valid:
            different["result"] += _read(result.text) != _read(observation)
    return different


def _read(text: str) -> Any:
    value = _value(text)
    if isinstance(value, dict):
        value.pop("message", None)
    return value


def _value(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def judged(options: argparse.Namespace, games: list[Any]) -> list[list[Any]]:
    """Play walks in AgentBoard's code; return the steps of each."""
    server = Path(__file__).with_name("tool_operation_server.py")
    done = subprocess.run(
        [options.python, str(server), str(options.agentboard)],
        input=json.dumps(games),
        capture_output=True,
        text=True,
        check=True,
    )
    steps = iter(json.loads(done.stdout))
    return [list(islice(steps, len(walk))) for _, walk in games]


def main() -> None:
    """Compare walks."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--agentboard", type=Path, required=True, help="a checkout")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--walks", type=int, default=200)
    options = parser.parse_args()
    place = options.agentboard / "agentboard" / "utils" / "todo" / "projects.json"
    todo = Todo(json.loads(place.read_text("utf-8")), "2015-05-31", "New York")
    rng, total = random.Random(0), Counter[str]()
    wanted = [drawn(rng, 6) for _ in range(options.walks)]
    first = judged(options, [(["New York"], walk) for walk in wanted])
    games = []
    for walk, theirs in zip(wanted, first, strict=True):
        end: Walk = [*walk[3:], ("finish", {"answer": "done"})]
        games.append((golden(todo, walk, theirs), [*walk[:3], *drawn(rng, 6), *end]))
    for (goals, walk), theirs in zip(games, judged(options, games), strict=True):
        total.update(compared(todo, goals, walk, theirs))
    print(dict(total))


if __name__ == "__main__":
    main()
