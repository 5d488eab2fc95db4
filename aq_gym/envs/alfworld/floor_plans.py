"""The facts from which households are generated: floor plans, and their goals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from aq_gym.core.splits import in_split
from aq_gym.envs.alfworld.logic.build import Atom
from aq_gym.envs.alfworld.logic.house import COOL, LOOK, PROCESSES, Goal
from aq_gym.support.data import packaged_json

PROCESSORS = {"clean": "sinkbasin", "heat": "microwave", "cool": "fridge"}
PROCESSABLE = {"clean": "cleanable", "heat": "heatable", "cool": "coolable"}
_ESCAPES = str.maketrans(
    {"|": "_bar_", "-": "_minus_", "+": "_plus_", ".": "_dot_", ",": "_comma_"}
)


@lru_cache(maxsize=1)
def facts() -> dict[str, Any]:
    """Return the table of facts, which come from the package ``alfworld``."""
    table: dict[str, Any] = packaged_json("aq_gym.envs.alfworld", "data/facts.json")
    return table


def fits(receptacle: str, thing: str) -> bool:
    """Return whether a type of receptacle can contain a type of object."""
    table = facts()
    if thing == table["lamp"]:
        return receptacle in table["lamp_stands"]
    return thing in table["contains"][receptacle]


class Receptacle(NamedTuple):
    """A receptacle of a floor plan."""

    id: str
    type: str
    location: str


@dataclass(frozen=True, eq=False)
class Plan:
    """A floor plan, and the goals of a type of task that it allows.

    Most plans are only checked for a goal, so everything else is computed on first use.

    Attributes:
        number: The floor plan's number in AI2-THOR.
        room: The type of room.
        layout: The plan's entry in the table of facts.
        task_type: The type of task.
        split: The split of the goals: "all", "train" or "test".
    """

    number: int
    room: str
    layout: dict[str, Any]
    task_type: str
    split: str

    @cached_property
    def receptacles(self) -> tuple[Receptacle, ...]:
        """The receptacles."""
        return tuple(
            Receptacle(_id(kind, position), kind, _location(*view))
            for kind, rows in self.layout["receptacles"].items()
            for position, *view in rows
        )

    @cached_property
    def host_types(self) -> dict[str, list[str]]:
        """The types of receptacle that can contain each type of object, sorted.

        A type of object that no receptacle can contain is left out: once taken, it
        could not be put down.
        """
        kinds = sorted(
            kind for kind, rows in self.layout["receptacles"].items() if rows
        )
        found = {}
        for thing in self.layout["objects"]:
            hosts = [kind for kind in kinds if fits(kind, thing)]
            if hosts:
                found[thing] = hosts
        return found

    @cached_property
    def hosts(self) -> dict[str, tuple[Receptacle, ...]]:
        """The receptacles that can contain each type of object."""
        return {
            thing: tuple(place for place in self.receptacles if place.type in kinds)
            for thing, kinds in self.host_types.items()
        }

    @cached_property
    def goals(self) -> tuple[tuple[Goal, ...], ...]:
        """The goals, grouped by the type of their target."""
        found: dict[str, list[Goal]] = {}
        for goal in self._goals():
            found.setdefault(goal.target, []).append(goal)
        return tuple(map(tuple, found.values()))

    @cached_property
    def fixtures(self) -> tuple[Atom, ...]:
        """The facts that don't depend on the objects, as PDDL atoms."""
        table = facts()
        atoms: list[Atom] = []
        for place in self.receptacles:
            atoms.append(("receptacletype", place.id, f"{place.type}type"))
            atoms.append(("receptacleatlocation", place.id, place.location))
            if place.type in table["openable"]:
                atoms.append(("openable", place.id))
        atoms += [
            ("cancontain", f"{kind}type", f"{thing}type")
            for thing, kinds in self.host_types.items()
            for kind in kinds
            if thing != table["lamp"]
        ]
        return tuple(atoms)

    def has_goal(self) -> bool:
        """Return whether the plan allows any goal."""
        return next(self._goals(), None) is not None

    def _goals(self) -> Iterator[Goal]:
        for goal in self._candidates():
            combination = f"{self.task_type}/{goal.target}/{goal.receptacle}"
            kinds = self.host_types[goal.target]
            if start_types(goal, kinds) and in_split(combination, self.split):
                yield goal

    def _candidates(self) -> Iterator[Goal]:
        lamp = facts()["lamp"]
        targets = [thing for thing in self.host_types if thing != lamp]
        if self.task_type == LOOK:
            if lamp in self.host_types:
                yield from (Goal(LOOK, thing, toggle=lamp) for thing in targets)
            return
        process = PROCESSES.get(self.task_type)
        if process:
            able = facts()["able"][PROCESSABLE[process]]
            targets = [thing for thing in targets if thing in able]
            present = (kind for kinds in self.host_types.values() for kind in kinds)
            if PROCESSORS[process] not in present:
                return
        for thing in targets:
            for kind in self.host_types[thing]:
                if not process or kind != PROCESSORS[process]:
                    yield Goal(self.task_type, thing, kind)


@lru_cache(maxsize=32)
def plans(task_type: str, split: str) -> tuple[Plan, ...]:
    """Return the floor plans that allow a type of task.

    Args:
        task_type: One of the six.
        split: "all", "train" or "test". "test" has a fifth of the goals, in the six
            floor plans of each room that are in the official unseen split; "train" has
            the other goals and floor plans.
    """
    table = facts()
    found = []
    for name, room in table["rooms"].items():
        if task_type not in room["tasks"]:
            continue
        for number, layout in room["plans"].items():
            is_test = int(number) in table["test_plans"]
            if split == "all" or is_test == (split == "test"):
                plan = Plan(int(number), name, layout, task_type, split)
                if plan.has_goal():
                    found.append(plan)
    return tuple(sorted(found, key=lambda plan: plan.number))


def start_types(goal: Goal, kinds: list[str]) -> list[str]:
    """Return the types of receptacle that the target may be in at the start.

    The goal's receptacle is excluded, and for cooling also the fridge, because objects
    in it are already cool.
    """
    excluded = {goal.receptacle}
    if goal.task_type == COOL:
        excluded.add(PROCESSORS["cool"])
    return [kind for kind in kinds if kind not in excluded]


def _id(kind: str, position: str) -> str:
    base = kind.removesuffix("basin")
    suffix = f"|{kind}" if base != kind else ""
    return f"{base}|{position}{suffix}".translate(_ESCAPES)


def _location(*view: int) -> str:
    return "|".join(("loc", *map(str, view))).translate(_ESCAPES)
