"""The milestones of a mission, derived from its instructions.

Each clause has these milestones: its target was seen; for each locked door on the
cheapest route, the key was seen, the key was carried, and the door was opened (the
doors on the way to a key are treated in the same way); each closed door on that route
was opened; for "put next to", the thing was carried, and the other thing was seen; for
"pick up" and "open", the target was in front of the agent; the clause is done. An event
that has happened at the start is not a milestone, and an event that two clauses share
counts once.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from aq_gym.envs.babyai.logic.layout import (
    LOCKED,
    OPEN,
    Clause,
    Kind,
    clauses,
)
from aq_gym.envs.babyai.logic.routes import doors_on_route
from aq_gym.envs.babyai.logic.view import View
from aq_gym.envs.babyai.logic.world import World

Event: TypeAlias = Literal["see", "carry", "open", "face", "done"]

_WORDS: dict[Kind, str] = {
    "goto": "go to",
    "pickup": "pick up",
    "open": "open",
    "putnext": "put next to",
}
# The limit of nested locked doors, each hiding the next key; no level has more than
# two.
_DEEPEST = 4


class Milestone(NamedTuple):
    """An event on the way to the goal.

    Attributes:
        name: Its name, which reveals nothing but the number of milestones.
        event: The kind of event.
        things: The event must happen to any of these things; for "done", the clause's
            number.
        clauses: The numbers of the clauses that need it.
    """

    name: str
    event: Event
    things: tuple[int, ...]
    clauses: tuple[int, ...]


def find_milestones(
    world: World, view: View, *, facing: bool = True
) -> tuple[Milestone, ...]:
    """Return the milestones of a world in its initial state.

    Args:
        world: The world.
        view: The visible cells.
        facing: Whether "pick up" and "open" have a milestone for the target in front of
            the agent. Otherwise, a clause with a visible target has only the milestone
            that it is done.
    """
    found: dict[tuple[Event, tuple[int, ...]], Milestone] = {}
    for position, clause in enumerate(clauses(world.layout.root), 1):
        for event, things, what in _Finder(world, facing).find(clause):
            shared = found.get((event, things))
            if shared:
                owners = (*shared.clauses, clause.number)
                found[event, things] = shared._replace(clauses=owners)
            elif not _holds(event, things, world, view):
                name = f"{position}. {_WORDS[clause.kind]}: {what}"
                found[event, things] = Milestone(name, event, things, (clause.number,))
    return tuple(found.values())


def latch(
    milestones: tuple[Milestone, ...],
    reached: tuple[bool, ...],
    world: World,
    view: View,
) -> tuple[bool, ...]:
    """Return which milestones have been reached so far.

    If a clause is done, all its milestones count. If one of its milestones is reached,
    the earlier milestones about doors count too, because the agent may have taken
    another route.
    """
    done = world.verifier.done
    some_done = True in done
    now = None
    for i, milestone in enumerate(milestones):
        if reached[i]:
            continue
        _, event, things, owners = milestone
        if _holds(event, things, world, view) or (
            some_done and any(done[number] for number in owners)
        ):
            now = now or list(reached)
            now[i] = True
    # A fast path: most steps reach no milestone.
    return _with_doors_before(milestones, now) if now else reached


def _with_doors_before(
    milestones: tuple[Milestone, ...], now: list[bool]
) -> tuple[bool, ...]:
    beyond: set[int] = set()
    for i in range(len(now) - 1, -1, -1):
        owner = milestones[i].clauses[0]
        if milestones[i].event == "open" and owner in beyond:
            now[i] = True
        if now[i] and milestones[i].event != "see":
            beyond.add(owner)
    return tuple(now)


def _holds(event: Event, things: tuple[int, ...], world: World, view: View) -> bool:
    if event == "see":
        return not view.known.isdisjoint(things)
    if event == "carry":
        return world.carrying in things
    if event == "face":
        return world.cells[world.front] in things
    return event == "open" and any(world.doors[code] == OPEN for code in things)


class _Finder:
    """Finds the milestones of one clause, in order."""

    def __init__(self, world: World, facing: bool) -> None:
        self._world = world
        self._facing = facing
        self._opened: set[int] = set()
        self._found: list[tuple[Event, tuple[int, ...], str]] = []
        self._keys = 0

    def find(self, clause: Clause) -> list[tuple[Event, tuple[int, ...], str]]:
        self._reach(clause.targets, 0)
        locked = [c for c in clause.targets if self._world.doors[c] == LOCKED]
        if clause.kind == "open" and len(locked) == len(clause.targets):
            self._get_key(locked[0], 0)
        self._add("see", clause.targets, "target seen")
        if clause.kind == "putnext":
            self._add("carry", clause.targets, "target carried")
            self._add("see", clause.fixed, "its place seen")
        if self._facing and clause.kind in ("pickup", "open"):
            self._add("face", clause.targets, "target in front")
        self._add("done", (clause.number,), "done")
        return self._found

    def _add(self, event: Event, things: tuple[int, ...], what: str) -> None:
        self._found.append((event, things, what))

    def _reach(self, targets: tuple[int, ...], depth: int) -> None:
        for door in doors_on_route(self._world, targets, self._opened):
            if self._world.doors[door] == LOCKED and depth < _DEEPEST:
                self._get_key(door, depth)
            self._opened.add(door)
            self._add("open", (door,), f"door {len(self._opened)} on the way open")

    def _get_key(self, door: int, depth: int) -> None:
        """Find the milestones of getting a door's key, which can be in a box."""
        things = self._world.things
        color = things[door].color
        keys: list[int] = []
        holders: list[int] = []
        for code in sorted({*self._world.cells, self._world.carrying}):
            content = things[code].contains
            key = content if things[content].kind == "key" else code
            if things[key].kind == "key" and things[key].color == color:
                keys.append(key)
                holders.append(code)
        if keys:
            self._reach(tuple(holders), depth + 1)
            self._keys += 1
            self._add("see", tuple(holders), f"key {self._keys} seen")
            self._add("carry", tuple(keys), f"key {self._keys} carried")
