"""Compare an agent's answer with the expected one, by kind of answer.

Dates are ISO 8601 or English. A list is a JSON array, or it is split at lines, at
semicolons and commas, as in GAIA's scorer, and at "and"; its parts are compared by the
rules of their own kind. Yes and no, the answers of BoolQ (Clark et al., 2019), are read
from what precedes the first comma.
"""

from __future__ import annotations

import datetime
import json
import re
import unicodedata
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from aq_gym.answers.numbers import Number, read_number
from aq_gym.answers.statements import without_latex

Kind: TypeAlias = Literal["text", "number", "date", "boolean", "list", "set"]

_LONGEST_ANSWER = 10_000
_YES = frozenset({"yes", "true", "correct", "y"})
_NO = frozenset({"no", "false", "incorrect", "n"})
_LEAD = re.compile(
    r"^(?:the )?(?:final )?answer(?: is\b\s*:?|\s*[:=])[\s*]*", re.IGNORECASE
)
_BULLET = re.compile(r"^\s*(?:[-*\u2022]|\d+[.)])\s+")
_SEPARATORS = re.compile(r"\s*(?:,(?!\d{3}\b)|\band\b)\s*", re.IGNORECASE)


def is_same(given: object, expected: object, kind: Kind) -> bool:
    """Return whether an answer is the expected one.

    Args:
        given: The answer: text, or the value that a tool received.
        expected: The expected answer, in any form that the kind can be written in.
        kind: How to compare. "number": by value; units must agree if both have one, and
            a percent sign is a unit. "date": by day. "boolean": yes or no. "text": see
            :func:`normalized`. "list": the parts in order, "set": in any order; a part
            is compared as a number or date if the expected part is a number or date,
            else as text.
    """
    if kind in ("list", "set"):
        return _same_parts(_parts(given), _parts(expected), in_order=kind == "list")
    if kind == "number":
        return _same_number(_number(given), _number(expected))
    one, other = _text(given), _text(expected)
    if len(one) > _LONGEST_ANSWER:
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
        # json.loads raises these for an integer with thousands of digits or a list
        # nested thousands deep.
        return ""
    return without_latex(_LEAD.sub("", written.strip().strip("\"'`*").strip()))


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
    text = _text(value)[:_LONGEST_ANSWER]
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


_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
_ISO = re.compile(
    r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[t ]00:00(?::00)?z?)?", re.ASCII
)
_DAY_FIRST = re.compile(
    r"(?:the )?(\d{1,2})(?:st|nd|rd|th)?(?: of)? ([a-z]+)\.?,? (\d{4})", re.ASCII
)
_MONTH_FIRST = re.compile(
    r"([a-z]+)\.? (?:the )?(\d{1,2})(?:st|nd|rd|th)?,? (\d{4})", re.ASCII
)
_NUMERIC = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})", re.ASCII)
_WEEKDAY = re.compile(r"^(?:mon|tues|wednes|thurs|fri|satur|sun)day,? ")


def read_date(text: str) -> datetime.date | None:
    """Read a date: ``2024-03-05``, ``5 March 2024``, ``March 5th, 2024``.

    Args:
        text: Any text.

    Returns:
        The date; None if the text is not a date, or is ambiguous, like 3/5/2024.
    """
    if len(text) > 60:
        return None
    bare = " ".join(text.lower().split()).strip(" .")
    bare = _WEEKDAY.sub("", bare)
    if found := _ISO.fullmatch(bare):
        return _date(found[1], int(found[2]), found[3])
    if found := _DAY_FIRST.fullmatch(bare):
        return _date(found[3], _month(found[2]), found[1])
    if found := _MONTH_FIRST.fullmatch(bare):
        return _date(found[3], _month(found[1]), found[2])
    if found := _NUMERIC.fullmatch(bare):
        first, second = int(found[1]), int(found[2])
        if first > 12 or first == second:
            return _date(found[3], second, found[1])
        if second > 12:
            return _date(found[3], first, found[2])
    return None


def _month(name: str) -> int:
    """Return the number of a month from its name or its first three letters, or 0."""
    for number, month in enumerate(_MONTHS, start=1):
        if name == month or (name in (month[:3], month[:4]) and len(name) >= 3):
            return number
    return 0


def _date(year: str, month: int, day: str) -> datetime.date | None:
    try:
        return datetime.date(int(year), month, int(day))
    except ValueError:
        return None


_ARTICLES = re.compile(r"\b(?:a|an|the)\b")


def normalized(text: str) -> str:
    """Return a text without case, punctuation, articles, accents and extra whitespace.

    The rule is that of SQuAD's evaluation (Rajpurkar et al., "SQuAD: 100,000+ Questions
    for Machine Comprehension of Text", EMNLP 2016). Accents are dropped, too, because
    some keyboards lack them.

    Args:
        text: Any text.
    """
    # Applied twice, because some characters have a case only after decomposition.
    parts = unicodedata.normalize("NFKD", text.casefold()).casefold()
    parts = unicodedata.normalize("NFKD", parts)
    letters = "".join(map(_letter, parts))
    bare = " ".join(_ARTICLES.sub(" ", letters).split())
    return bare or " ".join(letters.split())


@lru_cache(maxsize=4096)
def _letter(sign: str) -> str:
    """Return what replaces a character: itself, a space or nothing."""
    # Some signs join the parts around them into one word, as in don't.
    if unicodedata.combining(sign) or sign in "'\u2019`.":
        return ""
    # Keeps "C++" different from "C".
    separates = sign not in "+#" and unicodedata.category(sign)[0] in "PZSC"
    return " " if separates else sign
