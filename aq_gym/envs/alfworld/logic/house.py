"""A household: what never changes in it, and one moment of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from aq_gym.envs.alfworld.logic.goal import Goal

__all__ = ["NOTHING", "Atom", "House", "State", "build_house", "entity_names"]

Atom = tuple[str, ...]
NOTHING = -1

_ESCAPES = (
    ("_bar_", "|"),
    ("_minus_", "-"),
    ("_plus_", "+"),
    ("_dot_", "."),
    ("_comma_", ","),
)


class State(NamedTuple):
    """One moment of a game, as a value; things are indices into the house's tuples.

    Attributes:
        location: Where the agent stands.
        held: The object in the agent's hand, ``NOTHING`` for none.
        opened: The receptacles that stand open.
        contents: For each receptacle, the objects in it.
        spots: Objects and the locations they are at, as the domain keeps them
            besides ``contents``.
        vacated: Objects and the receptacles they were taken from and are not in.
        clean: Objects that have been cleaned.
        hot: Objects that are hot.
        cool: Objects that are cool.
        toggled: Objects that have been switched on.
        sliced: Objects that have been sliced.
    """

    location: int
    held: int
    opened: frozenset[int]
    contents: tuple[frozenset[int], ...]
    spots: frozenset[tuple[int, int]]
    vacated: frozenset[tuple[int, int]]
    clean: frozenset[int]
    hot: frozenset[int]
    cool: frozenset[int]
    toggled: frozenset[int]
    sliced: frozenset[int]


@dataclass(frozen=True)
class House:
    """What never changes during a game; shared by every game played in it.

    Things are numbered in the order of their sorted ids, which is the order that
    observations list them in.

    Attributes:
        goal: What is to be achieved.
        receptacles: The receptacles' ids.
        objects: The objects' ids.
        locations: The locations' ids.
        receptacle_names: The receptacles' names, as "cabinet 3".
        object_names: The objects' names, as "mug 1".
        location_names: The locations' names, as "loc 12".
        receptacle_types: The receptacles' types, as "cabinet".
        object_types: The objects' types.
        places: The location of each receptacle.
        nearby: The receptacles at each location.
        openable: Receptacles that can be opened and closed.
        portable: Objects that can be taken.
        cleanable: Objects that can be cleaned.
        heatable: Objects that can be heated.
        coolable: Objects that can be cooled.
        sliceable: Objects that can be sliced.
        toggleable: Objects that can be switched on.
        vessels: Objects that can themselves contain objects, and what is in them.
        fits: Pairs of a receptacle's type and an object's type that it can contain.
        washes: Types of receptacle that things are cleaned with.
        start: The first moment.
    """

    goal: Goal
    receptacles: tuple[str, ...]
    objects: tuple[str, ...]
    locations: tuple[str, ...]
    receptacle_names: tuple[str, ...]
    object_names: tuple[str, ...]
    location_names: tuple[str, ...]
    receptacle_types: tuple[str, ...]
    object_types: tuple[str, ...]
    places: tuple[int, ...]
    nearby: tuple[tuple[int, ...], ...]
    openable: frozenset[int]
    portable: frozenset[int]
    cleanable: frozenset[int]
    heatable: frozenset[int]
    coolable: frozenset[int]
    sliceable: frozenset[int]
    toggleable: frozenset[int]
    vessels: dict[int, tuple[int, ...]]
    fits: frozenset[tuple[str, str]]
    washes: frozenset[str]
    start: State

    def __deepcopy__(self, memo: dict[int, Any]) -> House:
        """Return itself: nothing in it ever changes."""
        return self

    def can_hold(self, receptacle: int, thing: int) -> bool:
        """Tell whether a receptacle can contain an object."""
        types = (self.receptacle_types[receptacle], self.object_types[thing])
        return types in self.fits


def build_house(
    atoms: Iterable[Atom], goal: Goal, washes: frozenset[str] = frozenset({"sinkbasin"})
) -> House:
    """Build a household from the atoms of a problem's ``:init``, in lower case.

    Args:
        atoms: Predicate and arguments; predicates the domain's actions never look at
            count for the numbering of the names alone.
        goal: What is to be achieved.
        washes: Types of receptacle that things are cleaned with.
    """
    facts: dict[str, list[Atom]] = defaultdict(list)
    for atom in atoms:
        facts[atom[0]].append(atom[1:])
    names = entity_names(
        {entity for rows in facts.values() for row in rows for entity in row}
    )
    receptacles = _numbers(row[0] for row in facts["receptacleatlocation"])
    objects = _numbers(
        row[0] for key in ("objecttype", "objectatlocation") for row in facts[key]
    )
    locations = _numbers(
        row[1]
        for key in ("receptacleatlocation", "objectatlocation", "atlocation")
        for row in facts[key]
    )
    places = [0] * len(receptacles)
    nearby: list[list[int]] = [[] for _ in locations]
    for receptacle, location in sorted(facts["receptacleatlocation"]):
        places[receptacles[receptacle]] = locations[location]
        nearby[locations[location]].append(receptacles[receptacle])

    def marked(predicate: str, numbers: dict[str, int] = objects) -> frozenset[int]:
        return frozenset(
            numbers[row[0]] for row in facts[predicate] if row[0] in numbers
        )

    vessels: dict[int, list[int]] = {
        number: [] for number in marked("isreceptacleobject")
    }
    for thing, vessel in facts["inreceptacleobject"]:
        vessels.setdefault(objects[vessel], []).append(objects[thing])
    return House(
        goal=goal,
        receptacles=tuple(receptacles),
        objects=tuple(objects),
        locations=tuple(locations),
        receptacle_names=tuple(names[entity] for entity in receptacles),
        object_names=tuple(names[entity] for entity in objects),
        location_names=tuple(names[entity] for entity in locations),
        receptacle_types=_types(facts["receptacletype"], receptacles),
        object_types=_types(facts["objecttype"], objects),
        places=tuple(places),
        nearby=tuple(map(tuple, nearby)),
        openable=marked("openable", receptacles),
        portable=marked("pickupable"),
        cleanable=marked("cleanable"),
        heatable=marked("heatable"),
        coolable=marked("coolable"),
        sliceable=marked("sliceable"),
        toggleable=marked("toggleable"),
        vessels={key: tuple(sorted(vessels[key])) for key in sorted(vessels)},
        fits=frozenset(
            (_bare(rtype), _bare(otype)) for rtype, otype in facts["cancontain"]
        ),
        washes=washes,
        start=_start(facts, receptacles, objects, locations, marked),
    )


def entity_names(ids: Iterable[str]) -> dict[str, str]:
    """Name every id as ALFWorld does: per name over sorted ids, counting down.

    Args:
        ids: Such as ``mug_bar__plus_00_dot_63_bar_...``.

    Returns:
        Each id's name, such as ``mug 2``; an id without a position has no number,
        and its name ends with a blank.
    """
    ordered = sorted(ids)
    bases = {}
    for entity in ordered:
        base, bar, _ = entity.partition("_bar_")
        if bar:
            bases[entity] = base + ("basin" if "basin" in entity else "")
    left = Counter(bases.values())
    names = {}
    for entity in ordered:
        if entity in bases:
            base = bases[entity]
            names[entity] = f"{base} {left[base]}"
            left[base] -= 1
        else:
            names[entity] = f"{_unescape(entity)} "
    return names


def _start(
    facts: dict[str, list[Atom]],
    receptacles: dict[str, int],
    objects: dict[str, int],
    locations: dict[str, int],
    marked: Any,
) -> State:
    contents: list[set[int]] = [set() for _ in receptacles]
    for thing, receptacle in facts["inreceptacle"]:
        contents[receptacles[receptacle]].add(objects[thing])
    return State(
        location=locations[facts["atlocation"][0][1]],
        held=NOTHING,
        opened=marked("opened", receptacles),
        contents=tuple(map(frozenset, contents)),
        spots=frozenset(
            (objects[thing], locations[location])
            for thing, location in facts["objectatlocation"]
        ),
        vacated=frozenset(),
        clean=marked("isclean"),
        hot=marked("ishot"),
        cool=marked("iscool"),
        toggled=marked("istoggled"),
        sliced=marked("issliced"),
    )


def _numbers(ids: Iterable[str]) -> dict[str, int]:
    return {entity: number for number, entity in enumerate(sorted(set(ids)))}


def _types(rows: Sequence[Atom], numbers: dict[str, int]) -> tuple[str, ...]:
    types = {row[0]: row[1] for row in rows}
    return tuple(_bare(types.get(entity, "")) for entity in numbers)


def _bare(type_name: str) -> str:
    return type_name.removesuffix("type")


def _unescape(entity: str) -> str:
    for escape, character in _ESCAPES:
        entity = entity.replace(escape, character)
    return entity
