"""AgentBoard's protocol of ToolQuery: its questions about papers and authors.

It is written from the behaviour of AgentBoard's published environment, and compared
with it by ``benchmarks/judges``:

- A subgoal is the result of a call of the published route; an equal result of any other
  call counts too.
- The word "finish" in an action ends the episode, unless the call is malformed.
- The task is solved if every subgoal was reached by then.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np

from aq_gym.core import Prompt
from aq_gym.core.prompt import PublishedPrompt
from aq_gym.core.tasks import UserTasks
from aq_gym.envs.toolquery.logic.question import Question
from aq_gym.envs.toolquery.logic.session import Database, Session
from aq_gym.envs.toolquery.protocol import Asked, ToolQueryProtocol
from aq_gym.papers.agentboard import VARIABLE, folder, tools_prompt
from aq_gym.support.user_files import UserFileError, read_text
from aq_gym.tools import Call, Toolbox, ToolError
from aq_gym.tools.env import Calls
from aq_gym.tools.world_env import Episode, Measure, WorldArguments

_NETS = ("PaperNet", "AuthorNet")
_SYSTEM = (
    "You answer questions about two graphs, of papers and of authors, by calling "
    "tools. Load a graph before you read it. What counts is to find everything that "
    "the answer needs, and to give the answer with the tool finish."
)


class AgentBoardProtocol(ToolQueryProtocol):
    """AgentBoard's questions about its graphs of papers and authors.

    Args:
        given: The arguments of the environment; ``data_dir`` is the folder
            ``tool-query`` of AgentBoard's data, with ``test.jsonl`` and the converted
            graphs in ``academia/graphs.json``.

    Raises:
        ValueError: If an argument has no meaning in this protocol, or a file is missing
            or malformed.
    """

    about = (
        "Answer a question with tools that read two graphs, of papers and of authors."
    )
    # Empty, because AgentBoard shows only the result of the last call.
    outcomes = "", ""

    def __init__(self, given: WorldArguments) -> None:
        if given[:5] != ("academia", "any", 100, 0.0, "all"):
            raise ValueError(
                "protocol='agentboard' has published questions about one world only: "
                "use world='academia', without difficulty, records, unanswerable or "
                "split"
            )
        place = _folder(given.data_dir)
        self.tools = TOOLS
        self._data = read_graphs(str(place / "academia" / "graphs.json"))
        questions = dict(_questions(place / "test.jsonl"))
        if not questions:
            raise ValueError(
                f"{place / 'test.jsonl'} has no question of the tool academia"
            )
        label = "AgentBoard's academia questions"
        self.tasks = UserTasks[Asked](questions, label).only(given.problem)

    def task_prompt(self, packaged: Prompt) -> Prompt:
        """Return a prompt for these tools, without an example."""
        return packaged._replace(system=_SYSTEM, example=None)

    def prompt(self, game: Episode) -> PublishedPrompt | None:
        """Return AgentBoard's prompt, or None without a checkout."""
        return tools_prompt("academia", game.task.goal)

    def session(self, task: Asked) -> Session:
        """Return a session in which nothing is loaded."""
        return GraphSession(self._data, task.subgoals)

    def measure(self, game: Episode) -> Measure:
        """Measure the published subgoals, and whether the episode has ended."""
        seen, count = game.session.seen, len(game.task.subgoals)
        names = (f"subgoal {k}" for k in range(1, count + 1))
        subgoals = {name: name in seen for name in names}
        subgoals["finished"] = game.session.finished
        reached = list(subgoals.values())
        return Measure(sum(reached) / len(reached), subgoals, all(reached))

    def after(self, game: Episode, action: Calls, valid: bool, tools: Toolbox) -> None:
        """End the episode if an action contains "finish", even in an argument."""
        if "finish" not in action.text and "Finish" not in action.text:
            return
        first = action.calls[0]
        if isinstance(first, Call) and (valid or first.name not in self.tools):
            game.session.finished = True

    def extra_info(self, game: Episode) -> dict[str, Any]:
        """Return AgentBoard's reward: the share of the published subgoals."""
        reached = list(self.measure(game).subgoals.values())[:-1]
        return {"agentboard_reward": sum(reached) / len(reached)}

    def next_call(self, game: Episode) -> tuple[str, Mapping[str, Any]]:
        """Return a call whose result is the next subgoal, or the published answer."""
        seen = game.session.seen
        for graph in _NETS:
            if graph not in seen:
                return f"load{graph}", {}
        for tool, arguments in _calls(self._data):
            tried = GraphSession(self._data, game.task.subgoals)
            tried.seen = seen
            self.tools.run(tried, Call(tool, arguments))
            if len(tried.seen) > len(seen):
                return tool, arguments
        return "finish", {"answer": game.task.question.answer}

    def draw(
        self, game: Episode, rng: np.random.Generator
    ) -> tuple[str, Mapping[str, Any]]:
        """Draw a tool, and arguments from the graphs."""
        tools = list(self.tools)
        drawn = tools[int(rng.integers(len(tools)))]
        graph = _NETS[int(rng.integers(2))]
        nodes = tuple(self._data[graph])
        arguments = {
            one.name: nodes[int(rng.integers(len(nodes)))] for one in drawn.parameters
        }
        if "graph" in arguments:
            arguments["graph"] = graph
        return drawn.name, arguments


