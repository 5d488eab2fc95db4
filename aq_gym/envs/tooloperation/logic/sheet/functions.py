"""The values of formulas: operators and functions, as in Excel and LibreOffice.

Numbers are doubles, and only their first 15 digits count, so ``0.1+0.2=0.3`` is true.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal
from fnmatch import translate
from functools import lru_cache
from statistics import median
from typing import TypeAlias

from aq_gym.envs.tooloperation.logic.sheet.formulas import (
    Binary,
    Call,
    Node,
    Range,
    Unary,
)


class ErrorValue(str):
    """An error in a cell, such as "#DIV/0!"."""

    __slots__ = ()


# The value of a cell; None for a blank cell.
Value: TypeAlias = int | float | str | bool | None
# Returns the values of a range, including blanks.
_Reader: TypeAlias = Callable[[Range], Sequence[Value]]
_Test: TypeAlias = Callable[[Value], bool]

_VALUE, _DIVISION = ErrorValue("#VALUE!"), ErrorValue("#DIV/0!")
_NUMBER, _NAME, _REFERENCE = (
    ErrorValue("#NUM!"),
    ErrorValue("#NAME?"),
    ErrorValue("#REF!"),
)
_MOST_TEXT = 2_000
_LARGEST_INTEGER = 10**15
# Texts that count as numbers in calculations.
_NUMERIC = re.compile(
    r"\s*([+-]?(?:\d{1,3}(?:,\d{3})+|\d*)(?:\.\d*)?(?:[eE][+-]?\d+)?)(%?)\s*",
    re.ASCII,
)
_CRITERION = re.compile(r"(<=|>=|<>|<|>|=)?(.*)", re.DOTALL)
_WILDCARD = re.compile(r"~([*?~])|(\[)")


class _FailedError(Exception):
    """Raised with an error value that becomes the formula's value."""

    def __init__(self, error: ErrorValue) -> None:
        self.error = error


def evaluate(node: Node, read: _Reader) -> Value:
    """Return the value of a formula; never raises, whatever the cells contain."""
    value = _value_or_error(node, read)
    return 0 if value is None else _tidy(value)


def _value_or_error(node: Node, read: _Reader) -> Value:
    try:
        return _value(node, read)
    except _FailedError as failed:
        return failed.error


def _tidy(value: Value) -> Value:
    if isinstance(value, float):
        value = _digits(value)
        whole = value.is_integer() and abs(value) <= _LARGEST_INTEGER
        return int(value) if whole else value
    return value[:_MOST_TEXT] if type(value) is str else value


def _digits(value: float) -> float:
    """Return a number rounded to the first 15 digits."""
    rounded = float(f"{value:.15g}")
    # The largest double would be rounded up to infinity.
    return rounded if math.isfinite(rounded) else value


def _value(node: Node, read: _Reader) -> Value:
    if isinstance(node, Range):
        if not node.single:
            raise _FailedError(_VALUE)
        return _sound(read(node)[0])
    if isinstance(node, Call):
        if node.name not in FUNCTIONS:
            raise _FailedError(_REFERENCE if node.name == "#REF!" else _NAME)
        least, most, function = FUNCTIONS[node.name]
        if not least <= len(node.arguments) <= most:
            raise _FailedError(_VALUE)
        return function(node.arguments, read)
    if isinstance(node, Unary):
        value = _value(node.operand, read)
        if node.sign == "+":
            return value
        return -_number(value) if node.sign == "-" else _number(value) / 100
    if isinstance(node, Binary):
        left, right = _value(node.left, read), _value(node.right, read)
        if node.sign == "&":
            return (_text(left) + _text(right))[:_MOST_TEXT]
        if compare := _COMPARISONS.get(node.sign):
            return compare(_order(left, right), 0)
        return _calculated(node.sign, _number(left), _number(right))
    return node


def _calculated(sign: str, left: float, right: float) -> float:
    try:
        result = _ARITHMETIC[sign](left, right)
    except ZeroDivisionError:
        raise _FailedError(_DIVISION) from None
    except OverflowError:
        raise _FailedError(_NUMBER) from None
    # A power of a negative number can be complex.
    if isinstance(result, complex):
        raise _FailedError(_NUMBER)
    # A result as small as a rounding error counts as 0.
    lost = sign in "+-" and abs(result) < max(abs(left), abs(right)) * 2**-48
    return 0.0 if lost else _finite(result)


