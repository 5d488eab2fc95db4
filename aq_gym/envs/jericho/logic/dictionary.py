"""The words a story knows (section 13 of the standard)."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from aq_gym.envs.jericho.logic.header import Header, word_at
from aq_gym.envs.jericho.logic.ztext import decode


class Word(NamedTuple):
    """A dictionary entry.

    Attributes:
        text: The word, as short as the story stores it.
        address: Its byte address, by which stories refer to it.
        data: The bytes after the text, whose meaning is the compiler's.
    """

    text: str
    address: int
    data: bytes


class Dictionary:
    """A story's dictionary.

    Args:
        story: The story file's content.

    Attributes:
        length: How many characters of a word the story can tell apart.
        words: Every word by its text.
        by_address: Every word by its address.
    """

    def __init__(self, story: bytes) -> None:
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
        """Cut a word as the story does: a letter counts once, everything else twice."""
        room = self.length
        for index, character in enumerate(word):
            room -= 1 if "a" <= character <= "z" else 2
            if room < 0:
                return word[:index]
        return word


# Shared by all sessions of a story, because it takes half a megabyte.
read_dictionary = lru_cache(maxsize=32)(Dictionary)
