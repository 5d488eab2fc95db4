"""Addresses in A1 notation, and the syntax of formulas as in spreadsheets."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple, TypeAlias

# A row and a column, both from 1.
Position: TypeAlias = tuple[int, int]

MAX_ROWS = 200_000
MAX_COLUMNS = 100
_CELL = r"\$?([A-Za-z]{1,3})\$?([1-9][0-9]{0,6})"
_RECT = re.compile(rf"\s*{_CELL}(?:\s*:\s*{_CELL})?\s*", re.ASCII)


class Rect(NamedTuple):
    """A rectangle of cells; it includes its last row and column."""

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
        """Yield the positions, row by row."""
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
    """Return the number of a column; 0 if the text is not the name of a column."""
    number = 0
    for letter in letters.strip().upper()[:4]:
        if not "A" <= letter <= "Z":
            return 0
        number = 26 * number + ord(letter) - 64
    return number if number <= MAX_COLUMNS else 0


@lru_cache(maxsize=4096)
def read_rect(text: str) -> Rect | None:
    """Read the address of a cell or a range; None for any other text.

    Args:
        text: The address, such as "B7" or "A1:C9".
    """
    found = _RECT.fullmatch(text) if len(text) < 40 else None
    if found is None:
        return None
    columns = [read_column(letters) for letters in found.group(1, 3) if letters]
    rows = [int(number) for number in found.group(2, 4) if number]
    if not all(columns) or max(rows) > MAX_ROWS:
        return None
    return Rect(min(rows), min(columns), max(rows), max(columns))


MAX_LENGTH = 1_000
MAX_AREA = 250_000
_MAX_DEPTH = 24
_TOKEN = re.compile(
    r"""\s*(?:
    (?P<number>\d+(?:\.\d*)?(?:[eE][+-]?\d{1,3})?|\.\d+)
    |(?P<text>"(?:[^"]|"")*")
    |(?P<range>(?:(?P<sheet>[A-Za-z_]\w*|'[^']+')!)?
        (?P<first>\$?[A-Za-z]{1,3}\$?[1-9]\d{0,6})(?![\w(])
        (?:\s*:\s*(?P<last>\$?[A-Za-z]{1,3}\$?[1-9]\d{0,6})(?![\w(]))?)
    |(?P<lost>\#REF!)
    |(?P<name>[A-Za-z][A-Za-z0-9.]*)
    |(?P<sign><=|>=|<>|[-+*/^&=<>(),%])
    )""",
    re.VERBOSE | re.ASCII,
)
_LEVELS = (("=", "<>", "<", ">", "<=", ">="), ("&",), ("+", "-"), ("*", "/"), ("^",))


class FormulaError(ValueError):
    """Raised for a formula that cannot be read; the message is the reason."""


class Range(NamedTuple):
    """A cell or range; ``sheet`` is "" for the formula's own sheet."""

    sheet: str
    rect: Rect
    single: bool


class Unary(NamedTuple):
    """A sign before an operand, or "%" after it."""

    sign: str
    operand: Node


class Binary(NamedTuple):
    """An operator with two operands."""

    sign: str
    left: Node
    right: Node


class Call(NamedTuple):
    """A call of a function."""

    name: str
    arguments: tuple[Node, ...]


Node: TypeAlias = float | int | str | bool | Range | Unary | Binary | Call


class Formula(NamedTuple):
    """A formula that was read."""

    node: Node
    ranges: tuple[Range, ...]


@lru_cache(maxsize=4096)
def parse(text: str) -> Formula:
    """Read a formula.

    Args:
        text: The formula, with its "=".

    Raises:
        FormulaError: If it cannot be read.
    """
    if len(text) > MAX_LENGTH:
        raise FormulaError(f"a formula has at most {MAX_LENGTH} characters")
    reader = _Reader(list(_tokens(text[1:])))
    node = reader.expression(0, 0)
    if reader.kind:
        raise FormulaError(f"there is {reader.value!r} where the formula should end")
    return Formula(node, tuple(reader.ranges))


def _tokens(text: str) -> Iterator[tuple[str, str, re.Match[str]]]:
    at, end = 0, len(text.rstrip())
    while at < end:
        found = _TOKEN.match(text, at)
        if found is None:
            raise FormulaError(f"{text[at : at + 20]!r} cannot be read")
        kind = next(
            k for k in ("number", "text", "range", "lost", "name", "sign") if found[k]
        )
        yield kind, found[kind], found
        at = found.end()


class _Reader:
    def __init__(self, tokens: list[tuple[str, str, re.Match[str]]]) -> None:
        self._tokens = iter(tokens)
        self.ranges: list[Range] = []
        self._match: re.Match[str] | None = None
        self._next()

    def _next(self) -> None:
        self.kind, self.value, self._match = next(self._tokens, ("", "", None))

    def _take(self, sign: str) -> bool:
        if self.kind == "sign" and self.value == sign:
            self._next()
            return True
        return False

    def expression(self, level: int, depth: int) -> Node:
        if depth > _MAX_DEPTH:
            raise FormulaError(f"it is nested more than {_MAX_DEPTH} times")
        if level == len(_LEVELS):
            return self._signed(depth)
        left = self.expression(level + 1, depth)
        while self.kind == "sign" and self.value in _LEVELS[level]:
            sign = self.value
            self._next()
            left = Binary(sign, left, self.expression(level + 1, depth))
        return left

    def _signed(self, depth: int) -> Node:
        # As in spreadsheets, a sign binds more tightly than a power.
        if self.kind == "sign" and self.value in ("-", "+"):
            sign = self.value
            self._next()
            if depth > _MAX_DEPTH:
                raise FormulaError(f"it is nested more than {_MAX_DEPTH} times")
            return Unary(sign, self._signed(depth + 1))
        node = self._operand(depth)
        while self._take("%"):
            node = Unary("%", node)
        return node

    def _operand(self, depth: int) -> Node:
        kind, value, found = self.kind, self.value, self._match
        self._next()
        if kind == "number":
            number = float(value)
            if not math.isfinite(number):
                raise FormulaError(f"{value} is too large")
            return number
        if kind == "text":
            return value[1:-1].replace('""', '"')
        if kind == "lost":
            return Call(value, ())
        if kind == "range" and found is not None:
            return self._range(found)
        if kind == "name":
            return self._name(value.upper(), depth)
        if kind == "sign" and value == "(":
            node = self.expression(0, depth + 1)
            if not self._take(")"):
                raise FormulaError("a closing parenthesis is missing")
            return node
        raise FormulaError(
            f"there is {value!r} where a value should be"
            if value
            else "a value is missing at its end"
        )

    def _name(self, name: str, depth: int) -> Node:
        if not self._take("("):
            if name in ("TRUE", "FALSE"):
                return name == "TRUE"
            raise FormulaError(f"{name!r} is neither an address nor a function")
        arguments: list[Node] = []
        if not self._take(")"):
            arguments.append(self.expression(0, depth + 1))
            while self._take(","):
                arguments.append(self.expression(0, depth + 1))
            if not self._take(")"):
                raise FormulaError("a closing parenthesis is missing")
        if name == "SUMIF" and len(arguments) == 3:
            arguments[2] = self._like_first(arguments[0], arguments[2])
        return Call(name, tuple(arguments))

    def _like_first(self, tested: Node, added: Node) -> Node:
        """Return the range that SUMIF adds, which has the shape of the tested range."""
        if not (isinstance(tested, Range) and isinstance(added, Range)):
            return added
        one, other = tested.rect, added.rect
        bottom = other.top + one.bottom - one.top
        rect = Rect(other.top, other.left, bottom, other.left + one.right - one.left)
        made = Range(added.sheet, rect, tested.single)
        self.ranges.append(made)
        return made

    def _range(self, found: re.Match[str]) -> Range:
        first, last = _corner(found["first"]), _corner(found["last"] or found["first"])
        rows, columns = sorted((first[0], last[0])), sorted((first[1], last[1]))
        rect = Rect(rows[0], columns[0], rows[1], columns[1])
        if rect.area > MAX_AREA:
            raise FormulaError(f"a range has at most {MAX_AREA:,} cells")
        sheet = (found["sheet"] or "").strip("'")
        made = Range(sheet, rect, not found["last"])
        self.ranges.append(made)
        return made


def _corner(text: str) -> tuple[int, int]:
    bare = text.replace("$", "")
    letters = bare.rstrip("0123456789")
    row, column = int(bare[len(letters) :]), read_column(letters)
    if not column or row > MAX_ROWS:
        raise FormulaError(f"{text} is outside of every sheet")
    return row, column


_REFERENCE = re.compile(
    r"\"(?:[^\"]|\"\")*\"|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|(?:(?P<sheet>[A-Za-z_]\w*|'[^']+')!)?"
    r"(?P<first>\$?[A-Za-z]{1,3}\$?[1-9]\d{0,6})(?![\w(])"
    r"(?:\s*:\s*(?P<last>\$?[A-Za-z]{1,3}\$?[1-9]\d{0,6})(?![\w(]))?|[A-Za-z_][\w.]*",
    re.ASCII,
)


def moved(
    text: str,
    sheets: Callable[[str], bool],
    move: Callable[[Rect, tuple[bool, bool]], Rect | None],
) -> str:
    """Return a formula with moved addresses.

    Args:
        text: The formula.
        sheets: Returns whether references to a sheet change; "" is the formula's own
            sheet.
        move: Returns the new place of a range, or None if it no longer exists. It
            receives the range, and whether its row and its column are absolute ("$").
    """

    def replace(found: re.Match[str]) -> str:
        if not found["first"] or not sheets((found["sheet"] or "").strip("'")):
            return found[0]
        first, last = found["first"], found["last"] or found["first"]
        (top, left), (bottom, right) = _corner(first), _corner(last)
        fixed = "$" in first[1:], first[0] == "$"
        rect = move(Rect(top, left, bottom, right), fixed)
        prefix = f"{found['sheet']}!" if found["sheet"] else ""
        if rect is None or rect.right > MAX_COLUMNS or rect.bottom > MAX_ROWS:
            return "#REF!"
        new = _written(rect.top, rect.left, fixed)
        if found["last"]:
            ends = "$" in last[1:], last[0] == "$"
            new += f":{_written(rect.bottom, rect.right, ends)}"
        return prefix + new

    return _REFERENCE.sub(replace, text)


def _written(row: int, column: int, fixed: tuple[bool, bool]) -> str:
    return f"{'$' * fixed[1]}{column_name(column)}{'$' * fixed[0]}{row}"
