"""The values of formulas: operators and functions, as spreadsheets have them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
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


# None is a blank cell.
Value: TypeAlias = int | float | str | bool | None
# The values of a range, with blanks.
_Reader: TypeAlias = Callable[[Range], Sequence[Value]]

_VALUE, _DIVISION = ErrorValue("#VALUE!"), ErrorValue("#DIV/0!")
_NUMBER, _NAME, _REFERENCE = (
    ErrorValue("#NUM!"),
    ErrorValue("#NAME?"),
    ErrorValue("#REF!"),
)
_MOST_TEXT = 2_000


class _FailedError(Exception):
    """An error value that becomes that of the formula."""

    def __init__(self, error: ErrorValue) -> None:
        self.error = error


def evaluate(node: Node, read: _Reader) -> Value:
    """Return the value of a formula; never raises because of what cells hold."""
    try:
        value = _value(node, read)
        return 0 if value is None else _tidy(value)
    except _FailedError as failed:
        return failed.error
    except ZeroDivisionError:
        return _DIVISION
    except OverflowError:
        return _NUMBER


def _tidy(value: Value) -> Value:
    if isinstance(value, float):
        if not math.isfinite(value):
            return _NUMBER
        # Rounding errors are removed, so that equal results compare equal.
        value = float(f"{value:.12g}")
        return int(value) if value.is_integer() else value
    if isinstance(value, bool):
        return value
    if isinstance(value, int) and abs(value) > 10**15:
        return float(value)
    return value[:_MOST_TEXT] if type(value) is str else value


def _value(node: Node, read: _Reader) -> Value:
    if isinstance(node, Range):
        if not node.single:
            raise _FailedError(_VALUE)
        return _sound(read(node)[0])
    if isinstance(node, Call):
        function = FUNCTIONS.get(node.name)
        if function is None:
            raise _FailedError(_REFERENCE if node.name == "#REF!" else _NAME)
        return function(node.arguments, read)
    if isinstance(node, Unary):
        number = _number(_value(node.operand, read))
        return {"-": -number, "+": number, "%": number / 100}[node.sign]
    if isinstance(node, Binary):
        left, right = _value(node.left, read), _value(node.right, read)
        return _OPERATORS[node.sign](left, right)
    return node


def _sound(value: Value) -> Value:
    if isinstance(value, ErrorValue):
        raise _FailedError(value)
    return value


def _number(value: Value) -> int | float:
    if isinstance(value, (int, float)):
        return value
    if value is None:
        return 0
    try:
        number = float(value)
    except ValueError:
        raise _FailedError(_VALUE) from None
    if not math.isfinite(number):
        raise _FailedError(_VALUE)
    return number


def _text(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    return str(_tidy(value))


def _divide(left: Value, right: Value) -> Value:
    return _number(left) / _number(right)


def _power(left: Value, right: Value) -> Value:
    result: complex = float(_number(left)) ** float(_number(right))
    if isinstance(result, complex):
        raise _FailedError(_NUMBER)
    return result.real


def _order(left: Value, right: Value) -> int:
    """Compare as spreadsheets do: numbers, texts (ignoring case), then booleans."""
    if left is None:
        left = "" if isinstance(right, str) else 0
    if right is None:
        right = "" if isinstance(left, str) else 0
    first, second = _rank(left), _rank(right)
    return (first > second) - (first < second)


def _rank(value: Value) -> tuple[int, float, str]:
    if isinstance(value, bool):
        return 2, value, ""
    if isinstance(value, str):
        return 1, 0.0, value.casefold()
    return 0, value or 0, ""


_OPERATORS: dict[str, Callable[[Value, Value], Value]] = {
    "+": lambda a, b: _number(a) + _number(b),
    "-": lambda a, b: _number(a) - _number(b),
    "*": lambda a, b: _number(a) * _number(b),
    "/": _divide,
    "^": _power,
    "&": lambda a, b: (_text(a) + _text(b))[:_MOST_TEXT],
    "=": lambda a, b: _order(a, b) == 0,
    "<>": lambda a, b: _order(a, b) != 0,
    "<": lambda a, b: _order(a, b) < 0,
    ">": lambda a, b: _order(a, b) > 0,
    "<=": lambda a, b: _order(a, b) <= 0,
    ">=": lambda a, b: _order(a, b) >= 0,
}


def _items(arguments: Iterable[Node], read: _Reader) -> Iterator[tuple[Value, bool]]:
    """Yield the values of arguments, and whether each comes from cells."""
    for node in arguments:
        if isinstance(node, Range):
            for value in read(node):
                yield value, True
        else:
            yield _value(node, read), False


def _numbers(arguments: Sequence[Node], read: _Reader) -> list[int | float]:
    """Return the numbers of arguments; in cells, texts and booleans do not count."""
    found: list[int | float] = []
    for value, in_cells in _items(arguments, read):
        _sound(value)
        if not in_cells:
            found.append(_number(value))
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            found.append(value)
    return found


def _of_numbers(
    function: Callable[[list[int | float]], Value], empty: Value = 0
) -> Callable[[Sequence[Node], _Reader], Value]:
    def applied(arguments: Sequence[Node], read: _Reader) -> Value:
        _count(arguments, 1, 100)
        found = _numbers(arguments, read)
        if found:
            return function(found)
        if isinstance(empty, ErrorValue):
            raise _FailedError(empty)
        return empty

    return applied


def _count(arguments: Sequence[Node], least: int, most: int) -> None:
    if not least <= len(arguments) <= most:
        raise _FailedError(_VALUE)


def _scalars(
    arguments: Sequence[Node], read: _Reader, least: int, most: int
) -> list[Value]:
    _count(arguments, least, most)
    return [_value(one, read) for one in arguments]


def _round(arguments: Sequence[Node], read: _Reader) -> Value:
    number, *rest = map(_number, _scalars(arguments, read, 1, 2))
    scale = 10.0 ** max(-15, min(15, int(rest[0]) if rest else 0))
    # Halves are rounded away from zero; the tolerance is for values like 2.675.
    scaled = math.floor(abs(number) * scale * (1 + 1e-15) + 0.5)
    return math.copysign(scaled / scale, number)


def _modulo(arguments: Sequence[Node], read: _Reader) -> Value:
    left, right = map(_number, _scalars(arguments, read, 2, 2))
    return left % right


def _square_root(arguments: Sequence[Node], read: _Reader) -> Value:
    (number,) = map(_number, _scalars(arguments, read, 1, 1))
    if number < 0:
        raise _FailedError(_NUMBER)
    return math.sqrt(number)


def _if(arguments: Sequence[Node], read: _Reader) -> Value:
    _count(arguments, 2, 3)
    if _true(_value(arguments[0], read)):
        return _value(arguments[1], read)
    return _value(arguments[2], read) if len(arguments) == 3 else False


def _true(value: Value) -> bool:
    if isinstance(value, str):
        if value.upper() in ("TRUE", "FALSE"):
            return value.upper() == "TRUE"
        raise _FailedError(_VALUE)
    return bool(value)


def _truths(arguments: Sequence[Node], read: _Reader) -> list[bool]:
    _count(arguments, 1, 100)
    found = []
    for value, in_cells in _items(arguments, read):
        if in_cells and (value is None or isinstance(_sound(value), str)):
            continue
        found.append(_true(_sound(value)))
    if not found:
        raise _FailedError(_VALUE)
    return found


def _count_all(arguments: Sequence[Node], read: _Reader) -> Value:
    _count(arguments, 1, 100)
    return sum(value is not None for value, _ in _items(arguments, read))


def _count_numbers(arguments: Sequence[Node], read: _Reader) -> Value:
    _count(arguments, 1, 100)
    return sum(
        isinstance(value, (int, float)) and not (in_cells and isinstance(value, bool))
        for value, in_cells in _items(arguments, read)
    )


def _matches(node: Node, read: _Reader) -> Callable[[Value], bool]:
    """Return a test for a criterion such as ">=5" or "open"."""
    wanted = _value(node, read)
    sign = "="
    if isinstance(wanted, str):
        for candidate in ("<=", ">=", "<>", "<", ">", "="):
            if wanted.startswith(candidate):
                sign, wanted = candidate, wanted[len(candidate) :]
                break
        with suppress(_FailedError):
            wanted = _number(wanted)
    compare, kind = _OPERATORS[sign], _rank(wanted)[0]

    def test(value: Value) -> bool:
        if value is None or isinstance(value, ErrorValue) or _rank(value)[0] != kind:
            return sign == "<>"
        return bool(compare(value, wanted))

    return test


def _count_if(arguments: Sequence[Node], read: _Reader) -> Value:
    _count(arguments, 2, 2)
    cells = _cells(arguments[0], read)
    return sum(map(_matches(arguments[1], read), cells))


def _sum_if(arguments: Sequence[Node], read: _Reader) -> Value:
    _count(arguments, 2, 3)
    cells, test = _cells(arguments[0], read), _matches(arguments[1], read)
    added = _cells(arguments[-1], read) if len(arguments) == 3 else cells
    if len(added) != len(cells):
        raise _FailedError(_VALUE)
    chosen = [_sound(x) for one, x in zip(cells, added, strict=True) if test(one)]
    return sum(
        x for x in chosen if isinstance(x, (int, float)) and not isinstance(x, bool)
    )


def _cells(node: Node, read: _Reader) -> Sequence[Value]:
    if not isinstance(node, Range):
        raise _FailedError(_VALUE)
    return read(node)


def _one_number(function: Callable[[float], float]) -> Callable[..., Value]:
    def applied(arguments: Sequence[Node], read: _Reader) -> Value:
        (number,) = map(_number, _scalars(arguments, read, 1, 1))
        return function(number)

    return applied


FUNCTIONS: dict[str, Callable[[Sequence[Node], _Reader], Value]] = {
    "SUM": _of_numbers(math.fsum),
    "AVERAGE": _of_numbers(lambda n: math.fsum(n) / len(n), _DIVISION),
    "PRODUCT": _of_numbers(math.prod),
    "MAX": _of_numbers(max),
    "MIN": _of_numbers(min),
    "MEDIAN": _of_numbers(median, _NUMBER),
    "COUNT": _count_numbers,
    "COUNTA": _count_all,
    "COUNTIF": _count_if,
    "SUMIF": _sum_if,
    "ROUND": _round,
    "ABS": _one_number(abs),
    "INT": _one_number(math.floor),
    "SQRT": _square_root,
    "MOD": _modulo,
    "MINUS": lambda a, r: _OPERATORS["-"](*_scalars(a, r, 2, 2)),
    "IF": _if,
    "AND": lambda a, r: all(_truths(a, r)),
    "OR": lambda a, r: any(_truths(a, r)),
    "NOT": lambda a, r: not _true(_scalars(a, r, 1, 1)[0]),
    "LEN": lambda a, r: len(_text(_scalars(a, r, 1, 1)[0])),
    "CONCATENATE": lambda a, r: "".join(map(_text, _scalars(a, r, 1, 100))),
}
