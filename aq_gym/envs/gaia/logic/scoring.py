"""GAIA's comparison of answers, as on its leaderboard."""

from __future__ import annotations

import re
import string

_SEPARATOR = re.compile("[,;]")
_WITHOUT_UNITS = str.maketrans("", "", "$%,")
_WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)


def is_right(given: str, expected: str) -> bool:
    """Return whether an answer is right, by GAIA's rules.

    An expected number is compared by value, without ``$``, ``%`` and commas. A list,
    with commas or semicolons, is compared item by item in order: numbers by value,
    other items without whitespace and case. Any other text is compared without
    whitespace, case and punctuation of ASCII. The rules are those of the scorer of the
    GAIA leaderboard, with what follows from Python's ``float``: ``1e3`` and ``nan`` are
    numbers, too.

    Args:
        given: The agent's answer.
        expected: The final answer of the question.
    """
    if _float(expected) is not None:
        return _is_number(given, expected)
    if _SEPARATOR.search(expected) is None:
        return _folded(given) == _folded(expected)
    items, wanted = _SEPARATOR.split(given), _SEPARATOR.split(expected)
    return len(items) == len(wanted) and all(map(_is_item, items, wanted))


def _is_item(given: str, expected: str) -> bool:
    if _float(expected) is not None:
        return _is_number(given, expected)
    return _joined(given) == _joined(expected)


def _is_number(given: str, expected: str) -> bool:
    value = _float(given.translate(_WITHOUT_UNITS))
    # As on the leaderboard: a text that is not a number counts as infinite.
    return (float("inf") if value is None else value) == float(expected)


def _float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _joined(text: str) -> str:
    return re.sub(r"\s", "", text).lower()


def _folded(text: str) -> str:
    return _joined(text).translate(_WITHOUT_PUNCTUATION)
