"""The things around the player, by names that the story's parser accepts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from aq_gym.envs.jericho.logic import Memory, read_dictionary
from aq_gym.envs.jericho.logic.header import word_at

_NAME_PROPERTY = 1
_UNNAMED = frozenset((
    "and", "the", "of", "a", "an", "some", "pair", "on", "in",
))  # fmt: skip
_DEEPEST = 20
_MOST_IN_A_ROOM = 20
_MOST_AROUND = 300


class Thing(NamedTuple):
    """Something that commands can name."""

    number: int
    name: str


class Surroundings:
    """Finds and names what is around the player.

    Args:
        story: The story file's content.
        memory: Its memory, which is read anew each time.
        player: The player's object, 0 where unknown.
        inform: Whether Inform compiled the story; Infocom's stories are told apart.
    """

    def __init__(self, story: bytes, memory: Memory, player: int, inform: bool) -> None:
        self._memory = memory
        self._player = player
        self._inform = inform
        self._dictionary = read_dictionary(story)

    def things(self) -> tuple[list[Thing], list[Thing]]:
        """Return the things around, including carried ones, and the carried ones."""
        if not self._player:
            return [], []
        room = self.room()
        held = self._named(self.inside(self._player))
        scenery = () if self._inform else self._shared_scenery(room)
        return self._named((*self.inside(room), *scenery)), held

    def room(self) -> int:
        """Return the object that everything around is in."""
        chain = [self._player]
        while self._memory.parent(chain[-1]) and len(chain) < _DEEPEST:
            chain.append(self._memory.parent(chain[-1]))
        # Infocom's stories keep all rooms in one object.
        top = sum(1 for _ in self._memory.children(chain[-1]))
        rooms = len(chain) > 2 and top > _MOST_IN_A_ROOM and not self._inform
        return chain[-2] if rooms else chain[-1]

    def inside(self, container: int) -> Iterator[int]:
        """Yield everything in an object, however deep, except the player."""
        # A damaged tree can have loops.
        return self._descend(container, {container})

    def _descend(self, container: int, seen: set[int]) -> Iterator[int]:
        if len(seen) > _MOST_AROUND:
            return
        for child in self._memory.children(container):
            if child in seen:
                return
            seen.add(child)
            if child != self._player:
                yield child
            yield from self._descend(child, seen)

    def _shared_scenery(self, room: int) -> Iterator[int]:
        """Yield things that several of an Infocom story's rooms share.

        A property of the room lists them, a byte each; they are all in one object that
        holds no rooms.
        """
        memory = self._memory
        for _, start, length in memory.properties(room):
            numbers = memory.ram[start : start + length]
            places = {memory.parent(number) for number in numbers}
            if len(places) == 1 and not places & {0, room, memory.parent(room)}:
                yield from numbers

    def _named(self, numbers: Iterable[int]) -> list[Thing]:
        things: dict[str, Thing] = {}
        for number in numbers:
            name = self.name(number)
            if name:
                things.setdefault(name, Thing(number, name))
        return list(things.values())

    def name(self, number: int) -> str:
        """Name a thing by the words of its name that the parser accepts for it."""
        known = self._words(number, _NAME_PROPERTY)
        if not self._inform and not known:
            return self._infocom_name(number)
        taken = known or self._dictionary.words
        words = [
            word
            for word in self._memory.name(number).lower().split()
            if self._dictionary.cut(word) in taken and (known or word not in _UNNAMED)
        ]
        return " ".join(words) or (min(known) if known else "")

    def _words(self, number: int, prop: int) -> set[str]:
        addresses = self._memory.words(number, prop)
        entries = filter(None, map(self._dictionary.by_address.get, addresses))
        return {word.text for word in entries}

    def _infocom_name(self, number: int) -> str:
        """Name a thing by the last noun of its name and the adjectives before it."""
        nouns = self._nouns(number)
        words = self._memory.name(number).lower().split()
        while words and self._dictionary.cut(words[-1]) not in nouns:
            words.pop()
        if not words:
            return nouns[0] if nouns else ""
        first = len(words) - 1
        while first and self._is_adjective(words[first - 1]):
            first -= 1
        return " ".join(words[first:])

    def _is_adjective(self, word: str) -> bool:
        return word.isalpha() and word not in _UNNAMED and word in self._dictionary

    def _nouns(self, number: int) -> list[str]:
        """Return the words of the property that lists a thing's nouns."""
        memory, known = self._memory, self._dictionary.by_address
        for _, start, length in memory.properties(number):
            if length % 2 == 0:
                places = range(start, min(start + length, len(memory.ram) - 1), 2)
                entries = [known.get(word_at(memory.ram, place)) for place in places]
                if entries and all(entries):
                    return [entry.text for entry in entries if entry]
        return []
