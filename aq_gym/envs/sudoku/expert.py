"""The reference policy, which solves the puzzle from its givens."""

from __future__ import annotations

from functools import lru_cache

from aq_gym.envs.sudoku.game import BLANK, Layout, SudokuGame
from aq_gym.envs.sudoku.solver import Candidates, narrowest_cell, solve


def best_move(game: SudokuGame) -> tuple[int, str]:
    """Choose the cell that a person would fill next, and its digit.

    The solution comes from constraint propagation and search on the givens. Wrong
    digits are put right first. Then a cell follows that has one candidate, or is the
    only one in a unit for some digit; where there is neither, the one with the fewest
    candidates.

    Returns:
        The cell, and the digit to put there, or a blank that empties it.
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
