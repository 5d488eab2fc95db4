"""The parts of a BabyAI world: things, cells and the clauses of the mission."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

# Content of a cell: nothing, a wall, or a thing (its index in Layout.things).
EMPTY, WALL = 0, 1
# The states of a door.
OPEN, CLOSED, LOCKED = range(3)
# The primitive actions, numbered as minigrid does.
LEFT, RIGHT, FORWARD, PICKUP, DROP, TOGGLE, DONE = range(7)

Kind: TypeAlias = Literal["goto", "pickup", "open", "putnext"]


class Thing(NamedTuple):
    """A door, key, ball or box.

    Attributes:
        kind: "door", "key", "ball" or "box"; "" and "wall" for the two that are none.
        color: Its colour.
        contains: The thing in a box, EMPTY for none.
    """

    kind: str
    color: str
    contains: int = EMPTY


class Clause(NamedTuple):
    """One atomic instruction.

    Attributes:
        number: Its number among all nodes of the mission.
        kind: The kind of instruction.
        targets: The things of which one is to be reached, opened or moved.
        fixed: The things of which one is to be its neighbour, for "putnext".
        cells: Where the targets are at the start.
        strict: Whether doing it with a wrong thing fails the mission.
    """

    number: int
    kind: Kind
    targets: tuple[int, ...]
    fixed: tuple[int, ...]
    cells: tuple[int, ...]
    strict: bool


class Sequence(NamedTuple):
    """Two parts of a mission, in the order in which they are to be done.

    Attributes:
        number: Its number among all nodes of the mission.
        ordered: Whether the first part has to be done before the second.
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
        seed: What the world was generated from.
        mission: The mission as minigrid says it.
        root: The mission as a tree.
        width: Cells in a row.
        cells: What each cell holds, row by row, within a margin that lets a view be
            cut out of it anywhere.
        doors: For each thing the state of the door that it is.
        agent: The cell of the agent.
        heading: Where it looks: 0 right, 1 down, 2 left, 3 up.
        carrying: What it carries.
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
    """Return the number of wall cells before and after a layout's own cells."""
    return 4 * (width + 1)


def steps(width: int) -> tuple[int, int, int, int]:
    """Return the change of a cell's number by a step, for each heading."""
    return 1, width, -1, -width


def clauses(node: Node) -> tuple[Clause, ...]:
    """Return the atomic instructions in the order in which they are to be done."""
    if isinstance(node, Clause):
        return (node,)
    return clauses(node.first) + clauses(node.second)


def node_count(node: Node) -> int:
    """Count the nodes of a mission."""
    if isinstance(node, Clause):
        return 1
    return 1 + node_count(node.first) + node_count(node.second)
