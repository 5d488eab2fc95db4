"""The parser of games in the official format."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from aq_gym.envs.alfworld.logic.build import Atom, build_house
from aq_gym.envs.alfworld.logic.house import House, read_goal
from aq_gym.envs.alfworld.text import MOVE, Words
from aq_gym.support.user_files import read_text

# The SHA-256 of a domain (without comments, whitespace and "help"), and the receptacles
# in which its objects are cleaned: the basin of a sink, and in the released data also
# the sink itself.
_DOMAINS = {
    "b0b8259a4e11c9f45e91c181404bde4c2c936ad872fdc4d368c7e63094eaafac": frozenset(
        {"sinkbasin"}
    ),
    "0c42dbe9f67ce2474749f02dd32a40bcc41ef44e8ed28bcedf4526fb02078fec": frozenset(
        {"sink", "sinkbasin"}
    ),
}
# The action that older releases lack.
_HELP_ACTION = (
    "( :action help :parameters ( ?a - agent ) :precondition ( ) "
    ":effect ( and ( checked ?a ) ) ) "
)
# The SHA-256 of a grammar without whitespace and without the phrases in Words.
_GRAMMARS = frozenset(
    {"41e8416fa96c4b374106be9add2c66106e5d460fbb56f14dd14473bddb273c02"}
)
_ATOM = re.compile(r"\(([^()]*)\)")
# The number of names after each predicate that describes a household.
_ARITIES = {
    **dict.fromkeys(
        (
            "atlocation",
            "receptacleatlocation",
            "objectatlocation",
            "inreceptacle",
            "inreceptacleobject",
            "objecttype",
            "receptacletype",
            "cancontain",
        ),
        2,
    ),
    **dict.fromkeys(
        (
            "openable",
            "opened",
            "pickupable",
            "cleanable",
            "heatable",
            "coolable",
            "sliceable",
            "toggleable",
            "isreceptacleobject",
            "isclean",
            "ishot",
            "iscool",
            "istoggled",
            "issliced",
        ),
        1,
    ),
}
_KEYS = frozenset({"pddl_domain", "pddl_problem", "grammar"})
# Predicates that the domain's actions use, but that no official game has initially.
_NEVER_AT_START = frozenset({"holds", "holdsany", "full"})
_TASK = re.compile(r'"Your task is to: ((?:[^"\\]|\\.)*)"')
_ARRIVAL = re.compile(r'"GotoLocation\.feedback": \[\s*\{\s*"rhs": "([^"]*)#examineR')
_PUT = re.compile(r'action PutObject \{\s*template :: "([^"]*)"')
_PUT_ANSWER = re.compile(r'"PutObject\.feedback": \[\s*\{\s*"rhs": "([^"]*)"')
_HELP = re.compile(r'action help \{\s*template :: "help";(.*)\Z', re.DOTALL)
_HELP_LITERAL = re.compile(r'feedback :: "(?!#)([^"]*)";')
_HELP_RULE = re.compile(r'"help\.feedback": \[\s*\{\s*"rhs": ("(?:[^"\\]|\\.)*")')
_HOLE = re.compile(r"\{[^}]*\}|#")
_HOLES = {
    _ARRIVAL: {"{r.name}", "{lend.name}"},
    _PUT: {"{o}", "{r}"},
    _PUT_ANSWER: {"{o.name}", "{r.name}"},
}


class GameFileError(ValueError):
    """Raised for a game file that is malformed, too large or not supported."""


class UnknownGameError(GameFileError):
    """Raised for a game whose rules, wording or goal the native engine lacks."""


class HouseholdGame(NamedTuple):
    """A game for the native engine.

    Attributes:
        house: The household, with its goal and initial state.
        words: The phrases that differ between games.
    """

    house: House
    words: Words


def read_game_file(path: Path) -> dict[str, Any]:
    """Read a game file, without parsing its parts.

    Raises:
        GameFileError: If the file is not a game file.
    """
    try:
        data = json.loads(read_text(path, path.parent))
    except (ValueError, RecursionError) as error:
        raise GameFileError(f"{path.name} is not a game file: {error}") from error
    if not isinstance(data, dict) or not all(
        isinstance(data.get(key), str) for key in _KEYS
    ):
        raise GameFileError(
            f"{path.name} is not a game file: it needs the texts {sorted(_KEYS)}"
        )
    return data


@lru_cache(maxsize=64)
def load_game(path: Path, changed: int = 0) -> HouseholdGame:
    """Read a game file for the native engine; the last 64 are cached.

    Args:
        path: The file.
        changed: The time of its last change, which invalidates the cache.

    Raises:
        UnknownGameError: If the native engine does not know its rules or wording.
        GameFileError: If the file is not a game file.
    """
    return parse_game(read_game_file(path))


def parse_game(data: Mapping[str, Any]) -> HouseholdGame:
    """Parse the texts of a game file.

    Args:
        data: The texts ``pddl_domain``, ``pddl_problem`` and ``grammar``.

    Raises:
        UnknownGameError: If the engine does not know the domain or the grammar, or the
            goal is not one of the six types.
        GameFileError: If the problem is malformed or exceeds a limit.
    """
    washes = _washes(data["pddl_domain"])
    words = _words(data["grammar"])
    if washes is None or words is None:
        part = "domain" if washes is None else "grammar"
        raise UnknownGameError(
            f"this game's {part} is not one of those that the engine reproduces"
        )
    problem = re.sub(r";[^\n]*", "", data["pddl_problem"]).lower()
    facts, _, rest = problem.partition("(:init")[2].partition("(:goal")
    formula = rest.partition("(:metric")[0]
    goal = read_goal(_balanced(formula))
    if goal is None:
        raise UnknownGameError(
            f"the goal is not of a known type: {' '.join(formula.split())[:200]}"
        )
    atoms = _facts(facts)
    consulted = sorted({atom[0] for atom in atoms} & _NEVER_AT_START)
    if consulted:
        raise UnknownGameError(
            f"the engine does not support {', '.join(consulted)} in the initial state"
        )
    house = build_house(atoms, goal, washes, helps=bool(words.help))
    return HouseholdGame(house, words)


def _facts(init: str) -> list[Atom]:
    """Return the atoms of a problem's ``:init``, in lower case.

    Args:
        init: The text after ``(:init``.

    Raises:
        GameFileError: If a fact lacks names or has too many, the agent or a location
            is missing, or the household exceeds a limit.
    """
    atoms = [tuple(atom.split()) for atom in _ATOM.findall(init)]
    # The pattern finds the inner parentheses of `(= (total-cost) 0)`.
    atoms = [atom for atom in atoms if atom and atom[0] not in ("=", "total-cost")]
    for atom in atoms:
        wanted = _ARITIES.get(atom[0], len(atom) - 1)
        if len(atom) - 1 != wanted:
            raise GameFileError(
                f"({' '.join(atom)!s:.200}) must have {wanted} names, "
                f"not {len(atom) - 1}"
            )
    agents = [atom for atom in atoms if atom[0] == "atlocation"]
    if len(agents) != 1:
        raise GameFileError(
            f"the problem must have one (atlocation AGENT LOCATION), not {len(agents)}"
        )
    return atoms


def _balanced(text: str) -> str:
    """Return a text up to the end of its first parenthesized expression."""
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if character == ")" and depth == 0:
            return text[: place + 1].strip()
    return text.strip()


@lru_cache(maxsize=8)
def _washes(domain: str) -> frozenset[str] | None:
    tokens = re.findall(r"[()]|[^\s()]+", re.sub(r";[^\n]*", "", domain).lower())
    return _DOMAINS.get(_digest(" ".join(tokens).replace(_HELP_ACTION, "")))


def _words(grammar: str) -> Words | None:
    """Return the phrases of a known grammar, or None for an unknown one."""
    cut = grammar
    phrases = []
    for pattern, holes in _HOLES.items():
        found = pattern.search(cut)
        if found is None or not holes.issuperset(_HOLE.findall(found[1])):
            return None
        phrases.append(_string(found[1]))
        cut = cut[: found.start()] + cut[found.end() :]
    help_answer = _help(grammar)
    if help_answer is None:
        return None
    arrival, put, put_answer = phrases
    # Two actions of movable receptacles have the same phrase.
    cut = cut.replace(f'template :: "{put}"', f'template :: "{MOVE}"')
    cut = _HELP.sub("", _TASK.sub('""', cut, count=1))
    if _digest(" ".join(cut.split())) not in _GRAMMARS:
        return None
    return Words(_task(grammar), put, put_answer, arrival, help_answer)


def _task(grammar: str) -> str:
    found = _TASK.search(grammar)
    if found is None:
        raise UnknownGameError('the grammar lacks "Your task is to: ..."')
    return _string(found[1])


def _help(grammar: str) -> str | None:
    block = _HELP.search(grammar)
    if block is None:
        return ""
    literal = _HELP_LITERAL.search(block[1])
    if literal:
        return literal[1].lstrip()
    rule = _HELP_RULE.search(block[1])
    return None if rule is None else _string(rule[1][1:-1]).lstrip()


def _string(escaped: str) -> str:
    try:
        text: str = json.loads(f'"{escaped}"')
    except ValueError as error:
        raise GameFileError(f"malformed text in the grammar: {error}") from error
    return text


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
