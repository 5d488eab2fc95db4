"""Sokoban problems, drawn from all positions that can reach the goal."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TypeAlias

from aq_gym.envs.pddl.domains import (
    MOST_EASY_STEPS,
    ProblemDraft,
    numbered,
)

SIZES = range(1, 4)

Cell: TypeAlias = tuple[int, int]
# The player's cell and the boxes' cells.
Position: TypeAlias = tuple[Cell, frozenset[Cell]]

_DIRECTIONS = {"north": (-1, 0), "south": (1, 0), "west": (0, -1), "east": (0, 1)}
_MOST_STEPS = 60


def generate(rng: Random, difficulty: str, size: int | None = None) -> ProblemDraft:
    """Build a room with walls inside, and draw a start by pulling boxes from targets.

    Easy problems have one or two boxes and need 4 to 30 steps, hard ones two boxes
    and 31 to 60. A size is the number of boxes; 4 to 30 steps are needed.
    """
    hard = difficulty == "hard"
    least, most = (MOST_EASY_STEPS + 1, _MOST_STEPS) if hard else (4, MOST_EASY_STEPS)
    while True:
        floor = _room(rng, hard)
        boxes = size or (2 if hard else rng.randint(1, 2))
        targets = frozenset(rng.sample(floor, min(boxes, len(floor))))
        steps = distances(frozenset(floor), targets, most)
        starts = [
            position
            for position, count in steps.items()
            if count >= least and not position[1] & targets
        ]
        if starts:
            return _draft(floor, targets, *rng.choice(starts))


def distances(
    floor: frozenset[Cell], targets: frozenset[Cell], most: int
) -> dict[Position, int]:
    """Return the positions within a number of steps of the goal, with these numbers."""
    steps: dict[Position, int] = {}
    layer: list[Position] = [(cell, targets) for cell in sorted(floor - targets)]
    for count in range(most + 1):
        steps.update(dict.fromkeys(layer, count))
        before = dict.fromkeys(p for now in layer for p in _before(floor, *now))
        layer = [position for position in before if position not in steps]
    return steps


def _before(
    floor: frozenset[Cell], player: Cell, boxes: frozenset[Cell]
) -> Iterator[Position]:
    """Yield the positions from which one step leads to a position."""
    row, column = player
    for down, right in _DIRECTIONS.values():
        back = (row - down, column - right)
        if back not in floor or back in boxes:
            continue
        yield back, boxes
        pushed = (row + down, column + right)
        if pushed in boxes:
            yield back, boxes - {pushed} | {player}


def _room(rng: Random, hard: bool) -> list[Cell]:
    """Return the floor's cells, all connected, of a small room with some walls."""
    height, width = rng.randint(4, 5), rng.randint(4, 5)
    cells = [(row, column) for row in range(height) for column in range(width)]
    walls = rng.sample(cells, rng.randint(2, 4) + 2 * hard)
    free = [cell for cell in cells if cell not in walls]
    found, waiting = {free[0]}, [free[0]]
    while waiting:
        row, column = waiting.pop()
        for down, right in _DIRECTIONS.values():
            cell = (row + down, column + right)
            if cell in free and cell not in found:
                found.add(cell)
                waiting.append(cell)
    return [cell for cell in free if cell in found]


def _draft(
    floor: list[Cell], targets: frozenset[Cell], player: Cell, boxes: frozenset[Cell]
) -> ProblemDraft:
    names = {cell: f"r{cell[0] + 1}c{cell[1] + 1}" for cell in floor}
    init = [f"player-at {names[player]}"]
    for name, cell in zip(numbered("box", len(boxes)), sorted(boxes), strict=True):
        init.append(f"box-at {name} {names[cell]}")
    for cell in floor:
        if cell != player and cell not in boxes:
            init.append(f"clear {names[cell]}")
    for cell in floor:
        init.append(f"{'target' if cell in targets else 'plain'} {names[cell]}")
    for row, column in floor:
        for direction, (down, right) in _DIRECTIONS.items():
            neighbour = (row + down, column + right)
            if neighbour in names:
                here, there = names[row, column], names[neighbour]
                init.append(f"leads {here} {direction} {there}")
    objects = {
        "cell": list(names.values()),
        "box": numbered("box", len(boxes)),
        "direction": list(_DIRECTIONS),
    }
    goal = [f"stored {name}" for name in numbered("box", len(boxes))]
    return ProblemDraft(objects, init, goal)
