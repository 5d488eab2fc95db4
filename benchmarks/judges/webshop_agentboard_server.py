"""Walk through AgentBoard's WebShop, in a process of its own.

    python webshop_agentboard_server.py CHECKOUT < walks.json > pages.json

Stood in for: spaCy's model, by nouns that are given for each title; Lucene, by results
that are given for each query; HTTP requests, by calls of AgentBoard's Flask app in this
process; its logger and packages that these walks don't use, by empty modules. Run by
``webshop_agentboard.py``.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

_MODULES = (
    "cleantext", "common", "common.registry", "dotenv", "pyserini", "pyserini.search",
    "pyserini.search.lucene", "rank_bm25", "requests", "spacy", "utils",
    "utils.common_exception", "utils.logging", "utils.logging.agent_logger", "yaml",
)  # fmt: skip


class _Any(ModuleType):
    """A module whose names are all the same empty class."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (Exception,), {"__init__": lambda *_, **__: None})


class Results:
    """Lucene's searcher, with results that are given for each query."""

    def __init__(self, given: dict[str, list[str]]) -> None:
        self.given = given

    def search(self, query: str, k: int) -> list[Any]:
        """Return what was given, whatever the white space."""
        words = " ".join(query.replace("+", " ").lower().split())
        return [SimpleNamespace(docid=asin) for asin in self.given[words][:k]]

    def doc(self, asin: str) -> Any:
        """Return a document with nothing but its id."""
        return SimpleNamespace(raw=lambda: json.dumps({"id": asin}))


def prepare(site: Path, nouns: dict[str, list[str]]) -> None:
    """Put the stand-ins in place."""
    for name in _MODULES:
        sys.modules[name] = _Any(name)
    spacy: Any = sys.modules["spacy"]
    spacy.load = lambda name: (
        lambda text: [SimpleNamespace(text=one, pos_="NOUN") for one in nouns[text]]
    )
    sys.path[:0] = [str(site), str(site.parent)]


def load(given: dict[str, Any], engine: Any) -> tuple[Any, ...]:
    """Read files as WebShop does, and put in the prices that are given."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name in ("items", "attributes", "human"):
            paths.append(Path(folder, f"{name}.json"))
            paths[-1].write_text(json.dumps(given[name]), "utf-8")
        engine.DEFAULT_ATTR_PATH, engine.HUMAN_ATTR_PATH = map(str, paths[1:])
        products, by_asin, prices, asins = engine.load_products(str(paths[0]))
    prices.update(given["prices"])
    return products, by_asin, prices, asins


def read_goals(tasks: str) -> Any:
    """Read AgentBoard's file of goals as its code does."""
    module: Any = import_module("web_agent_site.engine.goal")
    with tempfile.TemporaryDirectory() as folder:
        module.GOAL_PATH = Path(folder, "test.jsonl")
        module.GOAL_PATH.write_text(tasks, "utf-8")
        return module.get_goals(None, None)


# Compared with ours by their first sentence alone.
_ANSWERS = ("You can only click the button showed", "The page number is limited to 5")


class _LimitError(Exception):
    """AgentBoard's PageNumberError."""


def agentboard(checkout: str) -> dict[str, Any]:
    """Walk through AgentBoard's environment, with the answers of its runner."""
    given = json.load(sys.stdin)
    prepare(Path(checkout, "agentboard", "environment", "WebShop"), given["nouns"])
    engine: Any = import_module("web_agent_site.engine.engine")
    app: Any = import_module("web_agent_site.app")
    loaded = load(given, engine)
    app.all_products, app.product_item_dict, app.product_prices, _ = loaded
    app.search_engine = Results(given["results"])
    app.goals = read_goals(given["tasks"])
    app.weights = [1.0] * len(app.goals)
    client = app.app.test_client()
    requests: Any = sys.modules["requests"]
    requests.get = lambda url, headers: client.get(url.removeprefix("http://shop"))
    registry: Any = sys.modules["common.registry"]
    registry.registry = SimpleNamespace(
        register_environment=lambda _: lambda kind: kind
    )
    errors: Any = sys.modules["utils.common_exception"]
    errors.PageNumberError = _LimitError
    module = import_module("webshop_env")
    walks = [
        _walk(module.Webshop("http://shop"), f"fixed_{number}_{goal}", actions, client)
        for number, (goal, actions) in enumerate(
            zip(given["goals"], given["walks"], strict=True)
        )
    ]
    return {"products": app.all_products, "walks": walks}


def _walk(env: Any, session: str, actions: list[str], client: Any) -> list[Any]:
    """Play a walk as AgentBoard's runner does, without its printing."""
    seen: list[Any] = []
    for action in ("reset[]", *actions):
        try:
            text, _, done, progress, grounded = env.step(session, action)
            seen.append([text, done, env.reward == 1.0 and done, progress, grounded])
        except (AssertionError, _LimitError) as error:
            # The runner's answers; it repeats the last observation behind them.
            text = _ANSWERS[isinstance(error, _LimitError)]
            seen.append([text, False, False, env.sub_reward, False])
        if seen[-1][1]:
            break
    else:
        client.head("/failed")
    return [env.goal, seen]


def main() -> None:
    """Read files and walks, write the products that are loaded and what is seen."""
    with contextlib.redirect_stdout(io.StringIO()):
        made = agentboard(sys.argv[1])
    json.dump(made, sys.stdout)


if __name__ == "__main__":
    main()
