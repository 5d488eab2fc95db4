"""AgentBoard's academia and to-do list, on data of ours in the form of its files."""

from __future__ import annotations

import argparse
import ast
import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from harness import Facts, Judge, Task

from aq_gym.envs.tooloperation.agentboard_todo import TODO_TOOLS, BoardTodo
from aq_gym.envs.tooloperation.agentboard_todo import Todo as TodoList
from aq_gym.envs.toolquery.logic.worlds import database
from aq_gym.tools import Call

# Answers of AgentBoard's parser to calls that are read here.
_REFUSED = ("Parameters in action input are not valid", "cannot unpack non-iterable")
_CALL = re.compile(r"(\w+)\((.*)\)", re.DOTALL)


class Tools(Judge):
    """Calls of tools, written as AgentBoard's prompt has them."""

    paper, child = "AgentBoard", "agentboard_child.py"
    progress = "agentboard_reward"
    steps = 40
    diverges = frozenset({"answer that its parser refuses"})
    kind: ClassVar[str]

    def __init__(self, options: argparse.Namespace) -> None:
        super().__init__(options)
        self.folder = Path(tempfile.mkdtemp())

    def start(self, env: Any, task: Task, info: Mapping[str, Any]) -> Facts:
        """Begin the question."""
        return {"begin": self.kind, **task.about}

    def write(self, action: str) -> str:
        """Return ``name(a="b")`` as ``Action: name with Action Input: {"a": "b"}``."""
        match = _CALL.fullmatch(action)
        if match is None:
            return action
        found, rest, decoder = {}, match[2], json.JSONDecoder()
        while rest:
            name, _, rest = rest.partition("=")
            found[name.strip(", ")], end = decoder.raw_decode(rest)
            rest = rest[end:]
        return f"Action: {match[1]} with Action Input: {json.dumps(found)}"

    def stepped(self, result: Any) -> Facts:
        """Return the facts of a step; errors have our words, so they have no text."""
        facts = super().stepped(result)
        return facts if facts["valid"] else {**facts, "text": ""}

    def explain(self, fact: str, ours: Facts, paper: Facts, action: str) -> str:
        """Compare results as values, without "message"; errors are not compared."""
        if ours["valid"] and any(one in paper["text"] for one in _REFUSED):
            return "answer that its parser refuses"
        if fact != "text":
            return fact
        if not ours["text"] or "check_valid" in action:
            return ""
        # At the end our observation has another line.
        said = ours["text"].rpartition("\n")[0] if ours["end"] else ours["text"]
        return "" if _result(said) == _result(paper["text"]) else fact


def _result(text: str) -> Any:
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
    if isinstance(value, dict):
        value.pop("message", None)
    return value


class Academia(Tools):
    """Questions whose subgoals are results, some of them twice."""

    id, kind = "aq/ToolQuery-v0", "academia"
    invalid = (
        "Action: paperNodeCheck with Action Input: {}",
        'Action: neighbourCheck with Action Input: {"graph": "PaperNet"}',
        'Action: paperNodeCheck with Action Input: {"node": "Unfinished Work"}',
        "Action: fly with Action Input: {}", "dance", "",
    )  # fmt: skip

    def tasks(self) -> Iterator[Task]:
        """Write generated papers and authors as AgentBoard's files."""
        nets = _graphs()
        file = self.folder / "academia" / "graphs.json"
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(nets), "utf-8")
        rng = Random(0)
        rows: list[dict[str, Any]] = []
        for net, kind in (("PaperNet", "paper"), ("AuthorNet", "author")) * 20:
            node = rng.choice(list(nets[net]))
            attributes, edges = nets[net][node].values()
            goals = [f"{net} is loaded.", attributes, list(edges), sorted(edges)]
            more = {"answer": goals[-1], "tool": "academia", "kind": kind}
            rows.append({"goal": node, "subgoals": goals, "additional_info": more})
        tasks = self.folder / "test.jsonl"
        tasks.write_text("\n".join(map(json.dumps, rows)), "utf-8")
        kwargs = {"world": "academia", "protocol": "agentboard"}
        for number, row in enumerate(rows):
            yield Task(
                {**kwargs, "data_dir": str(self.folder)},
                options={"task_id": f"agentboard-academia-{number}"},
                about={
                    "question": {
                        "goal": row["goal"],
                        "ground_truth": row["additional_info"]["answer"],
                        "ground_truth_subgoals": row["subgoals"],
                    },
                    "graphs": str(file),
                },
            )


