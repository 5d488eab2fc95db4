"""Make the packaged puzzles: ``python tools/sudoku_bank.py``.

The same bytes come out on every machine. ``--check`` writes nothing and fails if they
are not the packaged ones. It takes some minutes.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import TypeVar

from aq_gym.envs.sudoku.bank import (
    BANKS,
    cell_order,
    file_stem,
    hide,
    image,
    image_count,
    order_count,
)
from aq_gym.envs.sudoku.game import BLANK, Layout, layout
from aq_gym.envs.sudoku.solver import Candidates, grade, solutions, solve

PUZZLES = 1_000
# AgentQuest caps an episode at 60 steps; 55 blanks leave five steps to err.
BLANKS = {"easy": (31, 45), "medium": (46, 55), "hard": (46, 55)}
FEWEST_SMALL_BLANKS = 8
# Of a 4x4 board.
_SOLUTIONS = 288

T = TypeVar("T")


def generate(box: int, difficulty: str) -> Iterator[str]:
    """Generate the lines of one packaged file."""
    if box == 2:
        lines = small_puzzles(FEWEST_SMALL_BLANKS)
        return (line for line in lines if every_unit_is_open(layout(2), line))
    return (random_puzzle(difficulty, index) for index in range(PUZZLES))


def random_puzzle(difficulty: str, index: int) -> str:
    """Return one 9x9 puzzle as a line of the bank; deterministic."""
    board = layout(3)
    # Only random() is documented to stay the same in later versions of Python.
    rng = Random(f"{file_stem(3, difficulty)}-{index}")
    fewest, most = BLANKS[difficulty]
    while True:
        blanks = fewest + int(rng.random() * (most - fewest + 1))
        solution = _random_solution(board, rng)
        puzzle = _dig(board, solution, blanks, rng)
        if (
            puzzle.count(BLANK) == blanks
            and every_unit_is_open(board, puzzle)
            and grade(board, puzzle) == difficulty
        ):
            return "".join(
                hide(digit) if given == BLANK else given
                for digit, given in zip(solution, puzzle, strict=True)
            )


def every_unit_is_open(board: Layout, puzzle: str) -> bool:
    """Return whether every row, column and box has an empty cell."""
    cells = [symbol in board.digits for symbol in puzzle]
    return not any(all(values(cells)) for values in board.unit_values)


def _random_solution(board: Layout, rng: Random) -> str:
    """Fill three boxes that share no row or column, then the rest."""
    cells = [BLANK] * board.cells
    for box in board.units[2 * board.size :: board.box + 1]:
        for cell, digit in zip(box, _shuffled(rng, board.digits), strict=True):
            cells[cell] = digit
    order = _shuffled(rng, range(board.size))
    return next(solutions(Candidates(board, "".join(cells)), order))


def _dig(board: Layout, solution: str, blanks: int, rng: Random) -> str:
    """Blank random cells while the solution stays unique."""
    cells = list(solution)
    for cell in _shuffled(rng, range(board.cells)):
        cells[cell] = BLANK
        others = Candidates(board, "".join(cells))
        others.rule_out(cell, int(solution[cell]) - 1)
        if next(solutions(others), None) is not None:
            cells[cell] = solution[cell]
        elif cells.count(BLANK) == blanks:
            break
    return "".join(cells)


def small_puzzles(fewest_blanks: int) -> Iterator[str]:
    """Yield the lines of the bank: no puzzle is an image of another."""
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
    # The givens must distinguish the board from every other solution.
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


def _shuffled(rng: Random, items: Iterable[T]) -> list[T]:
    return sorted(items, key=lambda _: rng.random())


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the files, or compare them with what would be written.

    Args:
        arguments: The command line; by default the program's own.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path(__file__).parents[1] / "aq_gym/envs/sudoku/data",
        help="where the files are (default: the packaged ones)",
    )
    options = parser.parse_args(arguments)
    for box, difficulties in BANKS.items():
        for difficulty in difficulties:
            file = options.folder / f"{file_stem(box, difficulty)}.txt"
            lines = generate(box, difficulty)
            data = "".join(f"{line}\n" for line in lines).encode("ascii")
            if not options.check:
                file.write_bytes(data)
            elif file.read_bytes() != data:
                raise SystemExit(f"{file} differs from what this script writes")


if __name__ == "__main__":
    main()
