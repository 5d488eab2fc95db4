"""minigrid's verifier of missions, quirks included."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from aq_gym.envs.babyai.logic.layout import (
    DROP,
    EMPTY,
    OPEN,
    PICKUP,
    TOGGLE,
    Clause,
    Node,
    clauses,
    node_count,
)

if TYPE_CHECKING:
    from aq_gym.envs.babyai.logic.world import World


class Outcome(Enum):
    """The verdict of minigrid's verifier."""

    CONTINUE = "continue"
    SUCCESS = "success"
    FAILURE = "failure"


class Record(NamedTuple):
    """The verifier's memory, by the number of the mission's node.

    Attributes:
        done: Whether the node is done.
        goals: The cells that a "goto" ends before. minigrid looks for the targets
            again only when something is dropped, so the place from which a target
            was taken still counts.
        held: What was carried when the node was last verified.
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
        """Update after a primitive action."""
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
        """Verify a last part, even once it is done, as minigrid does."""
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
