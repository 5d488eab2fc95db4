"""Distractors: tools that are of no use for any task and change nothing."""

from __future__ import annotations

import base64
import math
from string import ascii_lowercase
from urllib.parse import quote as quote_url

from aq_gym.tools.tool import ToolError

_LARGEST = 10_000
_ROMAN = (
    *((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC")),
    *((50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")),
)
_MORSE_LETTERS = (
    ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- "
    "-. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.."
)
_MORSE = dict(zip(ascii_lowercase, _MORSE_LETTERS.split(" "), strict=True))


def reverse_text(_world: object, text: str) -> str:
    """Reverse the characters of a text.

    Args:
        text: The text.
    """
    return text[::-1]


def count_vowels(_world: object, text: str) -> int:
    """Count the vowels in a text.

    Args:
        text: The text.
    """
    return sum(letter in "aeiou" for letter in text.lower())


def is_palindrome(_world: object, text: str) -> bool:
    """Check whether a text reads the same backwards.

    Args:
        text: The text; case and spaces do not matter.
    """
    bare = [letter for letter in text.lower() if letter.isalnum()]
    return bare == bare[::-1]


def are_anagrams(_world: object, first: str, second: str) -> bool:
    """Check whether two words consist of the same letters.

    Args:
        first: A word.
        second: Another word.
    """
    return sorted(first.lower()) == sorted(second.lower())


def roman_numeral(_world: object, number: int) -> str:
    """Write a number in Roman numerals.

    Args:
        number: A whole number from 1 to 3999.
    """
    if not 1 <= number <= 3999:
        raise ToolError("number must be from 1 to 3999.")
    text = ""
    for value, sign in _ROMAN:
        text += sign * (number // value)
        number %= value
    return text


def morse_code(_world: object, word: str) -> str:
    """Write a word in Morse code.

    Args:
        word: A word of the letters a to z.
    """
    if not all(letter in _MORSE for letter in word.lower()):
        raise ToolError("word must consist of the letters a to z.")
    return " ".join(_MORSE[letter] for letter in word.lower())


def is_prime(_world: object, number: int) -> bool:
    """Check whether a number is prime.

    Args:
        number: A whole number from 0 to 10000.
    """
    _check_size(number)
    return number > 1 and all(number % k for k in range(2, math.isqrt(number) + 1))


def prime_factors(_world: object, number: int) -> list[int]:
    """List the prime factors of a number.

    Args:
        number: A whole number from 0 to 10000.
    """
    _check_size(number)
    factors, divisor = [], 2
    while number > 1:
        while number % divisor == 0:
            factors.append(divisor)
            number //= divisor
        divisor += 1
    return factors


def greatest_common_divisor(_world: object, first: int, second: int) -> int:
    """Compute the greatest common divisor of two numbers.

    Args:
        first: A whole number from 0 to 10000.
        second: A whole number from 0 to 10000.
    """
    _check_size(first)
    _check_size(second)
    return math.gcd(first, second)


def triangle_area(_world: object, base: float, height: float) -> float:
    """Compute the area of a triangle.

    Args:
        base: The length of its base.
        height: Its height.
    """
    return _finite(base * height / 2)


def body_mass_index(_world: object, kilograms: float, metres: float) -> float:
    """Compute a body mass index.

    Args:
        kilograms: The mass.
        metres: The height.
    """
    if metres <= 0:
        raise ToolError("metres must be above 0.")
    return round(_finite(kilograms / metres / metres), 1)


def split_bill(_world: object, amount: float, people: int) -> float:
    """Divide the amount of a bill equally.

    Args:
        amount: The amount.
        people: The number of people.
    """
    if people < 1:
        raise ToolError("people must be at least 1.")
    return round(_finite(amount / people), 2)


def encode_base64(_world: object, text: str) -> str:
    """Encode a text in Base64.

    Args:
        text: The text.
    """
    return base64.b64encode(text.encode(errors="replace")).decode()


def encode_url(_world: object, text: str) -> str:
    """Escape a text for the query of a URL.

    Args:
        text: The text.
    """
    return quote_url(text, safe="", errors="replace")


def hex_colour(_world: object, red: int, green: int, blue: int) -> str:
    """Write a colour in hexadecimal notation.

    Args:
        red: 0 to 255.
        green: 0 to 255.
        blue: 0 to 255.
    """
    if not all(0 <= part <= 255 for part in (red, green, blue)):
        raise ToolError("each part must be from 0 to 255.")
    return f"#{red:02x}{green:02x}{blue:02x}"


def abbreviate(_world: object, words: str) -> str:
    """Write the initials of some words.

    Args:
        words: The words, with spaces between them.
    """
    return "".join(word[0].upper() for word in words.split())


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise ToolError("the result is too large.")
    return value


def _check_size(number: int) -> None:
    if not 0 <= number <= _LARGEST:
        raise ToolError(f"a number must be from 0 to {_LARGEST}.")


DISTRACTORS = (
    reverse_text,
    count_vowels,
    is_palindrome,
    are_anagrams,
    roman_numeral,
    morse_code,
    is_prime,
    prime_factors,
    greatest_common_divisor,
    triangle_area,
    body_mass_index,
    split_bill,
    encode_base64,
    encode_url,
    hex_colour,
    abbreviate,
)
