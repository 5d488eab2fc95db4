"""Families of generated questions about sets, claims, orders, words and programs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, product
from random import Random
from typing import NamedTuple

from aq_gym.core.text import listing
from aq_gym.envs.mmlu.families import NAMES, WORDS, Ask, Family

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
    """A claim that two people are alike, or not; or that a person is truthful, or not.

    Attributes:
        one: The number of a person.
        other: The number of another person; None claims whether ``one`` is truthful.
        alike: Whether the claim says that both are alike.
    """

    one: int
    other: int | None
    alike: bool

    def holds(self, world: tuple[bool, ...]) -> bool:
        """Return whether the claim is true if these people are the truthful ones."""
        other = True if self.other is None else world[self.other]
        return (world[self.one] == other) == self.alike

    def written(self, names: list[str]) -> str:
        """Return the claim as a sentence."""
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
        sentences = [
            f'{name}: "{claim.written(names)}."'
            for name, claim in zip(names, claims, strict=True)
        ]
        text = (
            "Everybody here always tells the truth or always lies; two of one kind are "
            f"alike. {' '.join(sentences)} Who tells the truth?"
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


_ORDINALS = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
)
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_FEWEST_COUNTS = 4


def _word_order(rng: Random, hard: bool) -> Ask:
    words = rng.sample(WORDS, 8 if hard else 6)
    how = "are sorted alphabetically"
    ordered = sorted(words)
    if hard:
        how = "are each reversed and then sorted alphabetically"
        ordered = sorted(word[::-1] for word in words)

    def ask() -> tuple[str, str]:
        place = rng.randrange(len(words))
        text = f"The words {', '.join(words)} {how}. Which comes {_ORDINALS[place]}?"
        return text, ordered[place]

    return ask


def _letters(rng: Random, hard: bool) -> Ask:
    if hard:
        word, other = rng.sample(WORDS, 2)
        shift = rng.randrange(24)

        def ask_shifted() -> tuple[str, str]:
            by = 2 + (shift + rng.randint(0, 4)) % 24
            text = (
                f"Each letter is replaced by the one {by} places later in the "
                f"alphabet, with a after z. What becomes of {word} {other}?"
            )
            return text, _shifted(f"{word} {other}", by)

        return ask_shifted
    words = " ".join(rng.sample(WORDS, 6))
    while len({words.count(letter) for letter in words}) <= _FEWEST_COUNTS:
        words = " ".join(rng.sample(WORDS, 6))

    def ask() -> tuple[str, str]:
        letter = rng.choice(words.replace(" ", ""))
        text = f"How many times does the letter {letter} occur in: {words}?"
        return text, str(words.count(letter))

    return ask


def _shifted(text: str, by: int) -> str:
    shifted = _ALPHABET[by:] + _ALPHABET[:by]
    return text.translate(str.maketrans(_ALPHABET, shifted))


def _charts(rng: Random, hard: bool) -> Ask:
    names = rng.sample(NAMES, 5)
    scale = rng.randint(2, 12) if hard else 1
    bars = {name: rng.randint(1, 20) for name in names}
    rows = "\n".join(f"{name:5}| {'#' * length}" for name, length in bars.items())
    legend = (
        f"Each # stands for {scale} books" if scale > 1 else "Each # stands for a book"
    )
    chart = f"{legend} that somebody read:\n{rows}\n"

    def ask() -> tuple[str, str]:
        one, other, third = rng.sample(names, 3)
        if hard:
            text = f"How many books did {one}, {other} and {third} read together?"
            return chart + text, str(scale * (bars[one] + bars[other] + bars[third]))
        text = f"How many books did {one} and {other} read together?"
        return chart + text, str(bars[one] + bars[other])

    return ask


def _programs(rng: Random, hard: bool) -> Ask:
    start, end, factor = rng.randint(1, 999), rng.randint(4, 8), rng.randint(2, 9)
    divisor = rng.randint(2, 4)

    def ask() -> tuple[str, str]:
        total = begin = start + rng.randint(0, 5)
        by = factor + rng.randint(0, 1)
        for k in range(1, end):
            if not hard or k % divisor == 0:
                total += k * by
            else:
                total -= k
        body = f"    total += k * {by}\n"
        if hard:
            body = (
                f"    if k % {divisor} == 0:\n        total += k * {by}\n"
                "    else:\n        total -= k\n"
            )
        code = f"total = {begin}\nfor k in range(1, {end}):\n{body}print(total)"
        return f"What does this Python program print?\n{code}", str(total)

    return ask


FAMILIES = (
    Family("sets", "logic", _sets),
    Family("knights", "logic", _knights),
    Family("orderings", "logic", _orderings),
    Family("word_order", "texts", _word_order),
    Family("letters", "texts", _letters),
    Family("charts", "texts", _charts),
    Family("programs", "texts", _programs),
)
