"""The tools of AgentBoard's academia: two graphs, of papers and of authors."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from aq_gym.envs.toolquery.logic.session import Database, Session
from aq_gym.support.user_files import UserFileError, read_text
from aq_gym.tools import Toolbox, ToolError

MOST_BYTES = 256 * 2**20
_NETS = ("PaperNet", "AuthorNet")


class GraphSession(Session):
    """The tools; each method is one, and results are texts as Python writes them.

    Args:
        data: The graphs: for each node its attributes, and those of its edges.
        goals: The published subgoals, each the result of a call.
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
            node2: The name of another.
        """
        return self._edge("AuthorNet", node1, node2)

    def paperEdgeCheck(self, node1: str, node2: str) -> str:
        """Get the attributes of a citation.

        Args:
            node1: The title of a paper.
            node2: The title of another.
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
        """Return data from a graph; a call for a missing entry is valid and says so."""
        if graph not in self.seen:
            return f"Please load the {graph} first."
        try:
            return self._note(read(self.data[graph]))
        except LookupError as error:
            return str(error.args[0])

    def _note(self, value: Any) -> str:
        """Count one subgoal that is equal to a result."""
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
    """Read the converted graphs; they are kept until the file changes.

    Args:
        path: The path of ``graphs.json``.

    Raises:
        ValueError: If the file is missing, is too large or is not what the conversion
            writes.
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
        # The data are in the folder above.
        graphs = json.loads(read_text(file, MOST_BYTES, file.parent.parent))
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


TOOLS = Toolbox.of(GraphSession)
