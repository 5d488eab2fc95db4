"""Answers as they are written, and calls to try."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from aq_gym.answers import cleaned, read_number, without_latex
from aq_gym.tools.arithmetic import write_fraction

# The end of the number in "18 dollars, because ..." and "18 (6 * 3)".
_END = re.compile(
    r"[.!;](?=\s|$)|,(?!\d)|\s\("
    r"|\s(?:because|since|as|so|per|each|every|an?|in total|total|altogether)\b"
)
_ABOUT = re.compile(
    r"(?:(?:about|approximately|exactly|equal to|only)\s+|[~\u2248]\s*)", re.IGNORECASE
)
# "Janet makes 18 dollars every day" has one number, which is the answer.
_NUMBER = re.compile(r"[-+]?[$\u20ac\u00a3]?\d[\d,]*(?:\.\d+)?%?(?![\d./-])")
_VAGUE = re.compile(
    r"\b(?:not|or|either|between|than|least|most|unknown|in|step|part|line|equation"
    r"|probably|likely)\b",
    re.IGNORECASE,
)
_OPERATORS = "+-*/"


def read_answer(stated: str) -> str | None:
    """Return the number in what a text states as its answer; None if it has none.

    It stands at the front, or after the last "=".

    Args:
        stated: What follows "the answer is", the content of a box, or a number.
    """
    sentence = _END.split(stated, maxsplit=1)[0]
    for written in (stated, cleaned(sentence).rpartition("=")[2]):
        number = cleaned(written)
        number = cleaned(_ABOUT.sub("", number.strip(), count=1))
        if read_number(number):
            return number
    numbers = _NUMBER.findall(without_latex(sentence))
    only = "" if len(numbers) != 1 or _VAGUE.search(sentence) else str(numbers[0])
    return only if read_number(only) else None


def plain_answer(text: str) -> str:
    """Return an answer as its number and unit; other text as it is.

    Args:
        text: An answer, such as "18.0" or "$18".
    """
    found = read_number(text)
    return f"{write_fraction(found.value)} {found.unit}".strip() if found else text


def draw_call(numbers: Sequence[Fraction], rng: np.random.Generator) -> tuple[str, str]:
    """Draw a calculation with two numbers, or sometimes one of them as the answer.

    Args:
        numbers: The numbers of the question and those computed or stated.
        rng: A generator.

    Returns:
        The name of a tool and its argument.
    """
    one, other = (numbers[int(k)] for k in rng.integers(len(numbers), size=2))
    if rng.random() < 0.1:
        return "answer", write_fraction(one)
    sign = _OPERATORS[int(rng.integers(4))]
    if sign == "/" and other == 0:
        sign = "+"
    return "calculate", f"{write_fraction(one)} {sign} ({write_fraction(other)})"
