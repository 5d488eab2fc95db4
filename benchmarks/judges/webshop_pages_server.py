"""Play walks in WebShop's own text environment, in a process of its own.

    python webshop_pages_server.py CHECKOUT < walks.json > pages.json

The input is an object: products and goals as WebShop's code has them once its files are
loaded, the nouns of titles, the asins that each query finds, and for each walk the
number of its goal and its actions. In place of Lucene, spaCy and the packages of its
models stand modules without content. Run by ``webshop_pages.py``.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import time
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import Any


class _Search:
    """Finds what the input says."""

    def __init__(self, found: dict[str, list[str]]) -> None:
        self._found = found

    def search(self, keywords: str, k: int) -> list[Any]:
        found = self._found[" ".join(keywords.split())]
        return [SimpleNamespace(docid=asin) for asin in found[:k]]

    def doc(self, docid: str) -> Any:
        return SimpleNamespace(raw=lambda: json.dumps({"id": docid}))


def _stand_in(name: str, **members: Any) -> None:
    module = ModuleType(name)
    vars(module).update(members)
    sys.modules[name] = module


def main() -> None:
    """Read walks, write the pages and rewards of each."""
    given = json.load(sys.stdin)
    nouns = given["nouns"]
    _stand_in("gym", Env=object)
    for name in ("torch", "cleantext", "pyserini", "pyserini.search"):
        _stand_in(name)
    _stand_in("pyserini.search.lucene", LuceneSearcher=None)
    _stand_in("rank_bm25", BM25Okapi=None)
    _stand_in(
        "spacy",
        load=lambda name: (
            lambda text: [SimpleNamespace(text=one, pos_="NOUN") for one in nouns[text]]
        ),
    )
    sys.path.insert(0, sys.argv[1])
    # Without the environment that drives a browser.
    _stand_in("web_agent_site.envs", __path__=[f"{sys.argv[1]}/web_agent_site/envs"])
    walks = []
    with contextlib.redirect_stdout(io.StringIO()):
        envs: Any = import_module("web_agent_site.envs.web_agent_text_env")
        items = {one["asin"]: one for one in given["products"]}
        prices = {asin: one["pricing"][0] for asin, one in items.items()}
        loaded: Any = given["products"], items, prices, {}
        envs.load_products = lambda **kwargs: loaded
        envs.init_search_engine = lambda **kwargs: _Search(given["found"])
        envs.get_goals = lambda *args: given["goals"]
        envs.random.shuffle = lambda goals: None
        env = envs.WebAgentTextEnv(observation_mode=given["mode"], human_goals=True)
        for goal, actions in given["walks"]:
            page, _ = env.reset(session=goal)
            # Its sessions outlive a reset, and so do the products that were opened.
            pages = [[page, 0.0, False]]
            for action in actions:
                before = time.process_time()
                page, reward, done, _ = env.step(action)
                pages.append([page, reward, done, time.process_time() - before])
            walks.append(pages)
            env.server.user_sessions.clear()
    json.dump(walks, sys.stdout)


if __name__ == "__main__":
    main()
