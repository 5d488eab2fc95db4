"""Exact arithmetic on expressions that agents write, without ``eval``."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TypeAlias

from aq_gym.tools.tool import ToolError

# Most values are integers, and an int is several times faster than a Fraction.
_Value: TypeAlias = int | Fraction
_MOST_CHARACTERS = 500
_DEEPEST = 40
# The limit for numerator and denominator of every intermediate value, about 150 digits
# each.
_MOST_BITS = 512
_PLAIN = str.maketrans({"\u00d7": "*", "\u00f7": "/", "\u2212": "-"})
_TOKEN = re.compile(
    r"\s*(?:\$?(?P<number>\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d*)?|\.\d+)"
    r"|(?P<sign>\*\*|[-+*/^()%])|(?P<other>.))",
    re.ASCII | re.DOTALL,
)


def calculate(expression: str) -> Fraction:
    """Return the exact value of an arithmetic expression.

    It may contain ``+ - * / ^ **``, parentheses, percentages (``20%`` is ``1/5``),
    dollar signs before numbers and thousands separators. A power binds tighter than a
    sign, and powers group to the right, as in Python.

    Args:
        expression: The expression, of at most 500 characters.

    Raises:
        ToolError: If it is not an expression, divides by zero, nests more than 40 deep,
            or if the numerator or denominator of a value in it has more than 512 bits.
    """
    if len(expression) > _MOST_CHARACTERS:
        raise ToolError(f"An expression has at most {_MOST_CHARACTERS} characters.")
    parser = _Parser(_tokens(expression.translate(_PLAIN).strip()))
    value = parser.sum(0)
    if parser.next:
        raise ToolError(f"{parser.next!r} is not expected there.")
    return Fraction(value)


def write_fraction(value: Fraction) -> str:
    """Write a value as an integer, a finite decimal, or a fraction such as ``7/3``."""
    if value.denominator == 1:
        return str(value.numerator)
    rest, places = value.denominator, 0
    for prime in (2, 5):
        count = 0
        while rest % prime == 0:
            rest, count = rest // prime, count + 1
        places = max(places, count)
    if rest != 1 or places > 12:
        return f"{value.numerator}/{value.denominator}"
    digits = str(abs(value.numerator) * 10**places // value.denominator)
    digits = digits.zfill(places + 1)
    sign = "-" if value < 0 else ""
    cut = len(digits) - places
    return f"{sign}{digits[:cut]}.{digits[cut:]}"


def _tokens(text: str) -> list[str]:
    found = []
    for token in _TOKEN.finditer(text):
        if token["other"]:
            rest = text[token.start() :].strip()[:20]
            raise ToolError(f"{rest!r} is not a number or an operator.")
        found.append((token["number"] or token["sign"]).replace(",", ""))
    return found


class _Parser:
    """A parser by recursive descent: one method for each level of precedence."""

    def __init__(self, tokens: list[str]) -> None:
        self._rest = iter(tokens)
        self.next = ""
        self.take()

    def take(self) -> str:
        token = self.next
        self.next = next(self._rest, "")
        return token

    def sum(self, depth: int) -> _Value:
        value = self.product(depth)
        while self.next in ("+", "-"):
            positive = self.take() == "+"
            other = self.product(depth)
            value = _bounded(value + other if positive else value - other)
        return value

    def product(self, depth: int) -> _Value:
        value = self.signed(depth)
        while self.next in ("*", "/"):
            if self.take() == "*":
                value = _bounded(value * self.signed(depth))
                continue
            divisor = self.signed(depth)
            if divisor == 0:
                raise ToolError("It divides by zero.")
            value = _bounded(Fraction(value) / divisor)
        return value

    def signed(self, depth: int) -> _Value:
        if depth > _DEEPEST:
            raise ToolError(f"It nests more than {_DEEPEST} deep.")
        if self.next in ("+", "-"):
            negative = self.take() == "-"
            value = self.signed(depth + 1)
            return -value if negative else value
        value = self.atom(depth)
        while self.next == "%":
            self.take()
            value = _bounded(Fraction(value) / 100)
        if self.next in ("^", "**"):
            self.take()
            return _power(value, self.signed(depth + 1))
        return value

    def atom(self, depth: int) -> _Value:
        token = self.take()
        if token == "(":
            value = self.sum(depth + 1)
            if self.take() != ")":
                raise ToolError("A parenthesis is not closed.")
            return value
        if token[:1].isdigit() or token[:1] == ".":
            return _bounded(int(token) if token.isdecimal() else Fraction(token))
        where = f"before {token!r}" if token else "at the end"
        raise ToolError(f"A number is expected {where}.")


def _power(base: _Value, exponent: _Value) -> _Value:
    if exponent.denominator != 1:
        raise ToolError("An exponent must be an integer.")
    if base == 0 and exponent < 0:
        raise ToolError("It divides by zero.")
    # Refused before it is computed: the result could have billions of digits.
    bits = max(abs(base.numerator).bit_length(), base.denominator.bit_length()) - 1
    if bits * abs(int(exponent)) > _MOST_BITS:
        raise ToolError("A value in it is too large.")
    return (
        _bounded(Fraction(base) ** int(exponent))
        if bits > 0
        else _unit_power(base, exponent)
    )


def _unit_power(base: _Value, exponent: _Value) -> _Value:
    """Return a power of 0, 1 or -1, whatever the exponent's size."""
    if exponent == 0:
        return 1
    return base * base if exponent.numerator % 2 == 0 else base


def _bounded(value: _Value) -> _Value:
    if isinstance(value, int):
        large = value.bit_length() > _MOST_BITS
    else:
        bits = max(value.numerator.bit_length(), value.denominator.bit_length())
        large = bits > _MOST_BITS
    if large:
        raise ToolError("A value in it is too large.")
    return value
