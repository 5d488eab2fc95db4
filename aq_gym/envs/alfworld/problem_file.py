"""The parser of a game's PDDL problem, with size limits."""

from __future__ import annotations

import re
from collections import Counter

from aq_gym.envs.alfworld.game_errors import GameFileError
from aq_gym.envs.alfworld.logic.build import Atom

_MOST_FACTS = 50_000
# Official games have at most 56 receptacles, 100 objects and 10 of one type.
_MOST_RECEPTACLES = 150
_MOST_OBJECTS = 600
_MOST_OF_A_TYPE = 60
_ATOM = re.compile(r"\(([^()]*)\)")
# The number of names after each predicate that a household is built from.
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


def read_facts(init: str) -> list[Atom]:
    """Return the atoms of a problem's ``:init``, in lower case.

    Args:
        init: The text after ``(:init``.

    Raises:
        GameFileError: If a fact lacks names or has too many, the agent or a location
            is missing, or the household is larger than the bounds.
    """
    atoms = [tuple(atom.split()) for atom in _ATOM.findall(init)]
    # `(= (total-cost) 0)` leaves its inner half.
    atoms = [atom for atom in atoms if atom and atom[0] not in ("=", "total-cost")]
    _bound("facts", len(atoms), _MOST_FACTS)
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
    _check_size(atoms)
    return atoms


def _check_size(atoms: list[Atom]) -> None:
    receptacles = {atom[1] for atom in atoms if atom[0] == "receptacleatlocation"}
    of = {"objecttype", "objectatlocation", "inreceptacle"}
    objects = {atom[1] for atom in atoms if atom[0] in of}
    types = Counter(atom[2] for atom in atoms if atom[0] == "objecttype")
    _bound("receptacles", len(receptacles), _MOST_RECEPTACLES)
    _bound("objects", len(objects), _MOST_OBJECTS)
    _bound("objects of one type", max(types.values(), default=0), _MOST_OF_A_TYPE)


def _bound(name: str, count: int, most: int) -> None:
    if count > most:
        raise GameFileError(f"the problem has {count} {name}: at most {most} are read")
