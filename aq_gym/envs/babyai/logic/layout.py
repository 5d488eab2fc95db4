"""The parts of a BabyAI world: things, cells and the clauses of the mission."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import product
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

_COLOR = re.compile(r"\b(red|green|blue|purple|yellow|grey)\b")
_SIDE = re.compile(r"\b(left|right)\b")
_OPPOSITE = {"left": "right", "right": "left"}
# The content of a cell: nothing, a wall, or the index of a thing in Layout.things.
EMPTY, WALL = 0, 1
# The states of a door.
OPEN, CLOSED, LOCKED = range(3)
# The primitive actions, numbered as minigrid does.
LEFT, RIGHT, FORWARD, PICKUP, DROP, TOGGLE, DONE = range(7)

Kind: TypeAlias = Literal["goto", "pickup", "open", "putnext"]


class Thing(NamedTuple):
    """A door, key, ball or box.

    Attributes:
        kind: "door", "key", "ball" or "box"; or "" for an empty cell and "wall".
        color: Its colour.
        contains: The thing in a box; EMPTY if there is none.
    """

    kind: str
    color: str
    contains: int = EMPTY


class Clause(NamedTuple):
    """One atomic instruction.

    Attributes:
        number: Its number among all nodes of the mission.
        kind: The kind of instruction.
        targets: Things; one of them must be reached, opened or moved.
        fixed: For "putnext", the things next to which a target must be put.
        cells: The cells of the targets at the start.
        strict: Whether the mission fails if it is done with a wrong thing.
    """

    number: int
    kind: Kind
    targets: tuple[int, ...]
    fixed: tuple[int, ...]
    cells: tuple[int, ...]
    strict: bool


class Sequence(NamedTuple):
    """Two parts of a mission, in the order of its text.

    Attributes:
        number: Its number among all nodes of the mission.
        ordered: Whether the first part must be done before the second.
        first: A part.
        second: A part.
    """

    number: int
    ordered: bool
    first: Node
    second: Node


Node: TypeAlias = Clause | Sequence


class Layout(NamedTuple):
    """An instance in its initial state; immutable.

    Attributes:
        level: minigrid's name of the level, without prefix.
        seed: The seed that the world was generated from.
        mission: The mission in minigrid's words.
        root: The mission as a tree.
        width: The number of cells in a row.
        cells: The content of each cell, row by row, with a margin of walls, so that
            every view lies within it.
        doors: The state of each thing that is a door.
        agent: The cell of the agent.
        heading: The agent's direction: 0 right, 1 down, 2 left, 3 up.
        carrying: The thing that the agent carries.
        things: Every thing, by its number in ``cells``.
        limit: minigrid's own step limit.
    """

    level: str
    seed: int
    mission: str
    root: Node
    width: int
    cells: bytes
    doors: bytes
    agent: int
    heading: int
    carrying: int
    things: tuple[Thing, ...]
    limit: int = 0


def margin(width: int) -> int:
    """Return the number of margin cells before, and after, a layout's own cells."""
    return 4 * (width + 1)


def steps(width: int) -> tuple[int, int, int, int]:
    """Return, for each heading, how a step changes the number of the agent's cell."""
    return 1, width, -1, -width


def clauses(node: Node) -> tuple[Clause, ...]:
    """Return the atomic instructions in the order of the mission."""
    if isinstance(node, Clause):
        return (node,)
    return clauses(node.first) + clauses(node.second)


def node_count(node: Node) -> int:
    """Count the nodes of a mission."""
    if isinstance(node, Clause):
        return 1
    return 1 + node_count(node.first) + node_count(node.second)


def is_solvable(layout: Layout) -> bool:
    """Return whether the targets of every clause can be reached with reachable keys.

    minigrid accepts some worlds in which the only key is behind its own door, and some
    in which things that must not be touched surround the target.
    """
    return all(_is_doable(layout, clause) for clause in clauses(layout.root))


def forbidden(layout: Layout, clause: Clause) -> set[int]:
    """Return the things that must not be opened or picked up during a strict clause."""
    if not clause.strict:
        return set()
    # Boxes are not solid: a box that must not be picked up can be opened instead.
    kinds = ("door",) if clause.kind == "open" else ("key", "ball")
    return {
        code
        for code, thing in enumerate(layout.things)
        if thing.kind in kinds and code not in clause.targets
    }


