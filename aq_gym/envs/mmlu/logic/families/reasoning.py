"""Questions about sets, statements that are true or false, and orders."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, product
from random import Random
from typing import NamedTuple

from aq_gym.core.text import listing
from aq_gym.envs.mmlu.logic.families.family import NAMES, Ask, Family

_Numbers = frozenset[int]
_PAIRS: dict[str, Callable[[_Numbers, _Numbers], _Numbers]] = {
    "in both A and B": lambda a, b: a & b,
    "in A or B or both": lambda a, b: a | b,
    "in A but not in B": lambda a, b: a - b,
    "in B but not in A": lambda a, b: b - a,
    "in exactly one of A and B": lambda a, b: a ^ b,
}
_TRIPLES: dict[str, Callable[[_Numbers, _Numbers, _Numbers], _Numbers]] = {
    "in A or B, but not in C": lambda a, b, c: (a | b) - c,
    "in C and in at least one of A and B": lambda a, b, c: (a | b) & c,
    "in A, and not in both B and C": lambda a, b, c: a - (b & c),
    "in exactly two of A, B and C": lambda a, b, c: (
        ((a & b) | (a & c) | (b & c)) - (a & b & c)
    ),
    "in exactly one of A, B and C": lambda a, b, c: (
        (a | b | c) - (a & b) - (a & c) - (b & c)
    ),
}


def _sets(rng: Random, hard: bool) -> Ask:
    rules = _TRIPLES if hard else _PAIRS
    pool = rng.sample(range(1, 30), 9)
    sets = [frozenset(rng.sample(pool, 5)) for _ in range(3 if hard else 2)]
    given = ", ".join(
        f"{name} = {_written(one)}" for name, one in zip("ABC", sets, strict=False)
    )

    def ask() -> tuple[str, str]:
        rule = rng.choice(list(rules))
        return f"{given}. Which numbers are {rule}?", _written(rules[rule](*sets))

    return ask


def _written(numbers: _Numbers) -> str:
    return f"{{{', '.join(map(str, sorted(numbers)))}}}"


class _Claim(NamedTuple):
    """A claim that a person is, or is not, like another or like a truthful person.

    Attributes:
        one: The number of a person.
        other: The number of another person, None for a truthful one.
        alike: Whether both are said to be alike.
    """

    one: int
    other: int | None
    alike: bool

    def holds(self, world: tuple[bool, ...]) -> bool:
        """Return whether it is true if these people tell the truth."""
        other = True if self.other is None else world[self.other]
        return (world[self.one] == other) == self.alike

    def written(self, names: list[str]) -> str:
        """Return it as a sentence."""
        if self.other is None:
            return f"{names[self.one]} {'tells the truth' if self.alike else 'lies'}"
        pair = f"{names[self.one]} and {names[self.other]}"
        return f"{pair} are {'alike' if self.alike else 'different'}"


def _knights(rng: Random, hard: bool) -> Ask:
    names = rng.sample(NAMES, 4 if hard else 3)
    worlds = [*product((True, False), repeat=len(names))]

    def ask() -> tuple[str, str]:
        while True:
            truth = rng.choice(worlds)
            claims = [_claim(rng, truth, speaker) for speaker in range(len(names))]
            if sum(_is_possible(world, claims) for world in worlds) == 1:
                break
        said = [
            f'{name}: "{claim.written(names)}."'
            for name, claim in zip(names, claims, strict=True)
        ]
        text = (
            "Everybody here always tells the truth or always lies; two of one kind are "
            f"alike. {' '.join(said)} Who tells the truth?"
        )
        honest = [name for name, true in zip(names, truth, strict=True) if true]
        return text, listing(honest) or "nobody"

    return ask


def _claim(rng: Random, truth: tuple[bool, ...], speaker: int) -> _Claim:
    """Draw a claim about others that is true if the speaker tells the truth."""
    one, other = rng.sample([k for k in range(len(truth)) if k != speaker], 2)
    about = rng.choice((None, other))
    return _Claim(one, about, _Claim(one, about, True).holds(truth) == truth[speaker])


def _is_possible(world: tuple[bool, ...], claims: list[_Claim]) -> bool:
    return all(
        claim.holds(world) == honest
        for claim, honest in zip(claims, world, strict=True)
    )


def _orderings(rng: Random, hard: bool) -> Ask:
    names = rng.sample(NAMES, 7 if hard else 5)
    adjective, opposite = rng.choice((("older", "younger"), ("taller", "shorter")))
    clues = [
        f"{one} is {adjective} than {other}."
        if rng.random() < 0.5
        else f"{other} is {opposite} than {one}."
        for one, other in pairwise(names)
    ]
    rng.shuffle(clues)

    def ask() -> tuple[str, str]:
        place = rng.randrange(len(names))
        than = f"{opposite} than exactly {place} of the others"
        if hard and rng.random() < 0.5:
            than = f"{adjective} than exactly {len(names) - 1 - place} of the others"
        return f"{' '.join(clues)} Who is {than}?", names[place]

    return ask


FAMILIES = (
    Family("sets", "logic", _sets),
    Family("knights", "logic", _knights),
    Family("orderings", "logic", _orderings),
)
