"""Dates as people and models write them: ISO 8601, and English forms."""

from __future__ import annotations

import datetime
import re

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
        The date; None if the text is not a date, or one that could be two: 3/5/2024.
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
    """Return the number of a month, whose name can be cut to three letters; else 0."""
    for number, month in enumerate(_MONTHS, start=1):
        if name == month or (name in (month[:3], month[:4]) and len(name) >= 3):
            return number
    return 0


def _date(year: str, month: int, day: str) -> datetime.date | None:
    try:
        return datetime.date(int(year), month, int(day))
    except ValueError:
        return None
