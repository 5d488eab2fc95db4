"""The action grammar of generated stories: questions and tellings.

Every word that the judge knows stands for a value or a set of values of one key fact,
and verbs and other words of its list are read over. What could change the meaning of a
question in ways that this would miss is refused: negations, words that the judge does
not know, and several facts joined by "or".
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from aq_gym.core.text import listing, quote
from aq_gym.envs.mystery.lexicon import Mention, lexicon, words_of
from aq_gym.envs.mystery.logic.facts import ASPECTS, aspects
from aq_gym.envs.mystery.logic.questions import Question, Telling
from aq_gym.envs.mystery.text import question, telling

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

# A mention, and whether nothing but articles stands before it and after the last one.
Scanned: TypeAlias = tuple[Mention, bool]


class Problem(NamedTuple):
    """Why a text is neither a question nor a telling that the judge can read."""

    why: str


class Said(NamedTuple):
    """A question or a telling before its words are looked up.

    Attributes:
        asks: Whether it is a question.
        text: The text without its marker.
        words: Its words in lower case.
    """

    asks: bool
    text: str
    words: list[str]


def split_action(text: str) -> Said | Problem:
    """Read whether a text is a question or a telling.

    A telling is the paragraph after the last line that begins with its marker. A
    question ends in a question mark or begins as questions for a yes or no do.
    """
    if markers := list(_TELLING.finditer(text)):
        following = text[markers[-1].end() :].strip()
        telling = _BLANK_LINE.split(following, maxsplit=1)[0]
        if len(telling) > _LONGEST_TELLING:
            return Problem(f"A story can have {_LONGEST_TELLING} characters at most.")
        words = words_of(telling)
        return Said(False, telling, words) if words else Problem("The story is empty.")
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
    return Said(True, question, words)


@lru_cache(maxsize=4096)
def read(text: str) -> Question | Telling | Problem:
    """Parse a question or a telling, or return the reason why the text is invalid."""
    said = split_action(text)
    if isinstance(said, Problem):
        return said
    words = said.words
    # "Wasn't it a dog?" asks the same as "Was it a dog?".
    if problem := _negated(words[1:] if said.asks else words):
        return problem
    scanned = lexicon().scan(words)
    return _question(words, scanned) if said.asks else _telling(scanned)


@lru_cache(maxsize=4096)
def canonical(text: str) -> str | None:
    """Return one form for all texts that ask or tell the same; None for a problem.

    Questions that name no fact have the same answer, but are not the same question:
    they keep their words.
    """
    said = read(text)
    if isinstance(said, Problem):
        return None
    if isinstance(said, Telling):
        return telling(said.values)
    asked = split_action(text)
    assert not isinstance(asked, Problem)
    by_words = f"{' '.join(asked.words)}?"
    if len(said.masks) != 1:
        return by_words
    ((aspect, mask),) = said.masks
    names = [name for k, name in enumerate(aspects()[aspect].values) if mask >> k & 1]
    return question(aspect, names)


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
    """Return a problem if a value is asked of the wrong fact."""
    for (before, _), (after, adjacent) in pairwise(scanned):
        if before.kind == "cue" and adjacent and before.aspect != after.aspect:
            return Problem(
                f"{after.phrase!r} is a word for the {ASPECTS[after.aspect]}, not for "
                f"the {ASPECTS[before.aspect]}."
            )
    return None


def _about(facts: list[Mention], joined: bool) -> Question | Problem:
    """Read a question that names facts, joined by "or" or not."""
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
