"""The words that the judge of generated stories knows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from aq_gym.envs.mystery.logic.facts import aspects, load

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_ARTICLES = frozenset({"a", "an", "the"})


class Mention(NamedTuple):
    """One or more words of a text with a meaning.

    Attributes:
        phrase: The words.
        kind: "fact", "cue", "topic" or "unknown".
        aspect: The index of the aspect of a fact or cue, -1 for the others.
        mask: A fact's set of values.
    """

    phrase: str
    kind: str
    aspect: int = -1
    mask: int = 0


class Lexicon(NamedTuple):
    """All words, by meaning.

    Attributes:
        words: Single words; None for those that are read over.
        phrases: Longer ones by their first word, the longest first.
        negations: Words that negate.
        openers: Words that begin open questions.
        starters: Words that begin questions for a yes or no.
        weighing: Words that ask whether something counts.
    """

    words: dict[str, Mention | None]
    phrases: dict[str, list[tuple[list[str], Mention]]]
    negations: frozenset[str]
    openers: frozenset[str]
    starters: frozenset[str]
    weighing: frozenset[str]

    def scan(self, words: list[str]) -> list[tuple[Mention, bool]]:
        """Return the meanings of the words of a text, in order.

        Args:
            words: The words in lower case.

        Returns:
            Each mention, and whether nothing but articles stands between it and the
            one before it.
        """
        found: list[tuple[Mention, bool]] = []
        at, adjacent = 0, False
        while at < len(words):
            word = words[at]
            mention, length = None, 1
            if word in self.phrases:
                mention, length = self._phrase(words, at)
            if mention is None:
                # A word that is read over has None, one that is unknown is missing.
                mention = self.words.get(word, _UNKNOWN)
            at += length
            if mention is None:
                adjacent = adjacent and word in _ARTICLES
                continue
            if mention is _UNKNOWN:
                mention = Mention(word, "unknown")
            found.append((mention, adjacent))
            adjacent = True
        return found

    def _phrase(self, words: list[str], at: int) -> tuple[Mention | None, int]:
        for phrase, mention in self.phrases[words[at]]:
            if words[at : at + len(phrase)] == phrase:
                return mention, len(phrase)
        return None, 1


_UNKNOWN = Mention("", "unknown")


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, without a possessive 's."""
    lower = text.lower().replace("\u2019", "'")
    found: list[str] = _WORD.findall(lower)
    return [word.removesuffix("'s") for word in found] if "'s" in lower else found


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """Return the packaged words."""
    lists = load("words.json")
    words: dict[str, Mention | None] = {}
    phrases: dict[str, list[tuple[list[str], Mention]]] = {}
    for mention in _mentions(lists["topics"]):
        parts = mention.phrase.split()
        if len(parts) == 1:
            words[mention.phrase] = mention
        else:
            phrases.setdefault(parts[0], []).append((parts, mention))
    for known in phrases.values():
        known.sort(key=lambda entry: -len(entry[0]))
    for word in (*lists["neutral"], *lists["first"], *lists["open"]):
        words.setdefault(word)
    return Lexicon(
        words,
        phrases,
        *(
            frozenset(lists[name])
            for name in ("negations", "open", "first", "weighing")
        ),
    )


def _mentions(topics: list[str]) -> Iterator[Mention]:
    """Yield every word and phrase that stands for something, then the plurals."""
    every = [Mention(topic, "topic") for topic in topics]
    for i, aspect in enumerate(aspects()):
        every += [Mention(cue, "cue", i) for cue in aspect.cues]
        forms = aspect.forms.items()
        every += [Mention(form, "fact", i, mask) for form, mask in forms]
    yield from every
    known = {mention.phrase for mention in every}
    for mention in every:
        for ending in ("s", "es"):
            if (plural := mention.phrase + ending) not in known:
                yield mention._replace(phrase=plural)
