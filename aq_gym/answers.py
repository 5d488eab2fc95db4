"""Compare an agent's answer with the expected one, by kind of answer.

Numbers are read as the scorers of GSM8K (Cobbe et al., 2021) and GAIA (Mialon et al.,
2023) read them, which drop thousands separators, currencies and percent signs. Unlike
them, this module keeps the unit and compares it. Powers of ten are written as in JSON,
and fractions as in the answers of MATH (Hendrycks et al., 2021). Dates are ISO 8601 or
English.

A list is a JSON array, or text that is split at line breaks, at semicolons and commas,
as in GAIA's scorer, and at "and"; each part is compared by the rules of its own kind.
Yes and no, the answers of BoolQ (Clark et al., 2019), are read from the text before the
first comma.
"""

from __future__ import annotations

import datetime
import json
import re
import unicodedata
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

__all__ = ["Kind", "Number", "is_same", "normalized", "read_date", "read_number"]

Kind: TypeAlias = Literal["text", "number", "date", "boolean", "list", "set"]

_LONGEST_ANSWER = 10_000
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


_LONGEST_NUMBER = 200
_MOST_DIGITS = 60
_LARGEST_EXPONENT = 60
# Maps minus signs, spaces and digits of other scripts to their ASCII equivalents.
_PLAIN = str.maketrans({"\u2212": "-", "\u2013": "-", "\u00a0": " ", "\u202f": " "})
_WORDS = {
    word: number
    for number, word in enumerate(
        [
            *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight"),
            *("nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen"),
            *("sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
        ]
    )
}
_CURRENCIES = {"$": "dollar", "\u20ac": "euro", "\u00a3": "pound", "\u00a5": "yen"}
_NUMBER = re.compile(
    r"(?P<sign>[+-]?)\s*(?P<currency>[$\u20ac\u00a3\u00a5]?)\s*(?P<sign2>-?)"
    r"(?:(?P<whole>\d{1,3}(?:,\d{3})+|\d+)?(?P<decimals>\.\d*)?"
    r"(?:[eE](?P<exponent>[+-]?\d{1,3})(?![a-zA-Z]))?"
    r"(?:(?P<mixed> +\d+)?\s*/\s*(?P<denominator>\d+))?)"
    r"\s*(?P<unit>.*)",
    re.DOTALL | re.ASCII,
)
# In "twenty one" and "11th", "one" and "th" are not units.
_NOT_UNITS = frozenset({*_WORDS, "st", "nd", "rd", "th", "and", "or", "to"})
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}


class Number(NamedTuple):
    """A number with its unit.

    Attributes:
        value: Its exact value. A percent sign does not change it.
        unit: The unit in lower case, without its plural s: "%", "km", "dollar" or "".
    """

    value: Fraction
    unit: str = ""


def read_number(text: str) -> Number | None:
    """Read a number: digits, thousands separators, a fraction, a unit.

    ``1,234.50``, ``-3``, ``3/4``, ``1 1/2``, ``1.5e3``, ``$12``, ``12 %``, ``7 km``,
    ``2 million`` and ``seven`` are numbers. A comma is a thousands separator, so
    ``3,14`` is not a number.

    Args:
        text: Any text.

    Returns:
        The number, or None if the text is anything else.
    """
    bare = text.translate(_PLAIN).strip().rstrip(".").strip()
    if not bare or len(bare) > _LONGEST_NUMBER:
        return None
    word, _, rest = bare.lower().partition(" ")
    if word in _WORDS:
        return _scaled(Fraction(_WORDS[word]), rest)
    found = _NUMBER.fullmatch(bare)
    if found is None or (found["whole"] is None and found["decimals"] in (None, ".")):
        return None
    value = _value(found)
    if value is None or (found["sign"] and found["sign2"]):
        return None
    negative = "-" in (found["sign"], found["sign2"])
    number = _scaled(-value if negative else value, found["unit"])
    if number is not None and found["currency"]:
        known = _CURRENCIES[found["currency"]]
        return Number(number.value, known) if number.unit in ("", known) else None
    return number


def _value(found: re.Match[str]) -> Fraction | None:
    whole = (found["whole"] or "0").replace(",", "")
    decimals = (found["decimals"] or "")[1:]
    exponent = int(found["exponent"] or 0)
    long = len(whole) + len(decimals) > _MOST_DIGITS
    if long or abs(exponent) > _LARGEST_EXPONENT:
        return None
    value = Fraction(int(whole + decimals), 10 ** len(decimals))
    if exponent:
        value *= Fraction(10) ** exponent
    if found["denominator"] is None:
        return value
    numerator, denominator = found["mixed"], int(found["denominator"][:_MOST_DIGITS])
    if denominator == 0 or decimals or exponent:
        return None
    if numerator is None:
        return value / denominator
    return value + Fraction(int(numerator.strip()[:_MOST_DIGITS]), denominator)


def _scaled(value: Fraction, unit: str) -> Number | None:
    """Apply a word such as "million", and check that the rest is a unit."""
    words = unit.strip().lower().split()
    if words and words[0] in _SCALES:
        value *= _SCALES[words.pop(0)]
    if not words:
        return Number(value)
    if words == ["percent"] or words == ["per", "cent"]:
        return Number(value, "%")
    rest = " ".join(words)
    if any(sign in "0123456789" and rest[k - 1] == " " for k, sign in enumerate(rest)):
        return None
    if len(words) > 3 or words[0] in _NOT_UNITS:
        return None
    if not re.fullmatch(r"[^\W\d_][\w\u00b0/^ .-]*|[%\u00b0]\w*", rest):
        return None
    return Number(value, _singular(rest))


def _singular(unit: str) -> str:
    if len(unit) > 3 and unit.endswith("s") and not unit.endswith("ss"):
        return unit[:-1]
    return unit


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
