"""A household: its goal, its constant part, and its state."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

NOTHING = -1


PLACE = "pick_and_place_simple"
LOOK = "look_at_obj_in_light"
CLEAN = "pick_clean_then_place_in_recep"
HEAT = "pick_heat_then_place_in_recep"
COOL = "pick_cool_then_place_in_recep"
TWO = "pick_two_obj_and_place"

TASK_TYPES = (PLACE, LOOK, CLEAN, HEAT, COOL, TWO)
# How the object is processed before it is placed, for the types of task that need it.
PROCESSES = {CLEAN: "clean", HEAT: "heat", COOL: "cool"}

_PROCESSED = (
    "(and (exists (?r - receptacle) (exists (?o - object) (and ({able} ?o) "
    "(objecttype ?o {obj}type) (receptacletype ?r {recep}type) ({is_done} ?o) "
    "(inreceptacle ?o ?r)))))"
)
FORMULAS = {
    PLACE: (
        "(and (exists (?r - receptacle) (exists (?o - object) (and "
        "(inreceptacle ?o ?r) (objecttype ?o {obj}type) "
        "(receptacletype ?r {recep}type)))))"
    ),
    LOOK: (
        "(and (exists (?ot - object ?r - receptacle ?a - agent ?l - location) (and "
        "(objecttype ?ot {toggle}type) (toggleable ?ot) (istoggled ?ot) "
        "(receptacleatlocation ?r ?l) (atlocation ?a ?l) (inreceptacle ?ot ?r))) "
        "(exists (?o - object ?a - agent) (and (objecttype ?o {obj}type) "
        "(holds ?a ?o))))"
    ),
    CLEAN: _PROCESSED.replace("{able}", "cleanable").replace("{is_done}", "isclean"),
    HEAT: _PROCESSED.replace("{able}", "heatable").replace("{is_done}", "ishot"),
    COOL: _PROCESSED.replace("{able}", "coolable").replace("{is_done}", "iscool"),
    TWO: (
        "(and (exists (?r - receptacle) (exists (?o1 - object) (and "
        "(objecttype ?o1 {obj}type) (receptacletype ?r {recep}type) "
        "(inreceptacle ?o1 ?r) (exists (?o2 - object) (and (not (= ?o1 ?o2)) "
        "(objecttype ?o2 {obj}type) (receptacletype ?r {recep}type) "
        "(inreceptacle ?o2 ?r)))))))"
    ),
}


class Goal(NamedTuple):
    """A goal, in terms of types of objects and receptacles.

    Attributes:
        task_type: One of the six official types.
        target: The type of the object or objects to handle.
        receptacle: The type of receptacle to put it in; "" for examining in light.
        toggle: The type of lamp for examining in light, otherwise "".
    """

    task_type: str
    target: str
    receptacle: str = ""
    toggle: str = ""

    @property
    def process(self) -> str:
        """How the object is processed: "clean", "heat", "cool" or ""."""
        return PROCESSES.get(self.task_type, "")

    @property
    def formula(self) -> str:
        """The goal as PDDL."""
        return FORMULAS[self.task_type].format(
            obj=self.target, recep=self.receptacle, toggle=self.toggle
        )


def read_goal(formula: str) -> Goal | None:
    """Parse a goal formula of one of the six types.

    Args:
        formula: A goal formula in lower case, in any layout.

    Returns:
        The goal, or None for any other formula.
    """
    text = _compact(formula)
    for task_type, pattern in _PATTERNS.items():
        found = pattern.fullmatch(text)
        if found:
            part = found.groupdict("")
            return Goal(
                task_type, part["obj"], part.get("recep", ""), part.get("toggle", "")
            )
    return None


def _compact(formula: str) -> str:
    return re.sub(r"\s*([()])\s*", r"\1", " ".join(formula.split()))


def _pattern(formula: str) -> re.Pattern[str]:
    pattern = re.escape(_compact(formula))
    for part in ("obj", "recep", "toggle"):
        hole = re.escape(f"{{{part}}}")
        pattern = pattern.replace(hole, rf"(?P<{part}>\w+?)", 1)
        pattern = pattern.replace(hole, rf"(?P={part})")
    return re.compile(pattern)


_PATTERNS = {task_type: _pattern(formula) for task_type, formula in FORMULAS.items()}


class State(NamedTuple):
    """The state of a game; objects and places are indices into the house's tuples.

    Attributes:
        location: The agent's location.
        held: The object in the agent's hand, or ``NOTHING``.
        opened: The open receptacles.
        contents: For each receptacle, the objects in it.
        spots: Objects and their locations, which the domain stores besides
            ``contents``.
        vacated: Objects and the receptacles from which they were taken.
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
    """The constant part of a game, shared by all its episodes.

    Objects and places are numbered in the order of their sorted ids. Observations list
    them in the same order.

    Attributes:
        goal: The goal.
        receptacles: The receptacles' ids.
        objects: The objects' ids.
        locations: The locations' ids.
        receptacle_names: The receptacles' names, such as "cabinet 3".
        object_names: The objects' names, such as "mug 1".
        location_names: The locations' names, such as "loc 12".
        receptacle_types: The receptacles' types, such as "cabinet".
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
        vessels: Objects that can contain others, with their contents.
        fits: Pairs of a type of receptacle and a type of object that it can contain.
        washes: The types of receptacle in which objects are cleaned.
        helps: Whether "help" is a command; older games lack it.
        start: The initial state.
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
    helps: bool
    start: State

    @cached_property
    def targets(self) -> frozenset[int]:
        """The objects of the goal's type."""
        return frozenset(
            number
            for number, kind in enumerate(self.object_types)
            if kind == self.goal.target
        )

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """The receptacles of the goal's type."""
        return tuple(
            number
            for number, kind in enumerate(self.receptacle_types)
            if kind == self.goal.receptacle
        )

    @cached_property
    def end_places(self) -> frozenset[int]:
        """The locations of the receptacles of the goal's type."""
        return frozenset([self.places[end] for end in self.ends])

    @cached_property
    def processors(self) -> tuple[int, ...]:
        """The receptacles that clean, heat or cool as the goal requires."""
        kinds = {
            "clean": self.washes,
            "heat": frozenset({"microwave"}),
            "cool": frozenset({"fridge"}),
        }.get(self.goal.process, frozenset())
        return tuple(
            number for number, kind in enumerate(self.receptacle_types) if kind in kinds
        )

    @cached_property
    def lamps(self) -> frozenset[int]:
        """The lamps of the goal's type."""
        return frozenset(
            thing
            for thing in self.toggleable
            if self.object_types[thing] == self.goal.toggle
        )

    @cached_property
    def plan_objects(self) -> frozenset[int]:
        """The objects whose places matter to a plan."""
        return self.targets | self.lamps

    @cached_property
    def plan_receptacles(self) -> frozenset[int]:
        """The receptacles that matter to a plan even if they are empty."""
        return frozenset({*self.ends, *self.processors})

    @cached_property
    def _holders(self) -> dict[str, tuple[int, ...]]:
        return {}

    def holders(self, thing: int) -> tuple[int, ...]:
        """Return the receptacles that can contain an object."""
        kind = self.object_types[thing]
        found = self._holders.get(kind)
        if found is None:
            kinds = {
                one for one in set(self.receptacle_types) if (one, kind) in self.fits
            }
            found = self._holders[kind] = tuple(
                number
                for number, one in enumerate(self.receptacle_types)
                if one in kinds
            )
        return found

    def __deepcopy__(self, memo: dict[int, Any]) -> House:
        """Return the house itself, which is immutable."""
        return self

    def can_hold(self, receptacle: int, thing: int) -> bool:
        """Return whether a receptacle can contain an object."""
        types = (self.receptacle_types[receptacle], self.object_types[thing])
        return types in self.fits
