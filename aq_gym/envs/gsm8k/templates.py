"""Problems of our own, made from templates with numbers and names that fit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from aq_gym.envs.gsm8k.problem import Problem, Step, numbers_in
from aq_gym.support.data import packaged_text
from aq_gym.tools.arithmetic import calculate, write_fraction

_PACKAGE = "aq_gym.envs.gsm8k"
FEMALE, MALE = (
    tuple(names.split())
    for names in packaged_text(_PACKAGE, "data/names.txt").split("\n\n")
)


VARIANTS = 10**6
_TRIES = 20_000
_NAME = re.compile(r"[a-z]+")
_SLOT = re.compile(r"\{(\w+)\}")
_PRONOUNS = {"he": "she", "his": "her", "He": "She"}


class Template(NamedTuple):
    """A problem without names and numbers.

    Attributes:
        id: Its name.
        text: The question, with names and numbers in braces.
        numbers: The rule for each number: "3-9" draws an integer, "2-4/0.5" draws a
            multiple of 0.5 in the range, and "= a*b" calculates the number.
        steps: The name and the expression of each value of the solution.
    """

    id: str
    text: str
    numbers: dict[str, str]
    steps: dict[str, str]


@lru_cache(maxsize=1)
def templates() -> dict[str, Template]:
    """Return the packaged templates by their ids."""
    blocks = packaged_text(_PACKAGE, "data/templates.txt").strip().split("\n\n")
    return {made.id: made for made in map(_template, blocks)}


def _template(block: str) -> Template:
    name, text, numbers, *steps = block.split("\n")
    made = {}
    for part in numbers.split("; "):
        # A part is "n = a*b" or "a 3-9".
        one, how = part.split(" = ") if " = " in part else part.split(" ")
        made[one] = f"= {how}" if " = " in part else how
    return Template(name, text, made, dict(step.split(" = ") for step in steps))


def draw_id(rng: np.random.Generator) -> str:
    """Draw a template and one of its variants."""
    names = list(templates())
    return f"{names[int(rng.integers(len(names)))]}-{int(rng.integers(VARIANTS))}"


def make(task_id: str) -> Problem | None:
    """Return the problem of an id, ``TEMPLATE-VARIANT``, or None."""
    name, _, number = task_id.rpartition("-")
    template = templates().get(name)
    if template is None or not re.fullmatch(r"0|[1-9]\d{0,5}", number, re.ASCII):
        return None
    rng = np.random.default_rng([int(number), *name.encode()])
    numbers = _fitting(template, rng)
    words = _people(rng) | {one: _shown(n) for one, n in numbers.items()}
    question = _SLOT.sub(lambda slot: words[slot[1]], template.text)
    known, steps = dict(numbers), []
    for one, how in template.steps.items():
        expression, known[one] = _calculated(how, known)
        steps.append(Step(expression, known[one]))
    shown = {one: words[one] for one in sorted(numbers)}
    return Problem(question, steps, steps[-1].value, f"{name} {shown}")


def _fitting(template: Template, rng: np.random.Generator) -> dict[str, Fraction]:
    """Draw numbers until every value is exact, positive and new."""
    cents = 100 if any("." in how for how in template.numbers.values()) else 1
    asked = set(_SLOT.findall(template.text))
    for _ in range(_TRIES):
        known: dict[str, Fraction] = {}
        for one, how in template.numbers.items():
            known[one] = (
                _calculated(how[2:], known)[1] if how[:1] == "=" else _drawn(how, rng)
            )
        numbers = {one: value for one, value in known.items() if one in asked}
        for one, how in template.steps.items():
            known[one] = _calculated(how, known)[1]
        given = {*numbers.values(), *numbers_in(template.text)}
        values = {known[one] for one in template.steps}
        whole = all(n > 0 and (n * cents).denominator == 1 for n in known.values())
        if whole and len(values) == len(template.steps) and not values & given:
            return numbers
    raise RuntimeError(f"the template {template.id} has no numbers that fit")


def _drawn(how: str, rng: np.random.Generator) -> Fraction:
    """Draw a number from "3-9", or from "2-4/0.5", whose values are 0.5 apart."""
    ends, _, apart = how.partition("/")
    low, high = map(Fraction, ends.split("-"))
    step = Fraction(apart or 1)
    return low + step * int(rng.integers((high - low) // step + 1))


def _calculated(how: str, known: Mapping[str, Fraction]) -> tuple[str, Fraction]:
    """Return an expression with its names replaced by numbers, and its value."""
    written = _NAME.sub(lambda name: write_fraction(known[name[0]]), how)
    return written, calculate(written)


def _people(rng: np.random.Generator) -> dict[str, str]:
    """Draw three first names, and the pronouns of the first."""
    names = [str(one) for one in rng.permutation([*FEMALE, *MALE])[:3]]
    female = names[0] in FEMALE
    pronouns = {he: she if female else he for he, she in _PRONOUNS.items()}
    return {**pronouns, **dict(zip("ABC", names, strict=True))}


def _shown(value: Fraction) -> str:
    return write_fraction(value) if value.denominator == 1 else f"{float(value):.2f}"