def _graphs() -> dict[str, Any]:
    """Return a generated database as AgentBoard's graphs."""
    data = database("academia", 0, 60)
    papers, authors = data["paper"], data["author"]
    shown = ("year", "venue", "citations", "keywords")

    def together(author: Any, other: Any) -> list[str]:
        both = [one for one in author["papers"] if one in other["papers"]]
        return [papers[one]["title"] for one in both]

    return {
        "PaperNet": {
            paper["title"]: {
                "attributes": {field: paper[field] for field in shown},
                "edges": {papers[key]["title"]: {} for key in paper["references"]},
            }
            for paper in papers.values()
        },
        "AuthorNet": {
            author["name"]: {
                "attributes": {one: author[one] for one in ("name", "organization")},
                "edges": {
                    authors[key]["name"]: {
                        "collaborative_papers": together(author, authors[key])
                    }
                    for key in author["coauthors"]
                },
            }
            for author in authors.values()
        },
    }


class Todo(Tools):
    """Tasks on a generated list; the golden results are those of random calls."""

    id, kind = "aq/ToolOperation-v0", "todo"
    invalid = (
        'Action: get_tasks with Action Input: {"project_id": "2009"}',
        "Action: get_tasks with Action Input: {}",
        "Action: fly with Action Input: {}", "dance", "",
    )  # fmt: skip
    start_of: ClassVar = {"current_date": "2015-05-31", "current_location": "New York"}

    def tasks(self) -> Iterator[Task]:
        """Write the list and the tasks as AgentBoard's files."""
        file = self.folder / "agentboard" / "utils" / "todo" / "projects.json"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(_PROJECTS), "utf-8")
        rng = Random(0)
        rows = []
        for _ in range(30):
            session = BoardTodo(TodoList(_PROJECTS, *self.start_of.values()))
            for _ in range(8):
                TODO_TOOLS.run(session, _drawn(rng))
            # AgentBoard's results of changes also have a sentence.
            found = [json.loads(one) for one in session.results
                     if not one.startswith(('{"project":', '{"task":'))]  # fmt: skip
            more = {"tool": "todo", "init_config": self.start_of, "answer": {},
                    "goal_type": 0}  # fmt: skip
            rows.append({"goal": "Do it.", "subgoals": found or ["New York"],
                         "difficulty": "hard", "additional_info": more})  # fmt: skip
        (self.folder / "todo.jsonl").write_text("\n".join(map(json.dumps, rows)))
        kwargs = {"world": "todo", "protocol": "agentboard"}
        for number, row in enumerate(rows):
            yield Task(
                {**kwargs, "data_dir": str(self.folder), "problem": number},
                about={"golden": row["subgoals"], "folder": str(self.folder)},
            )


_PROJECTS = [
    {
        "name": f"Project {n}",
        "is_favorite": False,
        "tasks": [
            {
                "content": f"Task {n}.{m}, \N{SNOWMAN}",
                "description": f'- Place: Caf\u00e9 {m}\n- Note: "it\'s" no. {n}',
                "due_date": f"2015-06-0{m}",
                "duration": 15 * m,
                "duration_unit": "minute",
                "priority": 1 + m % 4,
            }
            for m in range(1, 5)
        ],
    }
    for n in range(1, 4)
]


def _drawn(rng: Random) -> Call:
    project = {"project_id": rng.choice(("2001", "2002"))}
    task = {"task_id": f"{project['project_id']}00{rng.randint(1, 4)}"}
    day = f"2015-07-0{rng.randint(1, 9)}"
    favorite = rng.choice(("True", "False"))
    return Call(*rng.choice((
        ("get_projects", {}), ("get_user_current_date", {}), ("get_tasks", project),
        ("update_project", {**project, "is_favorite": favorite}),
        ("update_task", {**task, "due_date": day}),
        ("get_task_description", task), ("get_task_duration", task),
        ("complete_task", task),
    )))  # fmt: skip
