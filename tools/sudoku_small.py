"""Enumerate all 4x4 puzzles, one of each set of images."""

from __future__ import annotations

from collections.abc import Iterator

from aq_gym.envs.sudoku.logic.layout import BLANK, Layout, layout
from aq_gym.envs.sudoku.logic.search import solve
from aq_gym.envs.sudoku.logic.symmetry import (
    cell_order,
    hide,
    image,
    image_count,
    order_count,
)

_SOLUTIONS = 288


def small_puzzles(fewest_blanks: int) -> Iterator[str]:
    """Yield the lines of the bank: no puzzle is an image of another.

    Args:
        fewest_blanks: Leave out puzzles with fewer blanks.
    """
    board = layout(2)
    grids = solve(board, BLANK * board.cells, most=_SOLUTIONS)
    known: set[str] = set()
    for grid in grids:
        if grid not in known:
            known |= {image(board, grid, n) for n in range(image_count(board))}
            for given in _givens(board, grid, grids, fewest_blanks):
                yield "".join(
                    digit if given >> cell & 1 else hide(digit)
                    for cell, digit in enumerate(grid)
                )


def _givens(
    board: Layout, grid: str, grids: list[str], fewest_blanks: int
) -> Iterator[int]:
    """Yield sets of givens, one bit per cell, whose only solution is this one."""
    # They have to show a difference from every other solution.
    differences = {_difference(grid, other) for other in grids} - {0}
    orders = [cell_order(board, n) for n in range(order_count(board))]
    same = [o for o in orders if _shape([grid[cell] for cell in o]) == _shape(grid)]
    seen: set[int] = set()
    for given in range(1 << board.cells):
        if board.cells - given.bit_count() < fewest_blanks or given in seen:
            continue
        if all(given & difference for difference in differences):
            seen |= {_moved(given, order) for order in same}
            yield given


def _difference(grid: str, other: str) -> int:
    """Return the cells where two boards differ, one bit per cell."""
    return sum(1 << cell for cell, digit in enumerate(grid) if digit != other[cell])


def _shape(grid: str | list[str]) -> list[int]:
    """Return a description of a board that renaming digits does not change."""
    return [grid.index(digit) for digit in grid]


def _moved(given: int, order: list[int]) -> int:
    return sum(1 << place for place, cell in enumerate(order) if given >> cell & 1)
