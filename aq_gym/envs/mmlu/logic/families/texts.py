"""Questions about words, letters, charts and programs."""

from __future__ import annotations

from random import Random

from aq_gym.envs.mmlu.logic.families.family import NAMES, WORDS, Ask, Family

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
    Family("word_order", "texts", _word_order),
    Family("letters", "texts", _letters),
    Family("charts", "texts", _charts),
    Family("programs", "texts", _programs),
)
