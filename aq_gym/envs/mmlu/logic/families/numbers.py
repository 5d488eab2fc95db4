"""Questions about numbers."""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from random import Random

from aq_gym.envs.mmlu.logic.families.family import Ask, Family


def _arithmetic(rng: Random, hard: bool) -> Ask:
    a, b, c, d = (rng.randint(*ends) for ends in ((12, 96), (3, 12), (12, 96), (3, 9)))

    def ask() -> tuple[str, str]:
        x, y, z = a + rng.randint(-2, 2), b + rng.randint(0, 1), c + rng.randint(-2, 2)
        if hard:
            return f"What is ({x} * {y} - {z}) * {d}?", str((x * y - z) * d)
        return f"What is {x} * {y} + {z}?", str(x * y + z)

    return ask


def _fractions(rng: Random, hard: bool) -> Ask:
    if not hard:
        percent, hundreds = rng.randint(2, 97), rng.randint(2, 190)

        def ask() -> tuple[str, str]:
            p, n = percent + rng.randint(-1, 2), hundreds + rng.randint(0, 2)
            return f"What is {p}% of {100 * n}?", str(p * n)

        return ask
    below, other = rng.sample(range(3, 25), 2)

    def ask_sum() -> tuple[str, str]:
        one, two = rng.randint(1, below - 1), rng.randint(1, other - 1)
        total = Fraction(one, below) + Fraction(two, other)
        text = f"What is {one}/{below} + {two}/{other} in lowest terms?"
        return text, str(total)

    return ask_sum


def _divisibility(rng: Random, hard: bool) -> Ask:
    base = rng.randint(2, 40) if hard else rng.randint(200, 9_000)
    divisor = rng.randint(7, 19)

    def ask() -> tuple[str, str]:
        if not hard:
            n = base + rng.randint(0, 40)
            text = f"What is the remainder when {n} is divided by {divisor}?"
            return text, str(n % divisor)
        one, two = rng.sample(range(2, 30), 2)
        scale = base + rng.randint(0, 4)
        text = (
            f"What is the greatest common divisor of {scale * one} and {scale * two}?"
        )
        return text, str(scale * gcd(one, two))

    return ask


def _sequences(rng: Random, hard: bool) -> Ask:
    first, step = rng.randint(1, 150), rng.randint(3, 60)
    growth = rng.randint(1, 9) if hard else 0
    sign = 1 if hard else rng.choice((-1, 1))

    def ask() -> tuple[str, str]:
        terms, by = [first + rng.randint(0, 5)], sign * (step + rng.randint(-2, 2))
        for _ in range(4):
            terms.append(terms[-1] + by)
            by += growth
        rule = (
            "From term to term, the difference grows by the same number"
            if hard
            else ("Neighboring terms have the same difference")
        )
        shown = ", ".join(map(str, terms[:4]))
        return f"{rule}: {shown}. What is the next term?", str(terms[4])

    return ask


FAMILIES = (
    Family("arithmetic", "numbers", _arithmetic),
    Family("fractions", "numbers", _fractions),
    Family("divisibility", "numbers", _divisibility),
    Family("sequences", "numbers", _sequences),
)