class GraphSession(Session):
    """The tools; each method is one, and results are texts as Python writes them.

    Args:
        data: The graphs: for each node its attributes, and the attributes of its edges.
        goals: The published subgoals; each is the result of a call.
    """

    def __init__(self, data: Database, goals: Sequence[Any] = ()) -> None:
        super().__init__(data)
        self._goals = [_key(one) for one in goals]

    def loadPaperNet(self) -> str:
        """Load PaperNet, whose nodes are papers and whose edges are citations."""
        return self._load("PaperNet")

    def loadAuthorNet(self) -> str:
        """Load AuthorNet, whose nodes are authors and whose edges are joint papers."""
        return self._load("AuthorNet")

    def neighbourCheck(self, graph: Literal["PaperNet", "AuthorNet"], node: str) -> str:
        """List the neighbours of a node.

        Args:
            graph: The graph.
            node: The title of a paper, or the name of an author.
        """
        return self._read(graph, lambda net: list(_node(graph, net, node)["edges"]))

    def paperNodeCheck(self, node: str) -> str:
        """Get the attributes of a paper.

        Args:
            node: Its title.
        """
        return self._attributes("PaperNet", node)

    def authorNodeCheck(self, node: str) -> str:
        """Get the attributes of an author.

        Args:
            node: The name.
        """
        return self._attributes("AuthorNet", node)

    def authorEdgeCheck(self, node1: str, node2: str) -> str:
        """Get the attributes of a collaboration.

        Args:
            node1: The name of an author.
            node2: The name of another author.
        """
        return self._edge("AuthorNet", node1, node2)

    def paperEdgeCheck(self, node1: str, node2: str) -> str:
        """Get the attributes of a citation.

        Args:
            node1: The title of a paper.
            node2: The title of another paper.
        """
        return self._edge("PaperNet", node1, node2)

    def check_valid_actions(self) -> str:
        """List the names of the tools."""
        return f"The tools are: {', '.join(one.name for one in TOOLS)}"

    def finish(self, answer: Any) -> str:
        """Give the answer, which ends the episode.

        Args:
            answer: A text, a number or a list.
        """
        if isinstance(answer, list):
            try:
                answer = sorted(answer)
            except TypeError:
                raise ToolError("The parts of answer must be of one type.") from None
        super().finish(answer)
        return self._note(answer)

    def _load(self, graph: str) -> str:
        self.seen |= {graph}
        return self._note(f"{graph} is loaded.")

    def _attributes(self, graph: str, node: str) -> str:
        return self._read(graph, lambda net: _node(graph, net, node)["attributes"])

    def _edge(self, graph: str, one: str, other: str) -> str:
        def read(net: Mapping[str, Any]) -> Any:
            edges = _node(graph, net, one)["edges"]
            _node(graph, net, other)
            if other not in edges:
                raise LookupError(f"There is no edge between {one} and {other}.")
            return edges[other]

        return self._read(graph, read)

    def _read(self, graph: str, read: Callable[[Mapping[str, Any]], Any]) -> str:
        """Return data from a graph, or say that an entry is missing; both are valid."""
        if graph not in self.seen:
            return f"Please load the {graph} first."
        try:
            return self._note(read(self.data[graph]))
        except LookupError as error:
            return str(error.args[0])

    def _note(self, value: Any) -> str:
        """Count at most one subgoal that equals a result."""
        key = _key(value)
        for k, goal in enumerate(self._goals, start=1):
            if goal == key and f"subgoal {k}" not in self.seen:
                self.seen |= {f"subgoal {k}"}
                break
        return str(value)


def _node(graph: str, net: Mapping[str, Any], node: str) -> Mapping[str, Any]:
    if node not in net:
        raise LookupError(f"There is no node named {node} in the {graph}.")
    found: Mapping[str, Any] = net[node]
    return found


def _key(value: Any) -> str:
    """Return a text that is the same for equal values."""
    return json.dumps(value, sort_keys=True)


def read_graphs(path: str) -> Database:
    """Read the converted graphs; they are cached until the file changes.

    Args:
        path: The path of ``graphs.json``.

    Raises:
        ValueError: If the file is missing or too large, or was not written by the
            conversion.
    """
    file = Path(path)
    if not file.is_file():
        pickles = "; the pickles beside it are not loaded" if _pickles(file) else ""
        raise ValueError(
            f"data_dir: there is no {file}{pickles}. Loading a pickle can run any "
            "code, so convert AgentBoard's graphs yourself, with the script in "
            "docs/reproducing.md"
        )
    return _read(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=2)
def _read(file: Path, changed: int) -> Database:
    try:
        # A link must not lead out of the data folder, two levels up.
        graphs = json.loads(read_text(file, file.parent.parent))
        nets = {name: dict(graphs[name]) for name in _NETS}
        for net in nets.values():
            for node in net.values():
                dict(node["attributes"]), dict(node["edges"])
    except UserFileError:
        raise
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(
            f"{file} does not have the graphs that the script in docs/reproducing.md "
            f"writes: {error!r:.200}"
        ) from None
    return Database(nets, (read_graphs, (str(file),)))


def _pickles(file: Path) -> bool:
    return any((file.parent / "raw").glob("*.pkl"))


def _folder(data_dir: str | None) -> Path:
    """Return the folder of the files."""
    if data_dir is not None:
        return Path(data_dir)
    if not os.environ.get(VARIABLE):
        raise ValueError(
            "protocol='agentboard' needs data_dir=, the folder tool-query of "
            "AgentBoard's data, with its graphs converted (see "
            f"docs/reproducing.md), or {VARIABLE} with its data"
        )
    return folder() / "data" / "tool-query"


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
    lines = read_text(file, file.parent).splitlines()
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


TOOLS = Toolbox.of(GraphSession)
