"""Generation of a household from a number."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple, TypeVar

from aq_gym.envs.alfworld.floor_plans import (
    PROCESSORS,
    Plan,
    Receptacle,
    facts,
    plans,
    start_types,
)
from aq_gym.envs.alfworld.logic.build import Atom
from aq_gym.envs.alfworld.logic.house import PROCESSES, TWO, Goal

T = TypeVar("T")

# Numbers of objects of the target's type and of every other type, drawn uniformly.
# Their means are those of the official games.
_TARGETS = (1, 1, 1, 2, 2, 3, 4)
_OTHERS = (1, 1, 1, 2, 2, 3, 3)
# Numbers of objects that belong to the room, as in the official games; other such
# objects occur once.
_SCENERY: dict[str, dict[str, tuple[int, ...]]] = {
    "bathroom": {"sink": (1, 1, 2), "window": (1, 1, 1, 1, 1, 2)},
    "bedroom": {
        "blinds": (1, 1, 2),
        "chair": (1, 1, 1, 2),
        "painting": (1, 1, 2, 3),
        "window": (1, 1, 1, 2),
    },
    "kitchen": {"chair": (1, 1, 2), "stoveknob": (4,), "window": (1, 1, 2)},
    "livingroom": {
        "chair": (2, 3, 4, 4, 5, 6, 6),
        "painting": (1, 1, 2, 2, 3, 4),
        "window": (1, 2, 2, 3, 4, 7),
    },
}
# The receptacles on which some of these objects stand, as in the official games.
# Without such a receptacle they stand in the room, like all other scenery.
_STANDS = {
    "houseplant": {"coffeetable", "countertop", "desk", "diningtable", "sidetable"},
    "papertowelroll": {"countertop", "diningtable", "shelf"},
    "teddybear": {"bed"},
    "television": {"dresser", "tvstand"},
}
# Objects that lie on the floor in the official games, unless they are the target.
_ON_FLOOR = {
    "bathroom": {"plunger"},
    "bedroom": {"baseballbat", "basketball", "box", "tennisracket"},
}
# Receptacles that hold more objects than a cabinet or a shelf.
_WIDE = frozenset(
    {"countertop", "diningtable", "desk", "bed", "fridge", "dresser", "coffeetable"}
)
_WIDE_WEIGHT = 4
_AXIS = tuple(
    f"{'minus' if value < 0 else 'plus'}_{abs(value) // 100:02}_dot_"
    f"{abs(value) % 100:02}"
    for value in range(-300, 301)
)


class Draft(NamedTuple):
    """A generated household, as facts.

    Attributes:
        goal: The goal.
        sentence: The task, in the official data's wording.
        atoms: The initial facts, as PDDL atoms.
        plan: The floor plan's number.
    """

    goal: Goal
    sentence: str
    atoms: list[Atom]
    plan: int


class Limits(NamedTuple):
    """The size of a household.

    Attributes:
        receptacles: The maximum number of receptacles; more if the task needs them.
        distractors: The maximum number of types of object that the task doesn't name.
    """

    receptacles: int | None = None
    distractors: int | None = None


NO_LIMITS = Limits()


def generate(
    task_type: str, number: int, split: str = "all", limits: Limits = NO_LIMITS
) -> Draft:
    """Generate the household of a number.

    Args:
        task_type: One of the six types.
        number: Any integer; the same number always gives the same household.
        split: "all", or "train" or "test", which share no floor plan and no goal.
        limits: The size; by default the size of the official games.
    """
    # Only `random()` is used, because Python guarantees only its sequence. The type is
    # part of the seed, so that one number gives different floor plans to different
    # types.
    chance = _Chance(random.Random(f"{task_type}/{number}"))
    room = chance.weighted(*_weighted_rooms(task_type, split))
    plan = chance.one([p for p in plans(task_type, split) if p.room == room])
    goal = chance.one(chance.one(plan.goals))
    if limits.receptacles is not None:
        plan = _with_receptacles(chance, plan, goal, limits.receptacles)
    if limits.distractors is not None:
        plan = _with_distractors(chance, plan, goal, limits.distractors)
    atoms = [*plan.fixtures, ("atlocation", "agent1", _start(chance, plan))]
    for thing, place in _things(chance, plan, goal):
        atoms += _object(chance, thing, place)
    template = chance.one(facts()["sentences"][task_type])
    sentence = template.format(
        obj=goal.target, recep=goal.receptacle, toggle=goal.toggle
    )
    atoms += _scenery(chance, plan, goal)
    return Draft(goal, f"{sentence}.", atoms, plan.number)


class _Chance:
    """Random choices that use only ``random()``, whose sequence never changes."""

    def __init__(self, source: random.Random) -> None:
        self._random = source.random

    def one(self, choices: Sequence[T]) -> T:
        return choices[int(self._random() * len(choices))]

    def weighted(self, choices: Sequence[T], steps: Sequence[int]) -> T:
        """Choose by the cumulative weights ``steps``."""
        return choices[bisect_right(steps, self._random() * steps[-1])]

    def shuffled(self, items: Collection[T]) -> list[T]:
        left = list(items)
        return [left.pop(int(self._random() * len(left))) for _ in items]


def _with_receptacles(chance: _Chance, plan: Plan, goal: Goal, most: int) -> Plan:
    """Leave out receptacles that the task does not need."""
    hosts = plan.host_types
    needed = [chance.one(start_types(goal, hosts[goal.target]))]
    needed += [goal.receptacle] if goal.receptacle else []
    needed += [chance.one(hosts[goal.toggle])] if goal.toggle else []
    if goal.task_type in PROCESSES:
        needed.append(PROCESSORS[PROCESSES[goal.task_type]])
    layout = plan.layout["receptacles"]
    places = chance.shuffled([(kind, row) for kind in layout for row in layout[kind]])
    kept = [
        next(place for place in places if place[0] == kind)
        for kind in dict.fromkeys(needed)
    ]
    kept += [place for place in places if place not in kept][: max(0, most - len(kept))]
    rows = {kind: [row for one, row in kept if one == kind] for kind in layout}
    return replace(plan, layout={**plan.layout, "receptacles": rows})


def _with_distractors(chance: _Chance, plan: Plan, goal: Goal, most: int) -> Plan:
    """Leave out types of object that the task does not name."""
    named = {goal.target, goal.toggle} & set(plan.hosts)
    others = set(plan.hosts) - named - _ON_FLOOR.get(plan.room, set())
    kept = named | set(chance.shuffled(sorted(others))[:most])
    objects = [thing for thing in plan.layout["objects"] if thing in kept]
    return replace(plan, layout={**plan.layout, "objects": objects})


@lru_cache(maxsize=32)
def _weighted_rooms(task_type: str, split: str) -> tuple[list[str], list[int]]:
    """Return rooms, and running totals of the official games of a type in them."""
    rooms = sorted({plan.room for plan in plans(task_type, split)})
    shares = (facts()["rooms"][room]["tasks"][task_type] for room in rooms)
    return rooms, list(accumulate(shares))


@lru_cache(maxsize=1024)
def _weighted_places(
    places: tuple[Receptacle, ...],
) -> tuple[tuple[Receptacle, ...], list[int]]:
    weights = (_WIDE_WEIGHT if place.type in _WIDE else 1 for place in places)
    return places, list(accumulate(weights))


def _things(chance: _Chance, plan: Plan, goal: Goal) -> list[tuple[str, Receptacle]]:
    """Draw the objects and their receptacles."""
    lamp = facts()["lamp"]
    found = []
    for thing, places in plan.hosts.items():
        if thing != goal.target and thing in _ON_FLOOR.get(plan.room, ()):
            continue
        if thing == lamp:
            count = 1
        elif thing == goal.target:
            count = chance.one(_TARGETS)
            if goal.task_type == TWO:
                count = max(2, count)
            kinds = start_types(goal, plan.host_types[thing])
            places = tuple(place for place in places if place.type in kinds)
        else:
            count = chance.one(_OTHERS)
        weighted = _weighted_places(places)
        found += [(thing, chance.weighted(*weighted)) for _ in range(count)]
    return found


def _scenery(chance: _Chance, plan: Plan, goal: Goal) -> list[Atom]:
    """Draw the objects that cannot be taken; observations name those in receptacles."""
    atoms: list[Atom] = []
    counts = _SCENERY[plan.room]
    floor = (_ON_FLOOR.get(plan.room, set()) & set(plan.hosts)) - {goal.target}
    for kind in (*plan.layout["scenery"], *sorted(floor)):
        stands = [one for one in plan.receptacles if one.type in _STANDS.get(kind, ())]
        for _ in range(chance.one(counts.get(kind, (1,)))):
            name, place = _name(chance, kind), chance.one(stands or plan.receptacles)
            atoms.append(("objecttype", name, f"{kind}type"))
            if stands:
                atoms.append(("inreceptacle", name, place.id))
            atoms.append(("objectatlocation", name, place.location))
    return atoms


def _name(chance: _Chance, kind: str) -> str:
    return f"{kind}_bar__{'_bar__'.join(chance.one(_AXIS) for _ in range(3))}"


def _object(chance: _Chance, thing: str, place: Receptacle) -> list[Atom]:
    name = _name(chance, thing)
    atoms: list[Atom] = [
        ("objecttype", name, f"{thing}type"),
        ("inreceptacle", name, place.id),
        ("objectatlocation", name, place.location),
    ]
    atoms += [(trait, name) for trait in _traits(thing)]
    if place.type == "fridge" and "coolable" in _traits(thing):
        atoms.append(("iscool", name))
    return atoms


@lru_cache(maxsize=256)
def _traits(thing: str) -> tuple[str, ...]:
    table = facts()
    if thing == table["lamp"]:
        return ("toggleable",)
    able = [trait for trait in sorted(table["able"]) if thing in table["able"][trait]]
    if thing in table["vessels"]:
        able.append("isreceptacleobject")
    return ("pickupable", *able)


def _start(chance: _Chance, plan: Plan) -> str:
    """Draw a location without a receptacle."""
    taken = {place.location for place in plan.receptacles}
    while True:
        x, z, turn = (chance.one(_GRID), chance.one(_GRID), chance.one("0123"))
        location = f"loc_bar_{x}_bar_{z}_bar_{turn}_bar_30"
        if location not in taken:
            return location


_GRID = tuple(f"_minus_{-step}" if step < 0 else str(step) for step in range(-8, 9))