def _sound(value: Value) -> Value:
    if isinstance(value, ErrorValue):
        raise _FailedError(value)
    return value


def _number(value: Value) -> float:
    if isinstance(value, str):
        number = _read_number(value)
        if number is None:
            raise _FailedError(_VALUE)
        return number
    return 0.0 if value is None else float(value)


def _read_number(text: str) -> float | None:
    """Return the number that a text contains, or None if it is not a number."""
    found = _NUMERIC.fullmatch(text)
    try:
        number = float(found[1].replace(",", "")) if found else math.inf
    except ValueError:
        return None
    if found is None or not math.isfinite(number):
        return None
    return number / 100 if found[2] else number


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, (int, float)):
        return f"{value:.15g}".upper()
    return value or ""


def _order(left: Value, right: Value) -> int:
    """Return -1, 0 or 1; the order is numbers, texts (ignoring case), booleans."""
    first, second = (
        _rank(_blank_like(other) if one is None else one)
        for one, other in ((left, right), (right, left))
    )
    return (first > second) - (first < second)


def _blank_like(other: Value) -> Value:
    """Return the value of a blank cell in a comparison with another value."""
    if isinstance(other, bool):
        return False
    return "" if isinstance(other, str) else 0


def _rank(value: Value) -> tuple[int, float, str]:
    if isinstance(value, bool):
        return 2, value, ""
    if isinstance(value, str):
        return 1, 0.0, value.casefold()
    return 0, _digits(value or 0), ""


_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "^": operator.pow,
}
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


def _items(arguments: Iterable[Node], read: _Reader) -> Iterator[tuple[Value, bool]]:
    """Yield the values of arguments and errors, and whether each is in a cell."""
    for node in arguments:
        if isinstance(node, Range):
            yield from ((value, True) for value in read(node))
        else:
            yield _value_or_error(node, read), False


def _is_number(value: Value) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _numbers(arguments: Sequence[Node], read: _Reader) -> list[float]:
    """Return the numbers in arguments; texts and booleans in cells do not count."""
    found = []
    for value, in_cells in _items(arguments, read):
        _sound(value)
        if not in_cells or _is_number(value):
            found.append(_number(value))
    return found


def _of_numbers(
    function: Callable[[list[float]], float], empty: int | ErrorValue = 0
) -> Callable[[Sequence[Node], _Reader], Value]:
    def applied(arguments: Sequence[Node], read: _Reader) -> Value:
        found = _numbers(arguments, read)
        return _finite(function(found)) if found else _sound(empty)

    return applied


def _finite(number: float) -> float:
    if not math.isfinite(number):
        raise _FailedError(_NUMBER)
    return number


def _total(numbers: Iterable[float]) -> float:
    try:
        return math.fsum(numbers)
    except OverflowError:
        return math.inf


def _round(arguments: Sequence[Node], read: _Reader) -> Value:
    """Round a number by its decimal digits, halves away from zero."""
    number, *rest = (_number(_value(one, read)) for one in arguments)
    places = int(max(-400, min(400, rest[0]))) if rest else 0
    written = Decimal(f"{number:.15g}")
    exponent = written.as_tuple().exponent
    if not isinstance(exponent, int) or -places <= exponent:
        return number
    return float(written.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP))


def _if(arguments: Sequence[Node], read: _Reader) -> Value:
    condition = _value(arguments[0], read)
    if isinstance(condition, str):
        condition = _TRUTHS.get(condition.upper())
        if condition is None:
            raise _FailedError(_VALUE)
    if condition:
        return _value(arguments[1], read)
    return _value(arguments[2], read) if len(arguments) == 3 else False


_TRUTHS = {"TRUE": True, "FALSE": False}


def _count_numbers(arguments: Sequence[Node], read: _Reader) -> Value:
    return sum(
        _is_number(value)
        if in_cells
        else not isinstance(value, str) or _read_number(value) is not None
        for value, in_cells in _items(arguments, read)
    )


