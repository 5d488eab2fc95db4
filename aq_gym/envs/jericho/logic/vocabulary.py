"""The words a story knows, and the sentences that it understands."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from aq_gym.envs.jericho.logic.story_file import Header, decode, word_at

# Inform 6 writes its version into the header; the tables of other compilers differ.
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


class Word(NamedTuple):
    """A dictionary entry.

    Attributes:
        text: The word, shortened as the story stores it.
        address: Its byte address, with which the story refers to it.
        data: The bytes after the text; their meaning depends on the compiler.
    """

    text: str
    address: int
    data: bytes


class Dictionary:
    """A story's dictionary.

    Args:
        story: The story file's content.

    Attributes:
        length: The number of characters of a word that the story reads.
        words: Every word by its text.
        by_address: Every word by its address.
        inform: Whether Inform 6 compiled the story, so that its grammar can be read.
    """

    def __init__(self, story: bytes) -> None:
        self._story = story
        self.inform = story[_COMPILER] == _INFORM_6
        header = Header.read(story)
        self.length = 9 if header.version >= 4 else 6
        size = 6 if header.version >= 4 else 4
        start = header.dictionary + 1 + story[header.dictionary]
        entry = story[start]
        count = word_at(story, start + 1)
        count = count if count < 0x8000 else 0x10000 - count
        self.words: dict[str, Word] = {}
        self.by_address: dict[int, Word] = {}
        for index in range(count):
            address = start + 3 + index * entry
            if entry < size or address + entry > len(story):
                break
            text = decode(story, header, address, size // 2)
            word = Word(text, address, story[address + size : address + entry])
            self.words[text] = self.by_address[address] = word

    def __contains__(self, word: str) -> bool:
        return self.cut(word) in self.words

    def cut(self, word: str) -> str:
        """Cut a word as the story does: characters except letters take two places."""
        room = self.length
        for index, character in enumerate(word):
            room -= 1 if "a" <= character <= "z" else 2
            if room < 0:
                return word[:index]
        return word

    def verb(self, word: str) -> tuple[bool, bool]:
        """Describe a verb of a story that Inform 6 compiled.

        Returns:
            Whether the story has the verb and does not mark it as a session command,
            and whether the verb has a sentence with an object.
        """
        entry = self.words.get(self.cut(word))
        if entry is None or len(entry.data) < 3 or not entry.data[0] & _VERB:
            return False, False
        lines = _lines_of(self._story, 255 - entry.data[1], self)
        with_object = any(token[0] == "<" for _, tokens in lines for token in tokens)
        return not entry.data[0] & _META, with_object


# Shared by all sessions of a story, because it takes half a megabyte.
read_dictionary = lru_cache(maxsize=32)(Dictionary)


class Pattern(NamedTuple):
    """One sentence form.

    Attributes:
        verb: The first of the words for its verb.
        action: The action's number in the story.
        tokens: The tokens after the verb: a preposition as the player writes it, or a
            kind of noun in angle brackets, such as ``<held>``.
    """

    verb: str
    action: int
    tokens: tuple[str, ...]


@lru_cache(maxsize=32)
def inform_patterns(story: bytes) -> tuple[Pattern, ...]:
    """Return the sentence forms of a story; empty if it has no tables of Inform.

    Commands about the game itself ("save") are left out.
    """
    dictionary = read_dictionary(story)
    if not dictionary.inform:
        return ()
    header = Header.read(story)
    verbs: dict[int, str] = {}
    for word in dictionary.words.values():
        if len(word.data) >= 3 and word.data[0] & _VERB:
            known = verbs.get(255 - word.data[1])
            meta = word.data[0] & _META
            if not meta and (known is None or _rank(word.text) < _rank(known)):
                verbs[255 - word.data[1]] = word.text
    patterns: list[Pattern] = []
    for number, verb in sorted(verbs.items()):
        if header.static + 2 * number + 2 > len(story):
            return ()
        lines = _lines_of(story, number, dictionary)
        patterns += [Pattern(verb, *line) for line in lines]
    return tuple(dict.fromkeys(patterns))


def _rank(word: str) -> tuple[bool, int, str]:
    """Return a sort key: whole words before abbreviations and truncated words."""
    return len(word) < 3 or len(word) > 8, len(word), word


def _lines_of(
    story: bytes, verb: int, dictionary: Dictionary
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the action and the tokens of each sentence of a verb."""
    table = Header.read(story).static + 2 * verb
    if table + 2 > len(story):
        return
    address = word_at(story, table)
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
            # Of several alternatives, only the first is used.
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
