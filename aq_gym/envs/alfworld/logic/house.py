"""A household: its constant part, and its state."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from aq_gym.envs.alfworld.logic.goal import Goal

NOTHING = -1


class State(NamedTuple):
    """The state of a game; objects and places are indices into the house's tuples.

    Attributes:
        location: Where the agent stands.
        held: The object in the agent's hand, or ``NOTHING``.
        opened: The receptacles that stand open.
        contents: For each receptacle, the objects in it.
        spots: Objects and the locations they are at, which the domain stores besides
            ``contents``.
        vacated: Objects and the receptacles that they were taken from.
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

    Objects and places are numbered in the order of their sorted ids, which is the
    order that observations list them in.

    Attributes:
        goal: The goal.
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
        vessels: Objects that can contain other objects, and their contents.
        fits: Pairs of a receptacle's type and an object's type that it can contain.
        washes: Types of receptacle that objects are cleaned with.
        helps: Whether "help" is a command; not in older games.
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
        """The objects that a plan needs where they are."""
        return self.targets | self.lamps

    @cached_property
    def plan_receptacles(self) -> frozenset[int]:
        """The receptacles that a plan needs, whatever is in them."""
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
