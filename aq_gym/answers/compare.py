"""Compare an answer with the expected one, by its kind.

A list is a JSON array, or it is split at lines, at semicolons and commas, as in GAIA's
scorer (Mialon et al., 2023), and at "and"; its parts are compared by the rules of their
own kind. Yes and no, the answers of BoolQ (Clark et al., 2019), are read from what
precedes the first comma.
"""

from __future__ import annotations

import json
import re
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from aq_gym.answers.dates import read_date
from aq_gym.answers.numbers import Number, read_number
from aq_gym.answers.texts import normalized

Kind: TypeAlias = Literal["text", "number", "date", "boolean", "list", "set"]

_MOST_CHARACTERS = 10_000
_YES = frozenset({"yes", "true", "correct", "y"})
_NO = frozenset({"no", "false", "incorrect", "n"})
_LEAD = re.compile(
    r"^(?:the )?(?:final )?answer(?: is\b\s*:?|\s*[:=])[\s*]*", re.IGNORECASE
)
_BULLET = re.compile(r"^\s*(?:[-*\u2022]|\d+[.)])\s+")
_SEPARATORS = re.compile(r"\s*(?:,(?!\d{3}\b)|\band\b)\s*", re.IGNORECASE)
_BOXED = re.compile(r"^\\boxed\{(.*)\}$", re.DOTALL)


def is_same(given: object, expected: object, kind: Kind) -> bool:
    """Return whether an answer is the expected one.

    Args:
        given: The answer: text, or the value that a tool received.
        expected: The expected answer, in any form that the kind can be written in.
        kind: How to compare. "number": by value; units must agree if both have one, and
            a percent sign is a unit. "date": by day. "boolean": yes or no. "text": see
            :func:`normalized`. "list": the parts in order, "set": in any order; a part
            is compared as a number or date if the expected one is one, else as text.
    """
    if kind in ("list", "set"):
        return _same_parts(_parts(given), _parts(expected), in_order=kind == "list")
    if kind == "number":
        return _same_number(_number(given), _number(expected))
    one, other = _text(given), _text(expected)
    if len(one) > _MOST_CHARACTERS:
        return False
    if kind == "date":
        date = read_date(one)
        return date is not None and date == read_date(other)
    if kind == "boolean":
        truth = _truth(one)
        return truth is not None and truth == _truth(other)
    return bool(normalized(one)) and normalized(one) == normalized(other)


def _number(value: object) -> Number | None:
    if isinstance(value, Fraction):
        return Number(value)
    return read_number(_text(value))


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    try:
        written = str(value)
    except (ValueError, RecursionError):
        # An integer of thousands of digits, or a list nested thousands deep.
        return ""
    text = _LEAD.sub("", written.strip().strip("\"'`*").strip())
    boxed = _BOXED.match(text.strip("$").strip())
    return boxed[1] if boxed else text


def _same_number(one: Number | None, other: Number | None) -> bool:
    if one is None or other is None or one.value != other.value:
        return False
    return one.unit == other.unit or not (one.unit and other.unit)


def _truth(text: str) -> bool | None:
    word = normalized(text.split(",")[0])
    return True if word in _YES else False if word in _NO else None


def _parts(value: object) -> list[object]:
    if isinstance(value, list | tuple):
        return list(value)
    if isinstance(value, set | frozenset):
        return sorted(value, key=str)
    text = _text(value)[:_MOST_CHARACTERS]
    listed = _literal(text)
    if isinstance(listed, list):
        return listed
    text = text.strip("[](){}")
    if "\n" in text:
        lines = (line.strip(" \t\r,;") for line in text.split("\n"))
        return [_BULLET.sub("", line) for line in lines if line]
    parts = text.split(";") if ";" in text else _SEPARATORS.split(text)
    return [part for part in parts if part.strip()]


def _literal(text: str) -> Any:
    """Return a JSON array, or None."""
    if not text.startswith("["):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _same_parts(given: list[object], expected: list[object], in_order: bool) -> bool:
    if len(given) != len(expected):
        return False
    if in_order:
        return all(map(_same_part, given, expected))
    left = list(given)
    for part in expected:
        at = next((k for k, one in enumerate(left) if _same_part(one, part)), None)
        if at is None:
            return False
        del left[at]
    return True


def _same_part(given: object, expected: object) -> bool:
    text = _text(expected)
    number = read_number(text)
    if number is not None:
        # "12 Monkeys" is not the number 12.
        alike = not number.unit or read_number(_text(given)) == number
        return alike and is_same(given, expected, "number")
    return is_same(given, expected, "date" if read_date(text) else "text")
