"""AgentBoard's protocol, for its own questions about papers and authors.

Written from the behaviour of its published environment and compared with it by
``benchmarks/toolquery_agentboard.py``:

- A subgoal is the result of a call of the published route; an equal result counts,
  whatever call returned it.
- The word "finish" in any action ends the episode, unless the call is malformed.
- The task is solved if every subgoal was reached by then.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from aq_gym.core import Prompt
from aq_gym.core.prompt import PublishedPrompt
from aq_gym.core.tasks import UserTasks
from aq_gym.envs.toolquery import text
from aq_gym.envs.toolquery.logic.agentboard import (
    MOST_BYTES,
    TOOLS,
    GraphSession,
    read_graphs,
)
from aq_gym.envs.toolquery.logic.question import Question
from aq_gym.envs.toolquery.logic.session import Session
from aq_gym.envs.toolquery.protocol import Asked, Protocol
from aq_gym.papers.agentboard import VARIABLE, folder, tools_prompt
from aq_gym.support.user_files import read_text
from aq_gym.tools import Call, Unreadable, read_calls

_DEFAULTS: Mapping[str, Any] = {
    **{"difficulty": "any", "records": 100, "unanswerable": 0.0, "split": "all"},
}


def make_protocol(
    name: str, problem: int | None, data_dir: str | None, tasks: Mapping[str, Any]
) -> Protocol:
    """Make a protocol.

    Args:
        name: "aq" or "agentboard".
        problem: The number of a question, only for AgentBoard's protocol; None for all.
        data_dir: The folder of AgentBoard's data, only for its protocol; None for that
            of ``AGENTBOARD_DATA``.
        tasks: The arguments of :class:`~aq_gym.envs.toolquery.protocol.Protocol`.

    Raises:
        ValueError: If the arguments do not fit together.
    """
    if name == "aq":
        if data_dir is not None or problem is not None:
            raise ValueError(
                f"data_dir={data_dir!r} and problem={problem!r} need "
                "protocol='agentboard'"
            )
        return Protocol(**tasks)
    if tasks != {**_DEFAULTS, "world": "academia"}:
        raise ValueError(
            "protocol='agentboard' has published questions about one world only: use "
            "world='academia', without difficulty, records, unanswerable or split"
        )
    if data_dir is None:
        if not os.environ.get(VARIABLE):
            raise ValueError(
                "protocol='agentboard' needs data_dir=, the folder tool-query of "
                "AgentBoard's data, with its graphs converted (see "
                f"docs/reproducing.md), or {VARIABLE} with its data"
            )
        data_dir = str(folder() / "data" / "tool-query")
    return AgentBoardProtocol(data_dir, problem)


class AgentBoardProtocol(Protocol):
    """AgentBoard's questions about its graphs of papers and authors.

    Args:
        data_dir: The folder ``tool-query`` of AgentBoard's data, with ``test.jsonl``
            and the converted ``academia/graphs.json``.
        problem: The number of a question; None for all.

    Raises:
        ValueError: If a file is missing or malformed.
    """

    def __init__(self, data_dir: str, problem: int | None = None) -> None:
        folder = Path(data_dir)
        self.tools = TOOLS
        self.about = "two graphs, of papers and of authors."
        self._data = read_graphs(str(folder / "academia" / "graphs.json"))
        questions = dict(_questions(folder / "test.jsonl"))
        if not questions:
            raise ValueError(
                f"{folder / 'test.jsonl'} has no question of the tool academia"
            )
        tasks: UserTasks[Asked] = UserTasks(
            questions, "AgentBoard's academia questions"
        )
        self.tasks = tasks.only(problem)

    def prompt(self, packaged: Prompt) -> Prompt:
        """Return a prompt for these tools, without an example."""
        return packaged._replace(system=text.AGENTBOARD_SYSTEM, example=None)

    def published_prompt(self, asked: Asked) -> PublishedPrompt | None:
        """Return AgentBoard's prompt, None if its checkout is not there."""
        return tools_prompt("academia", asked.question.text)

    def begin(self, asked: Asked) -> Session:
        """Return a session in which nothing is loaded."""
        return GraphSession(self._data, asked.goals)

    def subgoals(self, asked: Asked, session: Session) -> dict[str, bool]:
        """Return whether each published subgoal was reached, and the episode ended."""
        names = (f"subgoal {k}" for k in range(1, len(asked.goals) + 1))
        reached = {name: name in session.seen for name in names}
        return {**reached, "finished": session.finished}

    def success(self, asked: Asked, session: Session) -> bool:
        """Return whether the episode ended with every subgoal reached."""
        return all(self.subgoals(asked, session).values())

    def after(self, action: str, valid: bool, session: Session) -> None:
        """End the episode if an action has the word finish, even in an argument."""
        if "finish" not in action and "Finish" not in action:
            return
        calls = read_calls(action)
        if isinstance(calls, Unreadable) or not isinstance(calls[0], Call):
            return
        if valid or calls[0].name not in self.tools:
            session.finished = True

    def outcome(self, right: bool) -> str:
        """Return an empty text: only the result of the last call is shown."""
        return ""

    def extra_info(self, asked: Asked, session: Session) -> dict[str, Any]:
        """Return AgentBoard's reward: the share of the published subgoals."""
        reached = list(self.subgoals(asked, session).values())[:-1]
        return {"agentboard_reward": sum(reached) / len(reached)}

    def next_call(
        self, asked: Asked, session: Session
    ) -> tuple[str, Mapping[str, Any]]:
        """Return a call whose result is the next subgoal, or the published answer."""
        for graph in ("PaperNet", "AuthorNet"):
            if graph not in session.seen:
                return f"load{graph}", {}
        before = len(session.seen)
        for tool, arguments in _calls(self._data):
            tried = GraphSession(self._data, asked.goals)
            tried.seen = session.seen
            self.tools.run(tried, Call(tool, arguments))
            if len(tried.seen) > before:
                return tool, arguments
        return "finish", {"answer": asked.question.answer}

    def draw_call(
        self, session: Session, rng: np.random.Generator
    ) -> tuple[str, Mapping[str, Any]]:
        """Draw a tool, and arguments from the graphs."""
        tools = list(self.tools)
        drawn = tools[int(rng.integers(len(tools)))]
        graph = ("PaperNet", "AuthorNet")[int(rng.integers(2))]
        nodes = tuple(self._data[graph])
        arguments = {
            one.name: nodes[int(rng.integers(len(nodes)))] for one in drawn.parameters
        }
        if "graph" in arguments:
            arguments["graph"] = graph
        return drawn.name, arguments


def _calls(data: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield every call that reads the graphs."""
    for graph, kind in (("PaperNet", "paper"), ("AuthorNet", "author")):
        for node, record in data[graph].items():
            yield f"{kind}NodeCheck", {"node": node}
            yield "neighbourCheck", {"graph": graph, "node": node}
            for other in record["edges"]:
                yield f"{kind}EdgeCheck", {"node1": node, "node2": other}


def _questions(file: Path) -> Iterator[tuple[str, Asked]]:
    """Read the published questions of academia."""
    if not file.is_file():
        raise ValueError(f"data_dir: there is no {file}, AgentBoard's questions")
    lines = read_text(file, MOST_BYTES, file.parent).splitlines()
    for number, line in enumerate(lines):
        try:
            record = json.loads(line)
            more = record["additional_info"]
            if more["tool"] != "academia":
                continue
            asked = Question(str(record["goal"]), more["answer"], "text", ())
            goals = tuple(record["subgoals"])
            task = Asked(asked, str(record.get("difficulty", "")), None, goals)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise ValueError(f"{file}, line {number + 1}: {error!r:.200}") from None
        if not goals:
            raise ValueError(f"{file}, line {number + 1}: there are no subgoals")
        yield f"agentboard-academia-{number}", task
