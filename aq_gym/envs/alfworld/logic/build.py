"""Construct a household from its initial facts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from aq_gym.envs.alfworld.logic.house import NOTHING, Goal, House, State

Atom = tuple[str, ...]
_BASIN = frozenset({"sinkbasin"})
_ESCAPES = (
    ("_bar_", "|"),
    ("_minus_", "-"),
    ("_plus_", "+"),
    ("_dot_", "."),
    ("_comma_", ","),
)


class _Facts:
    """The atoms by predicate, and the numbers of objects and places."""

    def __init__(self, atoms: Iterable[Atom]) -> None:
        self.rows: dict[str, list[Atom]] = defaultdict(list)
        for atom in atoms:
            self.rows[atom[0]].append(atom[1:])
        rows = self.rows
        self.names = entity_names(
            {entity for some in rows.values() for row in some for entity in row}
        )
        self.receptacles = _numbers(row[0] for row in rows["receptacleatlocation"])
        self.objects = _numbers(
            row[0]
            for key in ("objecttype", "objectatlocation", "inreceptacle")
            for row in rows[key]
        )
        self.locations = _numbers(
            row[1]
            for key in ("receptacleatlocation", "objectatlocation", "atlocation")
            for row in rows[key]
        )

    def objects_that(self, predicate: str) -> frozenset[int]:
        return _marked(self.rows[predicate], self.objects)

    def pairs(self, predicate: str, numbers: dict[str, int]) -> list[tuple[int, int]]:
        """Return a predicate's pairs of objects and places as numbers."""
        return [
            (self.objects[thing], numbers[place])
            for thing, place in self.rows[predicate]
            if thing in self.objects and place in numbers
        ]

    def receptacles_that(self, predicate: str) -> frozenset[int]:
        return _marked(self.rows[predicate], self.receptacles)


def build_house(
    atoms: Iterable[Atom],
    goal: Goal,
    washes: frozenset[str] = _BASIN,
    helps: bool = True,
) -> House:
    """Build a household from the atoms of a problem's ``:init``, in lower case.

    Args:
        atoms: Predicates with arguments. Predicates that no action of the domain uses
            only affect the numbers in names.
        goal: The goal.
        washes: The types of receptacle in which objects are cleaned.
        helps: Whether "help" is a command.
    """
    facts = _Facts(atoms)
    names = facts.names
    places, nearby = _places(facts)
    return House(
        goal=goal,
        receptacles=tuple(facts.receptacles),
        objects=tuple(facts.objects),
        locations=tuple(facts.locations),
        receptacle_names=tuple(names[entity] for entity in facts.receptacles),
        object_names=tuple(names[entity] for entity in facts.objects),
        location_names=tuple(names[entity] for entity in facts.locations),
        receptacle_types=_types(facts.rows["receptacletype"], facts.receptacles),
        object_types=_types(facts.rows["objecttype"], facts.objects),
        places=places,
        nearby=nearby,
        openable=facts.receptacles_that("openable"),
        portable=facts.objects_that("pickupable"),
        cleanable=facts.objects_that("cleanable"),
        heatable=facts.objects_that("heatable"),
        coolable=facts.objects_that("coolable"),
        sliceable=facts.objects_that("sliceable"),
        toggleable=facts.objects_that("toggleable"),
        vessels=_vessels(facts),
        fits=frozenset(
            (_bare(rtype), _bare(otype)) for rtype, otype in facts.rows["cancontain"]
        ),
        washes=washes,
        helps=helps,
        start=_start(facts),
    )


def entity_names(ids: Iterable[str]) -> dict[str, str]:
    """Name every id as ALFWorld does; the numbers descend in the order of the ids.

    Args:
        ids: The ids, such as ``mug_bar__plus_00_dot_63_bar_...``.

    Returns:
        Each id's name, such as ``mug 2``; an id without a position has no number,
        and its name ends with a space.
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


def _places(facts: _Facts) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """Return each receptacle's location, and each location's receptacles."""
    places = [0] * len(facts.receptacles)
    nearby: list[list[int]] = [[] for _ in facts.locations]
    for receptacle, location in sorted(facts.rows["receptacleatlocation"]):
        places[facts.receptacles[receptacle]] = facts.locations[location]
        nearby[facts.locations[location]].append(facts.receptacles[receptacle])
    return tuple(places), tuple(map(tuple, nearby))


def _vessels(facts: _Facts) -> dict[int, tuple[int, ...]]:
    inside: dict[int, list[int]] = {
        vessel: [] for vessel in sorted(facts.objects_that("isreceptacleobject"))
    }
    for thing, vessel in facts.pairs("inreceptacleobject", facts.objects):
        if vessel in inside:
            inside[vessel].append(thing)
    return {vessel: tuple(sorted(things)) for vessel, things in inside.items()}


def _start(facts: _Facts) -> State:
    contents: list[set[int]] = [set() for _ in facts.receptacles]
    for thing, receptacle in facts.pairs("inreceptacle", facts.receptacles):
        contents[receptacle].add(thing)
    return State(
        location=facts.locations[facts.rows["atlocation"][0][1]],
        held=NOTHING,
        opened=facts.receptacles_that("opened"),
        contents=tuple(map(frozenset, contents)),
        spots=frozenset(facts.pairs("objectatlocation", facts.locations)),
        vacated=frozenset(),
        clean=facts.objects_that("isclean"),
        hot=facts.objects_that("ishot"),
        cool=facts.objects_that("iscool"),
        toggled=facts.objects_that("istoggled"),
        sliced=facts.objects_that("issliced"),
    )


def _marked(rows: Sequence[Atom], numbers: dict[str, int]) -> frozenset[int]:
    return frozenset(numbers[row[0]] for row in rows if row[0] in numbers)


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
