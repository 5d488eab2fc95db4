"""minigrid's dynamics on small values.

minigrid's own objects are slow to step and large to copy. Here a state is a few
immutable values, so that storing it costs almost nothing. The tests step both
implementations side by side.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from aq_gym.envs.babyai.logic.layout import (
    CLOSED,
    DROP,
    EMPTY,
    FORWARD,
    LEFT,
    LOCKED,
    OPEN,
    PICKUP,
    RIGHT,
    TOGGLE,
    WALL,
    Clause,
    Layout,
    Node,
    clauses,
    node_count,
    steps,
)


class Outcome(Enum):
    """The verdict of minigrid's verifier."""

    CONTINUE = "continue"
    SUCCESS = "success"
    FAILURE = "failure"


class Record(NamedTuple):
    """The verifier's memory about each node of the mission, by the node's number.

    Attributes:
        done: Whether the node is done.
        goals: The cells that a "goto" accepts. minigrid updates them only when
            something is dropped, so the cell from which a target was taken still
            counts.
        held: The thing that was carried when the node was last verified.
    """

    done: tuple[bool, ...]
    goals: tuple[tuple[int, ...], ...]
    held: tuple[int, ...]


def beginning(root: Node) -> Record:
    """Return the memory of a mission that has not begun."""
    count = node_count(root)
    goals: list[tuple[int, ...]] = [()] * count
    for clause in clauses(root):
        goals[clause.number] = clause.cells
    return Record((False,) * count, tuple(goals), (EMPTY,) * count)


class Verifier:
    """Verifies one mission."""

    def __init__(self, root: Node, record: Record) -> None:
        self._root = root
        self.done, self.goals, self.held = record

    def record(self) -> Record:
        """Return the verifier's memory."""
        return Record(self.done, self.goals, self.held)

    def verify(self, world: World, action: int) -> Outcome:
        """Update the memory after a primitive action."""
        if action == DROP:
            self._find_goals(world)
        return self._verify_last(self._root, world, action)

    def _find_goals(self, world: World) -> None:
        goals = list(self.goals)
        for clause in clauses(self._root):
            if clause.kind == "goto":
                goals[clause.number] = world.places(clause.targets)
        self.goals = tuple(goals)

    def _verify_part(self, part: Node, world: World, action: int) -> Outcome:
        if self.done[part.number]:
            return Outcome.SUCCESS
        return self._verify_last(part, world, action)

    def _verify_last(self, part: Node, world: World, action: int) -> Outcome:
        """Verify a part even if it is done, as minigrid does with the last part."""
        outcome = self._verify(part, world, action)
        if outcome is Outcome.SUCCESS:
            done = self.done
            self.done = (*done[: part.number], True, *done[part.number + 1 :])
        return outcome

    def _verify(self, node: Node, world: World, action: int) -> Outcome:
        if isinstance(node, Clause):
            return self._verify_clause(node, world, action)
        first = self._verify_part(node.first, world, action)
        if node.ordered:
            if first is not Outcome.SUCCESS:
                return first
            # The action that ends the first part may end the second as well.
            return self._verify_last(node.second, world, action)
        second = self._verify_part(node.second, world, action)
        both = first is second is Outcome.SUCCESS
        return Outcome.SUCCESS if both else Outcome.CONTINUE

    def _verify_clause(self, clause: Clause, world: World, action: int) -> Outcome:
        won = lost = False
        if clause.kind == "goto":
            won = world.front in self.goals[clause.number]
        elif clause.kind == "open":
            code = world.cells[world.front]
            if action == TOGGLE and world.things[code].kind == "door":
                won = code in clause.targets and world.doors[code] == OPEN
                lost = clause.strict
        else:
            held = self.held[clause.number]
            self._remember(clause.number, world.carrying)
            if clause.kind == "pickup" and action == PICKUP:
                won = held == EMPTY and world.carrying in clause.targets
                lost = clause.strict and world.carrying != EMPTY
            elif clause.kind == "putnext" and action == DROP:
                won = held in clause.targets and _is_beside(world, clause.fixed)
        if won:
            return Outcome.SUCCESS
        return Outcome.FAILURE if lost else Outcome.CONTINUE

    def _remember(self, index: int, carrying: int) -> None:
        if self.held[index] != carrying:
            self.held = (*self.held[:index], carrying, *self.held[index + 1 :])


