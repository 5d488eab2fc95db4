"""The packaged puzzles, and the instances made from them by symmetry."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache, partial
from math import factorial
from random import Random
from typing import NamedTuple, TypeVar

from aq_gym.core.splits import in_split
from aq_gym.core.tasks import NumberedTasks
from aq_gym.envs.sudoku.game import BLANK, Layout, layout
from aq_gym.envs.sudoku.solver import grade, solve
from aq_gym.support.data import packaged_text

T = TypeVar("T")
# What may separate the cells of a user's puzzle.
_FRAME = re.compile(r"[\s|+,\[\]\u2500-\u257f\ufeff-]+")

# Singles solve every 4x4 puzzle, so there are no harder ones.
BANKS = {2: ("easy",), 3: ("easy", "medium", "hard")}
_SHOW = str.maketrans("abcdefghi", "123456789")
_BLANK = str.maketrans("abcdefghi", BLANK * 9)
_HIDE = str.maketrans("123456789", "abcdefghi")


def banked_tasks(
    box: int, difficulty: str, split: str, givens: int | None = None
) -> NumberedTasks[Instance]:
    """Return the packaged puzzles of one size, difficulty and split, and their images.

    The images of a puzzle under the board's symmetries are in the same split.

    Args:
        box: Rows and columns of a box, 2 or 3.
        difficulty: "easy", "medium" or "hard".
        split: "all", "train" or "test".
        givens: The number of givens. If a puzzle has fewer, cells of its solution are
            added; puzzles with more are left out.

    Raises:
        ValueError: If no puzzle can have this number of givens.
    """
    suffix = "" if givens is None else f"-givens{givens}"
    images = range(image_count(layout(box)))
    puzzles = {
        f"{file_stem(box, difficulty)}-{row}{suffix}": images
        for row, puzzle in enumerate(bank_lines(box, difficulty))
        if in_split(puzzle, split) and (givens is None or givens >= _givens(puzzle))
    }
    if givens is not None and (not puzzles or givens >= layout(box).cells):
        fewest = min(map(_givens, bank_lines(box, difficulty)))
        raise ValueError(
            f"givens={givens}: {difficulty} puzzles with box={box} have {fewest} to "
            f"{layout(box).cells - 1}"
        )
    make = partial(_image, box, difficulty, givens)
    return NumberedTasks(puzzles, make, split, evenly=True)


def _image(
    box: int,
    difficulty: str,
    givens: int | None,
    task_id: str,
    puzzle: str,
    number: int,
) -> Instance:
    row = int(puzzle.partition("-given")[0].rpartition("-")[2])
    line = bank_lines(box, difficulty)[row]
    if givens is not None:
        line = _with_givens(line, givens)
    board = image(layout(box), line, number)
    shown = board.translate(_BLANK)
    if givens is not None:
        # Graded again, because simpler techniques can suffice with more givens.
        difficulty = grade(layout(box), shown)
    return Instance(task_id, difficulty, shown, board.translate(_SHOW))


def _givens(line: str) -> int:
    return sum(map(str.isdigit, line))


def _with_givens(line: str, givens: int) -> str:
    """Return a puzzle with more cells of its solution, always the same cells."""
    blanks = [cell for cell, symbol in enumerate(line) if not symbol.isdigit()]
    # Only `random()` is used, because Python guarantees only its sequence.
    chance = Random(line)
    blanks.sort(key=lambda _: chance.random())
    shown = set(blanks[: givens - _givens(line)])
    return "".join(
        symbol.translate(_SHOW) if cell in shown else symbol
        for cell, symbol in enumerate(line)
    )


def file_stem(box: int, difficulty: str) -> str:
    """Return the name of a packaged file without its extension, as "9x9-easy"."""
    return f"{box * box}x{box * box}-{difficulty}"


@lru_cache
def bank_lines(box: int, difficulty: str) -> tuple[str, ...]:
    """Read the packaged puzzles: solutions, with letters for the cells to fill."""
    name = f"data/{file_stem(box, difficulty)}.txt"
    return tuple(packaged_text("aq_gym.envs.sudoku", name).split())


class Instance(NamedTuple):
    """A puzzle and its only solution.

    Attributes:
        task_id: The id from which it can be made again.
        difficulty: "easy", "medium" or "hard".
        puzzle: One character per cell, ``.`` for an empty cell.
        solution: One digit per cell.
    """

    task_id: str
    difficulty: str
    puzzle: str
    solution: str


def own_puzzle(layout: Layout, puzzle: str) -> Instance:
    """Check, solve and grade a user's puzzle.

    Args:
        layout: The layout of the cells.
        puzzle: One character per cell, ``0`` or ``.`` for an empty cell; whitespace,
            commas, brackets and the lines of a frame between them are ignored.

    Raises:
        ValueError: If the text is not a puzzle, or does not have exactly one
            solution.
    """
    cells = _FRAME.sub("", puzzle)
    if len(cells) != layout.cells or not set(cells) <= {*layout.digits, "0", BLANK}:
        raise ValueError(
            f"puzzle={puzzle!r:.200} has {len(cells)} characters: give {layout.cells} "
            f"cells, each a digit from 1 to {layout.size}, or 0 or . if it is empty; "
            "line breaks, spaces, commas and the lines of a frame don't count"
        )
    puzzle = cells.replace("0", BLANK)
    if BLANK not in puzzle:
        raise ValueError(f"puzzle={puzzle!r} has no empty cell: give one or more")
    found = solve(layout, puzzle, most=2)
    if len(found) != 1:
        count = "more than one solution" if found else "no solution"
        raise ValueError(f"puzzle={puzzle!r} has {count}: give one with exactly one")
    return Instance(puzzle, grade(layout, puzzle), puzzle, found[0])


def image_count(layout: Layout) -> int:
    """Return the number of images: 3,072 of 4x4 boards, 1.2e12 of 9x9 boards."""
    lines: int = factorial(layout.box) ** (layout.box + 1)
    return factorial(layout.size) * 2 * lines * lines


def image(layout: Layout, board: str, number: int) -> str:
    """Return one image of a board.

    Digits are renamed; rows move within their band, and bands move as a whole; the same
    holds for columns and stacks; the board may be transposed. All this preserves the
    solutions and the difficulty.

    Args:
        layout: The layout of the board.
        board: One character per cell: a digit, or a letter for a digit that
            :func:`hide` hides; other characters stay unchanged.
        number: 0, which is the board itself, up to ``image_count(layout) - 1``.
    """
    number, names = _permutation(number, layout.digits)
    moved = "".join([board[cell] for cell in cell_order(layout, number)])
    old, new = layout.digits, "".join(names)
    return moved.translate(str.maketrans(old + hide(old), new + hide(new)))


def hide(digits: str) -> str:
    """Return digits as letters, which stand for empty cells with their solution."""
    return digits.translate(_HIDE)


def cell_order(layout: Layout, number: int) -> list[int]:
    """Return, for each position, the cell that moves there."""
    number, rows = _line_order(layout, number)
    number, columns = _line_order(layout, number)
    size = layout.size
    if number % 2:
        return [column * size + row for row in rows for column in columns]
    return [row * size + column for row in rows for column in columns]


def _line_order(layout: Layout, number: int) -> tuple[int, list[int]]:
    """Order the rows: bands, then rows within each; or the columns."""
    box = layout.box
    number, bands = _permutation(number, range(box))
    order = []
    for band in bands:
        number, lines = _permutation(number, range(box))
        order += [band * box + line for line in lines]
    return number, order


def _permutation(number: int, items: Iterable[T]) -> tuple[int, list[T]]:
    """Decode an order of the items from a number; also return the remainder."""
    pool = list(items)
    order = []
    while pool:
        number, pick = divmod(number, len(pool))
        order.append(pool.pop(pick))
    return number, order
