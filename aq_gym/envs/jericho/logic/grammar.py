"""The sentences an Inform 6 story understands (its "grammar version 2" tables).

See the Inform Designer's Manual, fourth edition, and Inform Technical Manual,
section 8.6; the tables begin where static memory does.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from aq_gym.envs.jericho.logic.dictionary import Dictionary, read_dictionary
from aq_gym.envs.jericho.logic.header import Header, word_at

# Inform 6 writes its version into the header; other compilers' tables differ.
_COMPILER, _INFORM_6 = 0x3C, ord("6")
_END_OF_LINE = 15
_TYPE = 0x0F
_ALTERNATIVE = 0x10
_ELEMENTARY, _PREPOSITION = 1, 2
_KINDS = (
    "noun", "held", "multi", "multiheld", "multiexcept", "multiinside",
    "creature", "special", "number", "topic",
)  # fmt: skip
_VERB, _META = 0x01, 0x02
_MOST_LINES = 40
_MOST_TOKENS = 8


class Pattern(NamedTuple):
    """One sentence form.

    Attributes:
        verb: The first of its verb's words.
        action: The action's number in the story.
        tokens: After the verb: a preposition as the player writes it, or a kind
            of noun in angle brackets, as ``<held>``.
    """

    verb: str
    action: int
    tokens: tuple[str, ...]


@lru_cache(maxsize=32)
def inform_patterns(story: bytes) -> tuple[Pattern, ...]:
    """Return the sentence forms of a story, or none if it has no such tables.

    Commands about the game itself ("save") are left out.
    """
    header = Header.read(story)
    if story[_COMPILER] != _INFORM_6:
        return ()
    dictionary = read_dictionary(story)
    verbs: dict[int, str] = {}
    for word in dictionary.words.values():
        if len(word.data) >= 3 and word.data[0] & _VERB:
            known = verbs.get(255 - word.data[1])
            meta = word.data[0] & _META
            if not meta and (known is None or _rank(word.text) < _rank(known)):
                verbs[255 - word.data[1]] = word.text
    patterns: list[Pattern] = []
    for number, verb in sorted(verbs.items()):
        table = header.static + 2 * number
        if table + 2 > len(story):
            return ()
        lines = _lines(story, word_at(story, table), dictionary)
        patterns += [Pattern(verb, *line) for line in lines]
    return tuple(dict.fromkeys(patterns))


def _rank(word: str) -> tuple[bool, int, str]:
    """Prefer whole words to abbreviations and truncated words."""
    return len(word) < 3 or len(word) > 8, len(word), word


def _lines(
    story: bytes, address: int, dictionary: Dictionary
) -> Iterator[tuple[int, tuple[str, ...]]]:
    if not 64 <= address < len(story):
        return
    count = story[address]
    address += 1
    for _ in range(min(count, _MOST_LINES)):
        head = word_at(story, address)
        address += 2
        tokens: list[str] = []
        while address + 3 <= len(story) and story[address] != _END_OF_LINE:
            token = _token(story, address, dictionary)
            # The first of several alternatives stands for all.
            if token and not story[address] & _ALTERNATIVE:
                tokens.append(token)
            address += 3
            if len(tokens) > _MOST_TOKENS:
                return
        address += 1
        yield head & 0x3FF, tuple(tokens)


def _token(story: bytes, address: int, dictionary: Dictionary) -> str:
    kind, data = story[address] & _TYPE, word_at(story, address + 1)
    if kind == _PREPOSITION:
        word = dictionary.by_address.get(data)
        return word.text if word else ""
    if kind == _ELEMENTARY and data < len(_KINDS):
        return f"<{_KINDS[data]}>"
    return "<noun>"
