"""The symmetries of the rules, and the numbered images of a board."""

from __future__ import annotations

from collections.abc import Iterable
from math import factorial
from typing import TypeVar

from aq_gym.envs.sudoku.logic.layout import Layout

T = TypeVar("T")


def image_count(layout: Layout) -> int:
    """Return the number of images: 3,072 of 4x4 boards, 1.2e12 of 9x9 boards."""
    return factorial(layout.size) * order_count(layout)


def order_count(layout: Layout) -> int:
    """Return the number of orders of the cells: 128 or 3,359,232."""
    lines: int = factorial(layout.box) ** (layout.box + 1)
    return 2 * lines * lines


def image(layout: Layout, board: str, number: int) -> str:
    """Return one image of a board.

    Digits change names; rows move within their band and bands move as a whole,
    columns and stacks likewise; the board may be transposed. Each keeps every
    solution a solution, and what it takes to find it.

    Args:
        layout: Where the cells are.
        board: One character a cell: a digit; a letter where :func:`hide` hides one;
            anything else stays as it is.
        number: 0, which is the board itself, up to ``image_count(layout) - 1``.
    """
    number, names = _permutation(number, layout.digits)
    moved = "".join([board[cell] for cell in cell_order(layout, number)])
    old, new = layout.digits, "".join(names)
    return moved.translate(str.maketrans(old + hide(old), new + hide(new)))


def hide(digits: str) -> str:
    """Return digits as letters, which mark empty cells with their solution."""
    return digits.translate(_HIDE)


def cell_order(layout: Layout, number: int) -> list[int]:
    """Return the cell that moves to each place, in one of ``order_count`` ways."""
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


_HIDE = str.maketrans("123456789", "abcdefghi")