def _count_all(arguments: Sequence[Node], read: _Reader) -> Value:
    items = _items(arguments, read)
    return sum(value is not None or not in_cells for value, in_cells in items)


def _matching(node: Node, read: _Reader) -> _Test:
    """Return the test for a criterion, such as 5, ">=5", "open" or "r*"."""
    wanted = _value(node, read)
    sign = ""
    if isinstance(wanted, str):
        found = _CRITERION.fullmatch(wanted)
        assert found is not None
        sign, written = found[1] or "", found[2]
        if not written and sign in ("", "=", "<>"):
            return {
                "": lambda value: value is None or value == "",
                "=": lambda value: value is None,
                "<>": lambda value: value is not None,
            }[sign]
        number = _read_number(written)
        truth = _TRUTHS.get(written.upper())
        wanted = written if number is None else number
        wanted = wanted if truth is None else truth
    wanted = 0 if wanted is None else wanted
    if isinstance(wanted, str) and sign in ("", "=", "<>"):
        return _like(wanted, wanted_result=sign != "<>")
    compare, kind = _COMPARISONS[sign or "="], _rank(wanted)[0]

    def test(value: Value) -> bool:
        if value is None or isinstance(value, ErrorValue) or _rank(value)[0] != kind:
            return sign == "<>"
        return compare(_order(value, wanted), 0)

    return test


def _like(text: str, wanted_result: bool) -> _Test:
    """Return a test whether a whole text matches a pattern with ``*`` and ``?``."""
    match = _wildcards(text.casefold()).match

    def test(value: Value) -> bool:
        is_text = type(value) is str
        return (is_text and match(str(value).casefold()) is not None) is wanted_result

    return test


@lru_cache(maxsize=64)
def _wildcards(text: str) -> re.Pattern[str]:
    # fnmatch escapes a character by writing it as a set.
    return re.compile(translate(_WILDCARD.sub(lambda x: f"[{x[1] or x[2]}]", text)))


def _count_if(arguments: Sequence[Node], read: _Reader) -> Value:
    cells, criterion = arguments
    return sum(map(_matching(criterion, read), _cells(cells, read)))


def _sum_if(arguments: Sequence[Node], read: _Reader) -> Value:
    tested = _cells(arguments[0], read)
    added = _cells(arguments[-1], read) if len(arguments) == 3 else tested
    test = _matching(arguments[1], read)
    # The parser has made both ranges the same shape.
    chosen = [_sound(x) for one, x in zip(tested, added, strict=True) if test(one)]
    return _finite(_total(_number(x) for x in chosen if _is_number(x)))


def _cells(node: Node, read: _Reader) -> Sequence[Value]:
    if not isinstance(node, Range):
        raise _FailedError(_VALUE)
    return read(node)


def _first(arguments: Sequence[Node], read: _Reader) -> float:
    return _number(_value(arguments[0], read))


def _minus(arguments: Sequence[Node], read: _Reader) -> Value:
    left, right = (_number(_value(one, read)) for one in arguments)
    return _calculated("-", left, right)


# The minimum and maximum number of arguments of a function, and the function.
_Function: TypeAlias = tuple[int, int, Callable[[Sequence[Node], _Reader], Value]]
FUNCTIONS: dict[str, _Function] = {
    "SUM": (1, 100, _of_numbers(_total)),
    "AVERAGE": (1, 100, _of_numbers(lambda n: _total(n) / len(n), _DIVISION)),
    "PRODUCT": (1, 100, _of_numbers(math.prod)),
    "MAX": (1, 100, _of_numbers(max)),
    "MIN": (1, 100, _of_numbers(min)),
    "MEDIAN": (1, 100, _of_numbers(median, _NUMBER)),
    "COUNT": (1, 100, _count_numbers),
    "COUNTA": (1, 100, _count_all),
    "COUNTIF": (2, 2, _count_if),
    "SUMIF": (2, 3, _sum_if),
    "ROUND": (1, 2, _round),
    "ABS": (1, 1, lambda a, r: abs(_first(a, r))),
    "INT": (1, 1, lambda a, r: float(math.floor(_digits(_first(a, r))))),
    "IF": (2, 3, _if),
    # A function of Google's spreadsheets, for AgentBoard's tasks.
    "MINUS": (2, 2, _minus),
}
