"""Addresses of cells and ranges in A1 notation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, TypeAlias

# A row and a column, both from 1.
Position: TypeAlias = tuple[int, int]

MAX_ROWS = 200_000
MAX_COLUMNS = 100
_CELL = r"\$?([A-Za-z]{1,3})\$?([1-9][0-9]{0,6})"
_RECT = re.compile(rf"\s*{_CELL}(?:\s*:\s*{_CELL})?\s*", re.ASCII)


class Rect(NamedTuple):
    """A rectangle of cells, with its last row and column."""

    top: int
    left: int
    bottom: int
    right: int

    def holds(self, position: Position) -> bool:
        """Return whether a cell is inside."""
        row, column = position
        return self.top <= row <= self.bottom and self.left <= column <= self.right

    @property
    def area(self) -> int:
        """The number of cells."""
        return (self.bottom - self.top + 1) * (self.right - self.left + 1)

    def positions(self) -> Iterator[Position]:
        """Yield the positions by rows."""
        for row in range(self.top, self.bottom + 1):
            for column in range(self.left, self.right + 1):
                yield row, column

    def meets(self, other: Rect) -> bool:
        """Return whether two rectangles share a cell."""
        rows = self.top <= other.bottom and other.top <= self.bottom
        return rows and self.left <= other.right and other.left <= self.right

    def __str__(self) -> str:
        first = cell_name((self.top, self.left))
        last = cell_name((self.bottom, self.right))
        return first if first == last else f"{first}:{last}"


@lru_cache(maxsize=256)
def column_name(column: int) -> str:
    """Return the letters of a column.

    Args:
        column: Its number, from 1.
    """
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def cell_name(position: Position) -> str:
    """Return the address of a cell, such as "B7"."""
    return f"{column_name(position[1])}{position[0]}"


def read_column(letters: str) -> int:
    """Return the number of a column; 0 if it is not one."""
    number = 0
    for letter in letters.strip().upper()[:4]:
        if not "A" <= letter <= "Z":
            return 0
        number = 26 * number + ord(letter) - 64
    return number if number <= MAX_COLUMNS else 0


@lru_cache(maxsize=4096)
def read_rect(text: str) -> Rect | None:
    """Read the address of a cell or a range; None if it is not one.

    Args:
        text: Such as "B7" or "A1:C9".
    """
    found = _RECT.fullmatch(text) if len(text) < 40 else None
    if found is None:
        return None
    columns = [read_column(letters) for letters in found.group(1, 3) if letters]
    rows = [int(number) for number in found.group(2, 4) if number]
    if not all(columns) or max(rows) > MAX_ROWS:
        return None
    return Rect(min(rows), min(columns), max(rows), max(columns))
