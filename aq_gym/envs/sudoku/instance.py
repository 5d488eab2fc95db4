"""A puzzle with its solution, and the validation of a user's puzzle."""

from __future__ import annotations

from typing import NamedTuple

from aq_gym.envs.sudoku.logic.layout import BLANK, Layout
from aq_gym.envs.sudoku.logic.search import solve
from aq_gym.envs.sudoku.logic.techniques import grade


class Instance(NamedTuple):
    """A puzzle and its one solution.

    Attributes:
        task_id: Makes it again.
        difficulty: "easy", "medium" or "hard".
        puzzle: One character a cell, ``.`` for a blank.
        solution: One digit a cell.
    """

    task_id: str
    difficulty: str
    puzzle: str
    solution: str


def own_puzzle(layout: Layout, puzzle: str) -> Instance:
    """Check, solve and grade a user's puzzle.

    Args:
        layout: The layout of the cells.
        puzzle: One character a cell, ``0`` or ``.`` for a blank.

    Raises:
        ValueError: If the text is not a puzzle, or does not have exactly one
            solution.
    """
    allowed = f"{layout.digits}0{BLANK}"
    if len(puzzle) != layout.cells or not set(puzzle) <= set(allowed):
        raise ValueError(
            f"puzzle={puzzle!r}: give {layout.cells} characters out of {allowed}"
        )
    puzzle = puzzle.replace("0", BLANK)
    if BLANK not in puzzle:
        raise ValueError(f"puzzle={puzzle!r} has no blank to fill: give one or more")
    found = solve(layout, puzzle, most=2)
    if len(found) != 1:
        count = "more than one solution" if found else "no solution"
        raise ValueError(f"puzzle={puzzle!r} has {count}: give one with exactly one")
    return Instance(puzzle, grade(layout, puzzle), puzzle, found[0])
