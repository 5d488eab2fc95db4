"""Words as tasks, and families of words that differ only in their endings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from aq_gym.core.tasks import UserTasks

_ENDINGS = (
    "s", "es", "d", "ed", "r", "er", "rs", "ers", "ier", "st", "est", "ing", "ings",
    "ly", "ily", "y", "ies", "ied", "n", "en", "ens", "ness", "less", "ful", "ment",
    "ments", "able", "ible", "al", "ally", "ion", "ions", "ation", "ations", "or",
    "ors", "ist", "ists", "ism", "ish", "ty", "ity", "ous", "ive", "ance", "ence",
    "ant", "ent", "age", "ages", "ship", "hood", "some", "ward", "wards", "like", "man",
    "men",
)  # fmt: skip
_SHORTEST_STEM = 3


def word_families(words: Iterable[str]) -> dict[str, str]:
    """Return the first word of the family of each word.

    Words belong to one family if one is the other with an ending, or both are the same
    word of the list with different endings: ``bake``, ``baked``, ``bakers``,
    ``baking``. The ending may replace an ``e``, double a consonant or change ``y``. In
    doubt, words are in one family, such as ``her`` and ``herd``.

    Args:
        words: The words, in lower case.
    """
    every = sorted(set(words))
    first = {word: word for word in every}
    for word in every:
        for stem in _stems(word):
            # A stem that is not a word also joins the words formed from it.
            first.setdefault(stem, stem)
            one, other = sorted((_root(first, word), _root(first, stem)))
            first[other] = one
    return {word: _root(first, word) for word in every}


def _stems(word: str) -> Iterator[str]:
    """Yield the possible stems of a word, whether or not they are words."""
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < _SHORTEST_STEM:
            continue
        yield stem
        if ending[0] in "aeioy":
            yield f"{stem}e"
            if stem[-1] == stem[-2]:
                yield stem[:-1]
        if ending[0] == "i":
            yield f"{stem}y"
        elif stem[-1] == "i":
            yield f"{stem[:-1]}y"


def _root(first: dict[str, str], word: str) -> str:
    while first[word] != word:
        first[word] = first[first[word]]
        word = first[word]
    return word


def is_word(text: str) -> bool:
    """Return whether a text is one or more letters from a to z."""
    return text.isascii() and text.isalpha() and text.islower()


@cache
def word_tasks(words: tuple[str, ...]) -> UserTasks[str]:
    """Return a task for each word, with the word as its id; environments share it.

    Args:
        words: The words that can be hidden, at least one.
    """
    return UserTasks({word: word for word in words}, "the words of these arguments")
