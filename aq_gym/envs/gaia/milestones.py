"""Milestones: values in the annotated steps of a question that can be observed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from aq_gym.tools import ToolError
from aq_gym.tools.arithmetic import calculate

_NUMBER = re.compile(r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?", re.ASCII)
_LABEL = re.compile(r"\s*(?:step\s*)?\d+\s*[.):]\s*", re.IGNORECASE)
_EQUATION = re.compile(r"([\d(.$][-+*/^().,$%\d\s\u00d7\u00f7\u2212]*)=", re.ASCII)
_QUOTED = re.compile(r"[\"\u201c]([^\"\u201c\u201d\n]{3,80})[\"\u201d]")
# Search terms are quoted too, but are not results.
_SEARCH = re.compile(r"(?:search|google|type|enter|look|query)", re.IGNORECASE)
_MOST_DIGITS = 30
# A single digit can occur anywhere.
_LEAST = 10
_MOST_MILESTONES = 20
_LONGEST_LINE = 1_000


class Milestone(NamedTuple):
    """A value in an annotated step.

    Attributes:
        step: The number of the step, from 1.
        number: The value, None for a text.
        text: The text, folded; "" for a number.
        lowest: The lowest result that rounds to the value with the digits written.
        highest: The highest such result.
        expression: The calculation in the step, "" if there is none.
    """

    step: int
    number: Fraction | None = None
    text: str = ""
    lowest: Fraction = Fraction(0)
    highest: Fraction = Fraction(0)
    expression: str = ""

    def is_in(self, folded: str, numbers: frozenset[Fraction]) -> bool:
        """Return whether a result has the value."""
        if self.number is None:
            return self.text in folded
        if self.lowest == self.highest:
            return self.number in numbers
        return any(self.lowest <= one <= self.highest for one in numbers)


def milestones_of(steps: str, question: str, answer: str) -> tuple[Milestone, ...]:
    """Return the values of the annotated steps that a result of a tool can have.

    The value of a step is its last number of two or more digits (after "=" if it has an
    equation), or else a quoted text that is not a search term. Values that occur in the
    question, in the answer or in an earlier step do not count.

    Args:
        steps: The annotation "Steps", one step a line.
        question: The question.
        answer: The final answer.
    """
    known = set(numbers_in(question) | numbers_in(answer))
    texts = f"{question} {answer}".casefold()
    found: list[Milestone] = []
    lines = [line for line in steps.split("\n") if line.strip()]
    for step, line in enumerate(lines, start=1):
        line = _LABEL.sub("", line[:_LONGEST_LINE], count=1)
        one = _milestone(step, line, known, texts)
        if one is not None:
            found.append(one)
            known.add(one.number if one.number is not None else Fraction(-1))
            texts += f" {one.text}"
    return tuple(found[:_MOST_MILESTONES])


def numbers_in(text: str) -> frozenset[Fraction]:
    """Return the numbers in a text, without signs.

    "12,345" can be one number or, in a table with commas, two; all three are returned.
    """
    found: set[str] = set()
    for written in _written(text):
        found |= {written.replace(",", ""), *written.split(",")}
    return frozenset(map(Fraction, found))


def _written(text: str) -> Iterator[str]:
    return (one for one in _NUMBER.findall(text) if len(one) <= _MOST_DIGITS)


def _milestone(
    step: int, line: str, known: set[Fraction], texts: str
) -> Milestone | None:
    for written in reversed(list(_written(line.rpartition("=")[2]))):
        value = Fraction(written.replace(",", ""))
        places = len(written.partition(".")[2])
        if value not in known and (places or value >= _LEAST):
            tolerance = Fraction(1, 2 * 10**places) if places else Fraction(0)
            expression = _expression(line, value, tolerance)
            lowest, highest = value - tolerance, value + tolerance
            return Milestone(step, value, "", lowest, highest, expression)
    if _SEARCH.match(line) is None:
        for quoted in _QUOTED.findall(line):
            text = quoted.strip().casefold()
            if text and text not in texts:
                return Milestone(step, text=text)
    return None


def _expression(line: str, value: Fraction, tolerance: Fraction) -> str:
    """Return the calculation in a line that has a value, "" if there is none."""
    for expression in _EQUATION.findall(line):
        try:
            if abs(calculate(expression) - value) <= tolerance:
                return str(expression.strip())
        except ToolError:
            continue
    return ""
