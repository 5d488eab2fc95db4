"""Variants of an episode: renamed tools, added distractors, calls that fail."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from aq_gym.tools.distractors import DISTRACTORS
from aq_gym.tools.tool import Parameter, Tool
from aq_gym.tools.toolbox import Toolbox

MOST_DISTRACTORS = len(DISTRACTORS)
_WORD = re.compile(r"[a-z_][a-z0-9_]*")


class Variant(NamedTuple):
    """The tools of an episode."""

    tools: Toolbox
    names: Mapping[str, str]
    parameters: Mapping[tuple[str, str], str]


@lru_cache(maxsize=64)
def make_variant(
    toolbox: Toolbox, seed: int, distractors: int = 0, rename: bool = False
) -> Variant:
    """Return a variant of a toolbox; deterministic.

    Args:
        toolbox: The original.
        seed: The seed of the names, of the choice of distractors and of the order.
        distractors: The number of tools to add, 0 to ``MOST_DISTRACTORS``.
        rename: Whether tools and parameters get other names. Each word that has
            synonyms is replaced with one of them.
    """
    rng = np.random.default_rng(seed)
    tools = list(toolbox)
    if distractors:
        chosen = rng.choice(MOST_DISTRACTORS, size=distractors, replace=False)
        tools += Toolbox(DISTRACTORS[int(one)] for one in chosen)
        tools = [tools[int(one)] for one in rng.permutation(len(tools))]
    names = {one.name: one.name for one in tools}
    parameters = {(t.name, p.name): p.name for t in tools for p in t.parameters}
    if rename:
        names = _new_names(list(names), rng)
        for one in tools:
            new = _new_names([p.name for p in one.parameters], rng)
            parameters.update({(one.name, old): new[old] for old in new})
        tools = [_renamed(one, names, parameters) for one in tools]
    return Variant(Toolbox(tools), names, parameters)


def _new_names(names: list[str], rng: np.random.Generator) -> dict[str, str]:
    """Return a new name for each name that has a word with synonyms."""
    new: dict[str, str] = {}
    for name in names:
        words = [_synonym(word, rng) for word in name.split("_")]
        candidate = "_".join(words)
        # If two names would become the same, the later one is not changed.
        taken = candidate in new.values() or candidate in names
        new[name] = name if taken else candidate
    return new


def _synonym(word: str, rng: np.random.Generator) -> str:
    choices = _SYNONYMS.get(word)
    return choices[int(rng.integers(len(choices)))] if choices else word


def _renamed(
    one: Tool,
    names: Mapping[str, str],
    parameters: Mapping[tuple[str, str], str],
) -> Tool:
    new = {p.name: parameters[one.name, p.name] for p in one.parameters}

    mentioned = {**names, **new}
    described = partial(_reworded, mentioned=mentioned)
    changed = tuple(
        Parameter(new[p.name], p.type, described(p.description), p.default)
        for p in one.parameters
    )
    back = {later: earlier for earlier, later in new.items()}
    function = partial(_call_renamed, one.function, back)
    return Tool(names[one.name], described(one.description), changed, function)


def _reworded(text: str, mentioned: Mapping[str, str]) -> str:
    """Replace names that have an underscore; others could be ordinary words."""

    def new_name(found: re.Match[str]) -> str:
        return mentioned.get(found[0], found[0]) if "_" in found[0] else found[0]

    return _WORD.sub(new_name, text)


def _call_renamed(
    function: Callable[..., Any], back: Mapping[str, str], world: Any, **arguments: Any
) -> Any:
    return function(world, **{back[name]: value for name, value in arguments.items()})


def is_fault(seed: int, number: int, share: float) -> bool:
    """Return whether a call fails with "temporarily unavailable".

    A hash decides, so that a call which turns out to be invalid draws no random number
    and leaves the state of the episode as it was.

    Args:
        seed: The seed of the episode's faults.
        number: The number of valid calls before this one.
        share: The share of calls that fail, 0.0 to 1.0.
    """
    digest = hashlib.blake2b(b"%d %d" % (seed, number), digest_size=8).digest()
    return int.from_bytes(digest, "big") < share * 2**64


def seed_of(task_id: str) -> int:
    """Return a seed for a task, at least 0 and below 2**32."""
    data = task_id.encode(errors="surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=4).digest(), "big")


# Synonyms for the words in the names of tools and parameters.
_SYNONYMS: dict[str, tuple[str, ...]] = {
    "get": ("fetch", "retrieve", "obtain", "read_out"),
    "find": ("seek", "locate", "detect"),
    "search": ("look_up", "query", "scan"),
    "list": ("enumerate", "show_all", "collect"),
    "add": ("create", "insert", "append"),
    "update": ("modify", "change", "edit"),
    "delete": ("remove", "erase", "drop"),
    "complete": ("mark_done", "close", "tick_off"),
    "set": ("assign", "put", "store"),
    "open": ("load", "access", "enter"),
    "count": ("tally", "number_of", "total"),
    "sort": ("order", "arrange", "rank"),
    "filter": ("select", "narrow", "keep_only"),
    "merge": ("join", "combine", "unite"),
    "calculate": ("compute", "work_out", "evaluate"),
    "check": ("test", "verify", "examine"),
    "finish": ("submit", "conclude", "hand_in"),
    "answer": ("response", "reply", "solution"),
    "title": ("heading", "caption", "headline"),
    "name": ("title", "label", "designation"),
    "id": ("identifier", "key", "number"),
    "movie": ("film", "picture", "feature"),
    "person": ("individual", "human", "member"),
    "actor": ("performer", "player", "star"),
    "cast": ("performers", "players", "ensemble"),
    "crew": ("staff", "team", "makers"),
    "director": ("filmmaker", "maker", "head"),
    "genre": ("category", "kind", "type"),
    "genres": ("categories", "kinds", "types"),
    "release": ("premiere", "launch", "publication"),
    "details": ("particulars", "facts", "profile"),
    "author": ("writer", "scholar", "contributor"),
    "paper": ("article", "publication", "manuscript"),
    "venue": ("journal", "outlet", "forum"),
    "book": ("volume", "work", "text"),
    "city": ("town", "place", "municipality"),
    "location": ("position", "place", "site"),
    "weather": ("conditions", "climate", "sky_report"),
    "temperature": ("degrees", "warmth", "heat"),
    "rain": ("rainfall", "wet", "precipitation"),
    "snow": ("snowfall", "snow_depth", "white"),
    "forecast": ("outlook", "prediction", "projection"),
    "history": ("records", "archive", "past"),
    "historical": ("past", "archived", "recorded"),
    "current": ("present", "actual", "latest"),
    "date": ("day", "calendar_day", "when"),
    "start": ("first", "begin", "from"),
    "end": ("last", "until", "to"),
    "task": ("item", "job", "errand"),
    "tasks": ("items", "jobs", "errands"),
    "project": ("plan", "folder", "undertaking"),
    "projects": ("plans", "folders", "undertakings"),
    "section": ("part", "division", "segment"),
    "priority": ("urgency", "importance", "weight"),
    "description": ("details", "summary", "note_text"),
    "sheet": ("table", "tab", "worksheet"),
    "cell": ("field", "box", "slot"),
    "range": ("area", "block", "region"),
    "value": ("content", "entry", "datum"),
    "row": ("line", "record", "entry_line"),
    "column": ("field_column", "vertical", "col"),
    "text": ("string", "wording", "characters"),
    "number": ("figure", "amount", "quantity"),
    "word": ("term", "expression", "vocable"),
    "reverse": ("invert", "turn_round", "flip"),
    "encode": ("convert", "transform", "code"),
    "year": ("calendar_year", "annum", "yr"),
    "query": ("terms", "keywords", "request"),
    "limit": ("maximum", "most", "cap"),
}
