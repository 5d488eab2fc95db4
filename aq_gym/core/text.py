"""Functions on text that benchmarks share: normalizing, quoting, counting."""

from __future__ import annotations

from collections.abc import Iterable
from math import floor, log10

# Straight quotes, backtick, and the four curly ones.
QUOTES = frozenset("\"'`\u201c\u201d\u2018\u2019")
WHITESPACE = frozenset(" \t\n\r\f\v")
_TRIM = "".join(QUOTES)
_QUOTE_LIMIT = 60


def normalize(action: str) -> str:
    r"""Normalize case, whitespace, a final full stop and surrounding quotes.

    Args:
        action: The text of an agent.

    Returns:
        The text in lower case, with each run of whitespace replaced by one space,
        without surrounding quotes and without one final full stop.

    Example:
        >>> normalize('  "Go  North." ')
        'go north'
    """
    text = " ".join(action.split()).strip(_TRIM).lower()
    return text[:-1].rstrip(_TRIM + " ") if text[-1:] == "." else text


def quote(action: str) -> str:
    r"""Quote an agent's text so that it can be part of an observation.

    Returns:
        At most 60 of its characters in quotes, with unprintable ones escaped.

    Example:
        >>> quote("go\x00")
        "'go\\x00'"
    """
    if len(action) <= _QUOTE_LIMIT:
        return repr(action)
    return f"{action[:_QUOTE_LIMIT]!r}... ({len(action)} characters)"


def plural(count: int, noun: str) -> str:
    """Return a number with a noun in the singular or plural.

    Example:
        >>> plural(1, "digit"), plural(0, "digit")
        ('1 digit', '0 digits')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def amount(value: float) -> str:
    """Return a number with at least three digits, without an exponent.

    Args:
        value: Any number.

    Example:
        >>> amount(0.0778769), amount(5.25), amount(3228123), amount(0.00001234)
        ('0.0779', '5.25', '3,228,123', '0.0000123')
    """
    if abs(value) >= 100 or value == int(value):
        return f"{value:,.0f}"
    places = 2 - floor(log10(abs(value)))
    return f"{value:.{places}f}".rstrip("0").rstrip(".")


def percent(share: float) -> str:
    """Return a share as a percentage, 0% and 100% only for none and all.

    Example:
        >>> percent(0.001), percent(0.5), percent(0.999), percent(1.0)
        ('<1%', '50%', '>99%', '100%')
    """
    if 0 < share < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= share < 1 else f"{share:.0%}"


def listing(items: list[str] | tuple[str, ...], conjunction: str = "and") -> str:
    """Join items with commas and a conjunction.

    Example:
        >>> listing(["a", "b", "c"], "or")
        'a, b or c'
    """
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {conjunction} {items[-1]}"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a question with a similarly spelled name, or "".

    Args:
        name: A name that does not exist.
        known: The names that exist.

    Example:
        >>> did_you_mean("sudoko", ["sudoku", "wordle"])
        "did you mean 'sudoku'? "
    """
    # Imported late, because only errors need it.
    from difflib import get_close_matches

    found = get_close_matches(name, list(known), 2)
    return f"did you mean {' or '.join(map(repr, found))}? " if found else ""