def _is_beside(world: World, codes: tuple[int, ...]) -> bool:
    """Return whether one of some things is next to the cell in front of the agent."""
    return any(world.cells[world.front + step] in codes for step in world.steps)


class WorldState(NamedTuple):
    """The mutable part of a world.

    Attributes:
        cells: The content of each cell.
        doors: The state of each door.
        agent: The cell of the agent.
        heading: The agent's direction.
        carrying: The thing that the agent carries.
        record: The verifier's memory.
    """

    cells: bytes
    doors: bytes
    agent: int
    heading: int
    carrying: int
    record: Record


class World:
    """A world during an episode.

    Args:
        layout: The instance.
        state: The state to continue from; None is the initial one.

    Attributes:
        layout: The instance.
        things: Every thing, by its number.
        steps: For each heading, how a step changes the number of the agent's cell.
        verifier: The verifier of the mission.
        opaque: For each content of a cell, whether it blocks the view.
    """

    def __init__(self, layout: Layout, state: WorldState | None = None) -> None:
        self.layout = layout
        self.things = layout.things
        self.steps = steps(layout.width)
        state = state or _beginning(layout)
        self.cells, self.doors, self.agent, self.heading, self.carrying, record = state
        self.verifier = Verifier(layout.root, record)
        self.opaque = _opaque(self.doors)

    def state(self) -> WorldState:
        """Return the mutable part of the world."""
        record = self.verifier.record()
        return WorldState(
            self.cells, self.doors, self.agent, self.heading, self.carrying, record
        )

    @property
    def front(self) -> int:
        """The cell in front of the agent."""
        return self.agent + self.steps[self.heading]

    def places(self, codes: tuple[int, ...]) -> tuple[int, ...]:
        """Return the cells of some things; carried and hidden things have none."""
        cells = self.cells
        return tuple(sorted(cells.index(code) for code in codes if code in cells))

    def passable(self, code: int) -> bool:
        """Return whether the agent can enter a cell with this content."""
        if code <= WALL:
            return code == EMPTY
        return self.things[code].kind == "door" and self.doors[code] == OPEN

    def portable(self, code: int) -> bool:
        """Return whether a content of a cell can be picked up."""
        return code > WALL and self.things[code].kind != "door"

    def unlocks(self, door: int) -> bool:
        """Return whether the agent carries the key of a door."""
        held = self.things[self.carrying]
        return held.kind == "key" and held.color == self.things[door].color

    def act(self, action: int) -> Outcome:
        """Carry out a primitive action, as minigrid does, and verify the mission."""
        if action == LEFT:
            self.heading = (self.heading - 1) % 4
        elif action == RIGHT:
            self.heading = (self.heading + 1) % 4
        elif action == FORWARD:
            if self.passable(self.cells[self.front]):
                self.agent = self.front
        elif action == PICKUP:
            code = self.cells[self.front]
            if not self.carrying and self.portable(code):
                self.carrying = code
                self._put(EMPTY)
        elif action == DROP:
            if self.carrying and self.cells[self.front] == EMPTY:
                self._put(self.carrying)
                self.carrying = EMPTY
        elif action == TOGGLE:
            self._toggle(self.cells[self.front])
        return self.verifier.verify(self, action)

    def _toggle(self, code: int) -> None:
        thing = self.things[code]
        if thing.kind == "box":
            self._put(thing.contains)
        elif thing.kind == "door":
            state = self.doors[code]
            if state != LOCKED:
                self._set_door(code, CLOSED if state == OPEN else OPEN)
            elif self.unlocks(code):
                self._set_door(code, OPEN)

    def _put(self, code: int) -> None:
        cell = self.front
        self.cells = self.cells[:cell] + bytes((code,)) + self.cells[cell + 1 :]

    def _set_door(self, code: int, state: int) -> None:
        self.doors = self.doors[:code] + bytes((state,)) + self.doors[code + 1 :]
        self.opaque = _opaque(self.doors)


@lru_cache(maxsize=1 << 10)
def _opaque(doors: bytes) -> bytes:
    opaque = bytearray(256)
    opaque[WALL] = 1
    for code, state in enumerate(doors):
        opaque[code] |= state != OPEN
    return bytes(opaque)


def _beginning(layout: Layout) -> WorldState:
    return WorldState(
        layout.cells,
        layout.doors,
        layout.agent,
        layout.heading,
        layout.carrying,
        beginning(layout.root),
    )
