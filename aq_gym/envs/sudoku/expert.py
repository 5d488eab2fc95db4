"""The reference policy, which solves the puzzle from its givens."""

from __future__ import annotations

from functools import lru_cache

from aq_gym.envs.sudoku.game import BLANK, Layout, SudokuGame
from aq_gym.envs.sudoku.solver import Candidates, narrowest_cell, solve


def best_move(game: SudokuGame) -> tuple[int, str]:
    """Choose the cell that a person would fill next, and its digit.

    The solution comes from constraint propagation and search on the givens. Wrong
    digits are corrected first. Then comes a cell with one candidate, or a cell that is
    the only place in a unit for some digit; if there is neither, the cell with the
    fewest candidates.

    Returns:
        The cell and its new content: a digit, or a blank to empty the cell.
    """
    solution = _solution(game.layout, game.puzzle)
    for cell, (symbol, right) in enumerate(zip(game.cells, solution, strict=True)):
        if symbol not in (BLANK, right):
            return cell, BLANK if game.breaks_rule(cell, right) else right
    cell = _next_cell(Candidates(game.layout, "".join(game.cells)))
    return cell, solution[cell]


def _next_cell(candidates: Candidates) -> int:
    """Choose an open cell of a board without wrong digits."""
    single = candidates.naked_singles()
    hidden = None if single else candidates.hidden_single()
    bits = single or (hidden and hidden[0]) or narrowest_cell(candidates)
    return (bits & -bits).bit_length() - 1


@lru_cache(maxsize=256)
def _solution(layout: Layout, puzzle: str) -> str:
    return solve(layout, puzzle, most=1)[0]
