"""The words that the judge of generated stories knows, and how actions are read.

A word of the packaged list stands for a value or a set of values of one key fact, or is
ignored, like verbs. A question that could be misread is refused: if it has a negation,
a word that is not in the list, or several facts joined by "or".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from aq_gym.core.text import listing, quote
from aq_gym.envs.mystery.game import ASPECTS, Question, Telling, aspects, load

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_ARTICLES = frozenset({"a", "an", "the"})
_LONGEST_QUESTION = 500
_LONGEST_TELLING = 4_000
_MOST_NAMED = 3
_TELLING = re.compile(
    r"^[ \t\"'`*#>]*(?:(?:my|the|final|whole|full|here|is)[ \t]+)*"
    r"(?:story|answer|solution|explanation|what happened|tell)"
    r"(?:[ \t]+is)?[ \t*\"'`]*[:=]",
    re.IGNORECASE | re.MULTILINE,
)
_BLANK_LINE = re.compile(r"\n\s*\n")
_ASKING = re.compile(
    r"[\s\"'`*#>]*(?:(?:my|next|first|final|the)\s+)*(?:question|ask)"
    r"(?:\s+[0-9]+)?(?:\s+is)?[\s*\"'`]*[:=]",
    re.IGNORECASE,
)


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
    """All words that the judge knows, by their meaning.

    Attributes:
        words: Single words with their meaning; None for ignored words.
        phrases: Phrases by their first word, the longest first.
        negations: Words that negate.
        openers: Words at the start of open questions.
        starters: Words at the start of yes/no questions.
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
            Each mention, and whether only articles separate it from the previous
            mention.
        """
        found: list[tuple[Mention, bool]] = []
        at, adjacent = 0, False
        while at < len(words):
            word = words[at]
            mention, length = None, 1
            if word in self.phrases:
                mention, length = self._phrase(words, at)
            if mention is None:
                # Ignored words map to None; unknown words are missing.
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
    """Yield every word and phrase with a meaning, then the plurals."""
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


# A mention, and whether only articles separate it from the previous mention.
Scanned: TypeAlias = tuple[Mention, bool]


class Problem(NamedTuple):
    """The reason why a text cannot be judged as a question or telling."""

    why: str


class SplitAction(NamedTuple):
    """A question or a telling before its words are looked up.

    Attributes:
        asks: Whether it is a question.
        text: The text without its marker.
        words: Its words in lower case.
    """

    asks: bool
    text: str
    words: list[str]


def split_action(text: str) -> SplitAction | Problem:
    """Read whether a text is a question or a telling.

    A telling is the paragraph after the last line that begins with its marker. A
    question ends with a question mark, or begins like a yes/no question.
    """
    if markers := list(_TELLING.finditer(text)):
        following = text[markers[-1].end() :].strip()
        telling = _BLANK_LINE.split(following, maxsplit=1)[0]
        if len(telling) > _LONGEST_TELLING:
            return Problem(f"A story can have {_LONGEST_TELLING} characters at most.")
        words = words_of(telling)
        return (
            SplitAction(False, telling, words)
            if words
            else Problem("The story is empty.")
        )
    asked = _ASKING.match(text)
    question = text[asked.end() if asked else 0 :].strip(" \t\r\n\f\v\"'`*")
    if len(question) > _LONGEST_QUESTION:
        return Problem(f"A question can have {_LONGEST_QUESTION} characters at most.")
    words = words_of(question)
    if not words:
        return Problem("It has no words.")
    if words[0] in lexicon().openers:
        return Problem(
            f"Questions that begin with {words[0]!r} can't be answered with yes or no."
        )
    if words[0] not in lexicon().starters and not question.endswith("?"):
        return Problem(f"{quote(text)} is neither a question nor a story.")
    if "?" in question.rstrip("? "):
        return Problem("Only one question at a time can be answered.")
    return SplitAction(True, question, words)


def read(text: str) -> Question | Telling | Problem:
    """Parse a question or a telling, or return the reason why the text is invalid."""
    parts = split_action(text)
    if isinstance(parts, Problem):
        return parts
    words = parts.words
    # "Wasn't it a dog?" asks the same as "Was it a dog?".
    if problem := _negated(words[1:] if parts.asks else words):
        return problem
    scanned = lexicon().scan(words)
    if not parts.asks:
        return _telling(scanned)
    question = _question(words, scanned)
    if isinstance(question, Problem) or len(question.masks) == 1:
        return question
    # All questions about no fact have the same answer, so their words tell them apart.
    return question._replace(words=f"{' '.join(words)}?")


def write(action: Question | Telling) -> str:
    """Write a question or a telling in its documented form."""
    if isinstance(action, Telling):
        return write_telling(action.values)
    if action.words:
        return action.words
    ((aspect, mask),) = action.masks
    names = [name for k, name in enumerate(aspects()[aspect].values) if mask >> k & 1]
    return write_question(aspect, names)


def write_question(aspect: int, names: list[str]) -> str:
    """Write a question in the documented form.

    Args:
        aspect: The index of the fact.
        names: Values, or the name of one category.
    """
    return f"Was the {ASPECTS[aspect]} {listing(names, 'or')}?"


def write_telling(values: tuple[tuple[int, int], ...]) -> str:
    """Write the facts of a story as a telling.

    Args:
        values: Pairs of an aspect's index and the number of its value.
    """
    parts = [
        f"the {ASPECTS[aspect]} was {aspects()[aspect].values[value]}"
        for aspect, value in values
    ]
    return f"Story: {listing(parts)}."


def _negated(words: list[str]) -> Problem | None:
    """Return a problem if a word negates."""
    negations = lexicon().negations
    for word in words:
        if word in negations or word[-3:] == "n't":
            return Problem(f"Negations as {word!r} can be misread: leave them out.")
    return None


def _question(words: list[str], scanned: list[Scanned]) -> Question | Problem:
    kinds: dict[str, list[Mention]] = {}
    for mention, _ in scanned:
        kinds.setdefault(mention.kind, []).append(mention)
    if unknown := kinds.get("unknown"):
        named = listing([quote(mention.phrase) for mention in unknown[:_MOST_NAMED]])
        return Problem(f"The judge does not know {named}.")
    facts, topics = kinds.get("fact"), kinds.get("topic")
    if facts and topics:
        return Problem(
            f"{topics[0].phrase!r} and {facts[0].phrase!r} are two questions: ask one "
            "at a time."
        )
    if facts:
        return _misplaced(scanned) or _about(facts, "or" in words)
    if topics:
        return Question(())
    if "cue" in kinds and not lexicon().weighing.isdisjoint(words):
        return Question((), certain=True)
    return Problem("The question names none of the facts.")


def _misplaced(scanned: list[Scanned]) -> Problem | None:
    """Return a problem if a question asks for a value of the wrong fact."""
    for (before, _), (after, adjacent) in pairwise(scanned):
        if before.kind == "cue" and adjacent and before.aspect != after.aspect:
            return Problem(
                f"{after.phrase!r} is a word for the {ASPECTS[after.aspect]}, not for "
                f"the {ASPECTS[before.aspect]}."
            )
    return None


def _about(facts: list[Mention], joined: bool) -> Question | Problem:
    """Read a question that names values of facts, possibly joined by "or"."""
    masks: dict[int, int] = {}
    for fact in facts:
        seen = masks.get(fact.aspect, fact.mask)
        if seen != fact.mask and not joined:
            return Problem(
                f"Join several words for the {ASPECTS[fact.aspect]} by 'or'."
            )
        masks[fact.aspect] = seen | fact.mask
    if joined and len(masks) > 1:
        named = listing([ASPECTS[aspect] for aspect in sorted(masks)])
        return Problem(f"With 'or', ask about one of {named} at a time.")
    return Question(tuple(sorted(masks.items())))


def _telling(scanned: list[Scanned]) -> Telling | Problem:
    values: dict[int, int] = {}
    for mention, _ in scanned:
        mask = mention.mask
        if mention.kind != "fact" or not mask or mask & (mask - 1):
            continue
        value = mask.bit_length() - 1
        if values.setdefault(mention.aspect, value) != value:
            return Problem(
                f"The story names more than one {ASPECTS[mention.aspect]}: tell one."
            )
    if not values:
        return Problem("The story names none of the facts.")
    return Telling(tuple(sorted(values.items())))
