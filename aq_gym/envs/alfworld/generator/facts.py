"""The facts that households are generated from."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any

PROCESSORS = {"clean": "sinkbasin", "heat": "microwave", "cool": "fridge"}
PROCESSABLE = {"clean": "cleanable", "heat": "heatable", "cool": "coolable"}


@lru_cache(maxsize=1)
def facts() -> dict[str, Any]:
    """Return the table of facts, which ``tools/alfworld_facts.py`` generates."""
    table: dict[str, Any] = json.loads(
        files("aq_gym.envs.alfworld").joinpath("data/facts.json").read_bytes()
    )
    return table


def fits(receptacle: str, thing: str) -> bool:
    """Return whether a type of receptacle can contain a type of object."""
    table = facts()
    if thing == table["lamp"]:
        return receptacle in table["lamp_stands"]
    return thing in table["contains"][receptacle]
