"""A Z-machine's memory at one moment: objects, attributes, properties, globals."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from aq_gym.envs.jericho.logic.story_file import Header, decode, word_at

# A damaged tree can have loops; no object has more children than this.
_MOST_CHILDREN = 1_000


class Memory:
    """Read-only view of a story's memory (sections 6 and 12 of the standard).

    Nothing is read in advance, so that reading one object is cheap. Object numbers out
    of range are read as object 0, "nothing".

    Args:
        story: The story file's content, for static memory.
        ram: The current dynamic memory; by default the initial one.
    """

    def __init__(self, story: bytes, ram: bytes | None = None) -> None:
        self.header = header = Header.read(story)
        self._story = story
        self._wide = header.version >= 4
        self._entry = 14 if self._wide else 9
        self._tree = header.objects + 2 * (63 if self._wide else 31)
        self._links = 6 if self._wide else 4
        self.ram = story[: header.static] if ram is None else ram

    def parent(self, number: int) -> int:
        """Return the object that contains an object, or 0."""
        return self._link(number, 0)

    def sibling(self, number: int) -> int:
        """Return the next object with the same parent, or 0."""
        return self._link(number, 1)

    def child(self, number: int) -> int:
        """Return the first object in an object, or 0."""
        return self._link(number, 2)

    def children(self, number: int) -> Iterator[int]:
        """Yield the objects directly in an object."""
        child = self.child(number)
        for _ in range(_MOST_CHILDREN):
            if not child:
                return
            yield child
            child = self.sibling(child)

    def is_in(self, number: int, container: int) -> bool:
        """Return whether an object is in another, however deep."""
        for _ in range(_MOST_CHILDREN):
            number = self.parent(number)
            if number in (0, container):
                return number == container != 0
        return False

    def attribute(self, number: int, attribute: int) -> bool:
        """Return whether an object has an attribute."""
        if not self._exists(number) or not 0 <= attribute < self.attribute_count:
            return False
        byte = self.ram[self.entry_address(number) + attribute // 8]
        return bool(byte & 0x80 >> attribute % 8)

    def variable(self, number: int) -> int:
        """Return a global variable as a signed number, the first being 0."""
        start = self.header.globals + 2 * number
        return int.from_bytes(self.ram[start : start + 2], "big", signed=True)

    def name(self, number: int) -> str:
        """Return an object's short name as it is in the story file."""
        address = self._property_table(number)
        if not address or not self.ram[address]:
            return ""
        data = self.ram + self._story[len(self.ram) :]
        return decode(data, self.header, address + 1, self.ram[address])

    def properties(self, number: int) -> Iterator[tuple[int, int, int]]:
        """Yield number, byte address and length of an object's own properties."""
        table = self._property_table(number)
        if not table:
            return
        address = table + 1 + 2 * self.ram[table]
        while address < len(self.ram) - 2 and self.ram[address]:
            prop, start, length = self._property(address)
            yield prop, start, length
            address = start + length

    def words(self, number: int, prop: int) -> list[int]:
        """Return a property as two-byte words; empty if the object lacks it."""
        for found, start, length in self.properties(number):
            if found == prop:
                end = min(start + length, len(self.ram)) - 1
                return [word_at(self.ram, i) for i in range(start, end, 2)]
        return []

    @property
    def attribute_count(self) -> int:
        """The number of attributes of an object."""
        return 48 if self._wide else 32

    @cached_property
    def count(self) -> int:
        """The number of objects; the tree ends where the property tables begin."""
        number, lowest = 1, len(self._story)
        while self._tree + number * self._entry <= min(lowest, self.header.static):
            address = word_at(self._story, self._tree + number * self._entry - 2)
            if address > self._tree:
                lowest = min(lowest, address)
            number += 1
        return number - 1

    def entry_address(self, number: int) -> int:
        """Return the address of an object's entry, which begins with its attributes."""
        return self._tree + (number - 1) * self._entry

    def _exists(self, number: int) -> bool:
        return 0 < number <= self.count

    def _link(self, number: int, which: int) -> int:
        if not self._exists(number):
            return 0
        address = self._tree + (number - 1) * self._entry + self._links
        if self._wide:
            return word_at(self.ram, address + 2 * which)
        return self.ram[address + which]

    def _property_table(self, number: int) -> int:
        if not self._exists(number):
            return 0
        address = word_at(self.ram, self._tree + number * self._entry - 2)
        return address if address < len(self.ram) else 0

    def _property(self, address: int) -> tuple[int, int, int]:
        size = self.ram[address]
        if not self._wide:
            return size & 31, address + 1, (size >> 5) + 1
        if size & 0x80:
            return size & 63, address + 2, self.ram[address + 1] & 63 or 64
        return size & 63, address + 1, 2 if size & 0x40 else 1
