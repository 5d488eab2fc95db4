"""WebShop's own text environment, and AgentBoard's, as a child of ``harness.py``.

Some parts have stand-ins: Lucene is replaced by our search's results for each query,
spaCy's model by our nouns of each title, HTTP requests by calls of AgentBoard's Flask
app in this process, and packages that a walk does not use by empty modules.
"""

from __future__ import annotations

import json
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from child import serve, stand_in

_EMPTY = (
    "cleantext", "common", "dotenv", "pyserini", "pyserini.search", "rank_bm25",
    "torch", "utils", "utils.logging", "utils.logging.agent_logger", "yaml",
)  # fmt: skip
_given: dict[str, Any] = {"nouns": {}, "found": {}}


class _Any(ModuleType):
    """A module whose names are empty classes."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (Exception,), {"__init__": lambda *_, **__: None})


class Search:
    """Returns the given results for a query."""

    def search(self, query: str, k: int) -> list[Any]:
        """Return results, whatever the white space."""
        words = " ".join(query.replace("+", " ").lower().split())
        found = _given["found"].get(words, [])
        return [SimpleNamespace(docid=asin) for asin in found[:k]]

    def doc(self, asin: str) -> Any:
        """Return a document with its id alone."""
        return SimpleNamespace(raw=lambda: json.dumps({"id": asin}))


class Own:
    """WebShop's text environment."""

    def __init__(self, checkout: Path, request: dict[str, Any]) -> None:
        sys.path.insert(0, str(checkout))
        stand_in("gym", Env=object)
        # The environment that drives a browser is left out.
        folder = [f"{checkout}/web_agent_site/envs"]
        stand_in("web_agent_site.envs", __path__=folder)
        self._envs: Any = import_module("web_agent_site.envs.web_agent_text_env")
        items = {one["asin"]: one for one in request["products"]}
        prices = {asin: one["pricing"][0] for asin, one in items.items()}
        loaded: Any = request["products"], items, prices, {}
        envs: Any = self._envs
        envs.load_products = lambda **_: loaded
        envs.init_search_engine = lambda **_: Search()
        envs.random.shuffle = lambda goals: None

    def begin(self, request: dict[str, Any]) -> dict[str, Any]:
        """Begin a visit with a goal."""
        self._envs.get_goals = lambda *_: [request["goal"]]
        self._env = self._envs.WebAgentTextEnv(
            observation_mode=request["mode"], human_goals=True
        )
        self._page, _ = self._env.reset(session=0)
        return {"text": self._page.strip()}

    def act(self, action: str) -> dict[str, Any]:
        """Take an action."""
        page, reward, done, _ = self._env.step(action)
        changed, self._page = page != self._page, page
        facts = {"text": page.strip(), "progress": float(reward), "end": bool(done)}
        return {**facts, "changed": changed}


class LimitError(Exception):
    """AgentBoard's PageNumberError."""


class Board:
    """AgentBoard's environment, with the answers of its runner."""

    def __init__(self, checkout: Path, request: dict[str, Any]) -> None:
        site = checkout / "agentboard" / "environment" / "WebShop"
        sys.path[:0] = [str(site), str(site.parent)]
        engine: Any = import_module("web_agent_site.engine.engine")
        app: Any = import_module("web_agent_site.app")
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for name in ("items", "attributes", "human"):
                paths.append(Path(folder, f"{name}.json"))
                paths[-1].write_text(json.dumps(request[name]), "utf-8")
            engine.DEFAULT_ATTR_PATH, engine.HUMAN_ATTR_PATH = map(str, paths[1:])
            loaded = engine.load_products(str(paths[0]))
            app.all_products, app.product_item_dict, app.product_prices, _ = loaded
            goals: Any = import_module("web_agent_site.engine.goal")
            goals.GOAL_PATH = Path(folder, "test.jsonl")
            goals.GOAL_PATH.write_text(request["tasks"], "utf-8")
            app.goals = goals.get_goals(None, None)
        # Where a price is a range, AgentBoard draws one without a seed.
        app.product_prices.update(request["prices"])
        app.search_engine = Search()
        app.weights = [1.0] * len(app.goals)
        self._client = client = app.app.test_client()
        place = len("http://shop")
        stand_in("requests", get=lambda url, headers: client.get(url[place:]))
        registry = SimpleNamespace(register_environment=lambda _: lambda kind: kind)
        stand_in("common.registry", registry=registry)
        stand_in("utils.common_exception", PageNumberError=LimitError)
        self._module = import_module("webshop_env")
        self._visits = 0

    def begin(self, request: dict[str, Any]) -> dict[str, Any]:
        """Begin a visit with a goal of the file."""
        # Its scores of a visit are global, until it ends.
        self._client.head("/failed")
        self._env: Any = self._module.Webshop("http://shop")
        self._visits += 1
        self._session = f"fixed_{self._visits}_{request['goal']}"
        return self.act("reset[]")

    def act(self, action: str) -> dict[str, Any]:
        """Take an action as the runner does, without its printing."""
        try:
            text, _, done, progress, valid = self._env.step(self._session, action)
        except (AssertionError, LimitError) as error:
            limit = isinstance(error, LimitError)
            text = "The page number" if limit else "You can only click"
            done, progress, valid = False, self._env.sub_reward, False
        success = self._env.reward == 1.0 and done
        facts = {"text": text, "end": bool(done), "progress": float(progress)}
        return {**facts, "valid": bool(valid), "success": bool(success)}


def tagged(text: str) -> list[Any]:
    """Return the nouns that are given for a text, as spaCy's model would."""
    return [SimpleNamespace(text=one, pos_="NOUN") for one in _given["nouns"][text]]


_site: Any = None


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Load a shop, begin a visit, or take an action."""
    global _site
    _given["found"].update(request.get("found", {}))
    if "act" in request:
        return dict(_site.act(request["act"]))
    if _site is None:
        _given["nouns"] = request["shop"]["nouns"]
        kind = Own if request["kind"] == "own" else Board
        _site = kind(Path(sys.argv[1]).resolve(), request["shop"])
    return dict(_site.begin(request))


if __name__ == "__main__":
    for name in _EMPTY:
        sys.modules[name] = _Any(name)
    stand_in("pyserini.search.lucene", LuceneSearcher=None)
    stand_in("spacy", load=lambda name: tagged)
    serve(answer)
