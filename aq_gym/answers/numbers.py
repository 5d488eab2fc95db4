"""Read a number in digits or in English words, with its unit.

Numbers are read as the scorers of GSM8K (Cobbe et al., 2021) and GAIA (Mialon et al.,
2023) read them, which drop commas between thousands, currencies and percent signs.
Unlike there, a unit is kept, so that it can be compared. Powers of ten are written as
in JSON, and fractions as in the answers of MATH (Hendrycks et al., 2021).
"""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from typing import NamedTuple

_LONGEST_NUMBER = 200
_MOST_DIGITS = 60
_LARGEST_EXPONENT = 60
# Minus signs and fractions of other scripts, with their ASCII equivalents.
_PLAIN = str.maketrans(
    {"\u2212": "-", "\u2013": "-"}
    | {
        sign: f" {unicodedata.normalize('NFKC', sign)}".replace("\u2044", "/")
        for sign in map(chr, (0xBC, 0xBD, 0xBE, *range(0x2153, 0x215F)))
    }
)
# Other signs between thousands, and other ways to write a power of ten and dollars.
_OTHERS = (
    (re.compile(r"(?<=\d)['_\u00a0\u2009\u202f\u2019](?=\d{3}(?!\d))"), ""),
    (re.compile(r"(?<=\d)\s*[x*\u00b7\u00d7]\s*10\^\{?(-?\d+)\}?"), r"e\1"),
    (re.compile(r"^10\^\{?(-?\d+)\}?"), r"1e\1"),
    (re.compile(r"^USD? ?\$?(?=\d)"), "$"),
    (re.compile(r"^(?:minus|negative) (?=[\d$])"), "-"),
)
_SMALL = {
    word: number
    for number, word in enumerate(
        [
            *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight"),
            *("nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen"),
            *("sixteen", "seventeen", "eighteen", "nineteen"),
        ]
    )
}
_TENS = {
    word: 10 * number
    for number, word in enumerate(
        ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),
        start=2,
    )
}
_SCALES = {
    **{"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9},
    **{"trillion": 10**12, "dozen": 12, "lakh": 10**5, "crore": 10**7, "grand": 10**3},
}
# A lower case m is the unit of length, except after a currency.
_SUFFIXES = {
    **{"k": 10**3, "K": 10**3},
    **{"M": 10**6, "mn": 10**6, "mil": 10**6},
    **{"B": 10**9, "bn": 10**9, "tn": 10**12},
}
_PARTS = {
    **{"half": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7},
    **{"eighth": 8, "ninth": 9, "tenth": 10, "hundredth": 100, "thousandth": 1000},
}
_UNITS = {"halve": "half", "usd": "dollar", "eur": "euro", "gbp": "pound"}
_CURRENCIES = {
    **{"$": "dollar", "\u20ac": "euro", "\u00a3": "pound", "\u00a5": "yen"},
    "\u20b9": "rupee",
}
_NUMBER = re.compile(
    r"(?P<sign>[+-]?)\s*(?P<currency>[$\u20ac\u00a3\u00a5\u20b9]?)\s*(?P<sign2>-?)"
    r"(?:(?P<whole>\d{1,3}(?:,\d{2})*(?:,\d{3})+|\d+)?(?P<decimals>\.\d*)?"
    r"(?:[eE](?P<exponent>[+-]?\d{1,3})(?![a-zA-Z]))?"
    r"(?:(?P<mixed> +\d+)?\s*/\s*(?P<denominator>\d+))?)"
    r"\s*(?P<unit>.*)",
    re.DOTALL | re.ASCII,
)
_UNIT = re.compile(r"(?!x\d)[^\W\d_][\w\u00b0/^ .-]*|[%\u00b0]\w*")
# "11th" is not eleven of something, nor "twenty third" twenty.
_NOT_UNITS = frozenset(
    {*_SMALL, *_TENS, *_SCALES, *_PARTS, "st", "nd", "rd", "th", "and", "or", "to"}
    | {"point"}
)


class Number(NamedTuple):
    """A number with its unit.

    Attributes:
        value: Its exact value. A percent sign does not change it.
        unit: The unit in lower case, without its plural s: "%", "km", "dollar" or "".
    """

    value: Fraction
    unit: str = ""


def read_number(text: str) -> Number | None:
    """Read a number: digits or words, thousands separators, a fraction, a unit.

    ``1,234.50``, ``-3``, ``3/4``, ``1 1/2``, ``1.5e3``, ``1.5 x 10^3``, ``$12``,
    ``12 %``, ``7 km``, ``2 million``, ``3k``, ``3 dozen``, ``twenty-one``, ``three
    hundred and five`` and ``two and a half`` are numbers. A comma is a thousands
    separator, so ``3,14`` is not a number. The suffixes ``k`` and ``K``, ``M``,
    ``mil`` and ``mn``, ``B`` and ``bn``, ``tn`` are read, and ``m`` after a currency.

    Args:
        text: Any text.

    Returns:
        The number, or None if the text is anything else.
    """
    if len(text) > _LONGEST_NUMBER:
        return None
    bare = text.translate(_PLAIN).strip().rstrip(".").strip()
    for pattern, plain in _OTHERS:
        bare = pattern.sub(plain, bare)
    if not bare:
        return None
    if bare[0].isalpha():
        return _of_words(bare.lower())
    found = _NUMBER.fullmatch(bare)
    if found is None or (found["whole"] is None and found["decimals"] in (None, ".")):
        return None
    value = _value(found)
    if value is None or (found["sign"] and found["sign2"]):
        return None
    negative = "-" in (found["sign"], found["sign2"])
    currency = _CURRENCIES.get(found["currency"], "")
    number = _scaled(-value if negative else value, found["unit"].split(), currency)
    if number is not None and currency:
        return Number(number.value, currency) if number.unit in ("", currency) else None
    return number


def _value(found: re.Match[str]) -> Fraction | None:
    whole = (found["whole"] or "0").replace(",", "")
    decimals = (found["decimals"] or "")[1:]
    exponent = int(found["exponent"] or 0)
    mixed, denominator = (found["mixed"] or "").strip(), found["denominator"]
    digits = max(map(len, (whole + decimals, mixed, denominator or "")))
    if digits > _MOST_DIGITS or abs(exponent) > _LARGEST_EXPONENT:
        return None
    value = Fraction(int(whole + decimals), 10 ** len(decimals))
    if exponent:
        value *= Fraction(10) ** exponent
    if denominator is None:
        return value
    if int(denominator) == 0 or decimals or exponent:
        return None
    if not mixed:
        return value / int(denominator)
    return value + Fraction(int(mixed), int(denominator))


def _of_words(text: str) -> Number | None:
    """Read a number in English words: "minus two hundred and five km"."""
    words = text.replace("-", " ").split()
    negative = words[0] in ("minus", "negative")
    del words[: int(negative)]
    if words[:1] in (["a"], ["an"]) and words[1:2] and words[1] in (*_SCALES, "half"):
        words[0] = "one"
    elif words[:1] == ["half"]:
        words.insert(0, "one")
    value = _counted(words)
    if value is not None and words and _singular(words[0]) == "quarter":
        # "Three quarters"; "3 quarters" are coins.
        value, words = value / 4, words[1:]
    return None if value is None else _scaled(-value if negative else value, words)


def _counted(words: list[str]) -> Fraction | None:
    """Remove the words of a whole number from the front, and return its value."""
    total = group = count = 0
    while words:
        word = words[1] if words[0] == "and" and count and len(words) > 1 else words[0]
        value = _SMALL.get(word) or _TENS.get(word) or int(word != "zero")
        # "Twenty" takes a digit; "hundred" and "thousand" take all that is below them.
        room = 10 if group % 100 >= 20 and group % 10 == 0 else 100 * (not group % 100)
        if word in _SMALL | _TENS and value < room:
            group += value
        elif word == words[0] == "hundred":
            if not 0 < group < 100:
                break
            group *= 100
        elif word == words[0] and word in _SCALES and group:
            total, group = total + group * _SCALES[word], 0
        else:
            break
        del words[: 2 if words[0] == "and" else 1]
        count += 1
    return Fraction(total + group) if count else None


def _scaled(value: Fraction, words: list[str], currency: str = "") -> Number | None:
    """Apply words such as "million" and "halves", and read the rest as a unit."""
    if words and (words[0] in _SUFFIXES or (words[0] == "m" and currency)):
        value *= _SUFFIXES.get(words[0], 10**6)
        words = words[1:]
    words = " ".join(words).lower().split()
    if words[:3] in (["and", "a", "half"], ["and", "one", "half"]) and value < 100:
        value, words = value + Fraction(1, 2), words[3:]
    elif words and (value == 1 or words[0].endswith("s")):
        part = _PARTS.get(_singular(words[0]))
        value, words = (value / part, words[1:]) if part else (value, words)
    if words[:1] == ["a"] and words[1:2] and words[1] in _SCALES:
        del words[0]  # "half a million"
    while words and _singular(words[0]) in _SCALES:
        value *= _SCALES[_singular(words[0])]
        words = words[1:]
    if not words:
        return Number(value)
    if words == ["percent"] or words == ["per", "cent"]:
        return Number(value, "%")
    rest = " ".join(words)
    if rest in _CURRENCIES:
        return Number(value, _CURRENCIES[rest])
    if any(sign in "0123456789" and rest[k - 1] == " " for k, sign in enumerate(rest)):
        return None
    if len(words) > 3 or words[0] in _NOT_UNITS or not _UNIT.fullmatch(rest):
        return None
    return Number(value, _singular(rest))


def _singular(unit: str) -> str:
    if len(unit) > 3 and unit.endswith("s") and not unit.endswith("ss"):
        unit = unit[:-1]
    return _UNITS.get(unit, unit)
