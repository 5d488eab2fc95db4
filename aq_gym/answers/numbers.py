"""Numbers as people and models write them, read exactly.

Commas between thousands, currencies and percent signs are read as the scorers of GSM8K
(Cobbe et al., 2021) and GAIA (Mialon et al., 2023) read them, which drop them. Unlike
there, a unit is kept, so that it can be compared. Powers of ten are written as in JSON,
and fractions as in the answers of MATH (Hendrycks et al., 2021).
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

_MOST_CHARACTERS = 200
_MOST_DIGITS = 60
_LARGEST_EXPONENT = 60
# Minus signs, spaces and digits of other scripts, with their ASCII equivalents.
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
# "twenty one" and "11th" are not twenty and eleven of something.
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
    if not bare or len(bare) > _MOST_CHARACTERS:
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