def _is_doable(layout: Layout, clause: Clause) -> bool:
    solid = forbidden(layout, clause)
    locked = {c for c, state in enumerate(layout.doors) if state == LOCKED}
    while True:
        met = _meet(layout, solid | locked)
        opened = {door for door in locked & met if _has_key(layout, door, met)}
        if not opened:
            break
        locked -= opened
    targets = met.difference(locked) if clause.kind == "open" else met
    fixed = not clause.fixed or not met.isdisjoint(clause.fixed)
    return fixed and not targets.isdisjoint(clause.targets)


def _has_key(layout: Layout, door: int, met: Collection[int]) -> bool:
    things = layout.things
    held = (layout.carrying, *met, *(things[code].contains for code in met))
    return any(things[code][:2] == ("key", things[door].color) for code in held)


def _meet(layout: Layout, solid: Collection[int]) -> set[int]:
    """Return the things that can be reached if only ``solid`` things block the way."""
    met = {layout.carrying}
    seen = {layout.agent}
    stack = [layout.agent]
    while stack:
        cell = stack.pop()
        for step in steps(layout.width):
            beyond = cell + step
            code = layout.cells[beyond]
            if code == WALL or beyond in seen:
                continue
            met.add(code)
            if code == EMPTY or code not in solid:
                seen.add(beyond)
                stack.append(beyond)
    return met


def canonical_form(layout: Layout) -> str:
    """Return a text that is equal for worlds that an agent cannot distinguish.

    An agent's view is relative to its direction, so worlds that differ by quarter turns
    are equal. So are mirror images, if "left" and "right" are exchanged in the mission.
    No rule depends on a colour, so colours can be exchanged. The seed, the level and
    the step limit are ignored.
    """
    ways = product(range(4), (False, True))
    return min(_Turned(layout, turns, mirrored).form() for turns, mirrored in ways)


class _Turned:
    """A turned world, with things and colours numbered in the order of appearance."""

    def __init__(self, layout: Layout, turns: int, mirrored: bool) -> None:
        self._layout = layout
        around = margin(layout.width)
        cells = np.arange(around, len(layout.cells) - around)
        self._cells = np.rot90(cells.reshape(-1, layout.width), turns)
        self._heading = (layout.heading - turns) % 4
        self._mission = layout.mission
        if mirrored:
            self._cells = np.fliplr(self._cells)
            self._heading = (2 - self._heading) % 4
            self._mission = _SIDE.sub(lambda m: _OPPOSITE[m[0]], layout.mission)
        order = self._cells.ravel().tolist()
        self._places = {cell: place for place, cell in enumerate(order)}
        self._things: dict[int, int] = {EMPTY: 0}
        self._colors: dict[str, int] = {}

    def form(self) -> str:
        layout = self._layout
        cells = [
            WALL if thing == WALL else thing and self._thing(thing)
            for thing in map(layout.cells.__getitem__, self._places)
        ]
        mission = _COLOR.sub(lambda m: f"color {self._color(m[0])}", self._mission)
        agent = self._places[layout.agent], self._heading
        carrying = self._thing(layout.carrying)
        parts = self._cells.shape, cells, agent, carrying, mission
        return f"{parts} {self._node(layout.root)}"

    def _thing(self, number: int) -> tuple[object, ...]:
        thing = self._layout.things[number]
        known = self._things.setdefault(number, len(self._things))
        inside = self._thing(thing.contains) if thing.contains else ()
        color = self._color(thing.color)
        return known, thing.kind, color, self._layout.doors[number], inside

    def _color(self, name: str) -> int:
        return self._colors.setdefault(name, len(self._colors))

    def _node(self, node: Node) -> tuple[object, ...]:
        if not isinstance(node, Clause):
            parts = self._node(node.first), self._node(node.second)
            return node.number, node.ordered, *parts
        meant = (
            sorted(self._things.get(thing, -1) for thing in things)
            for things in (node.targets, node.fixed)
        )
        cells = sorted(self._places[cell] for cell in node.cells)
        return node.number, node.kind, *meant, cells, node.strict
