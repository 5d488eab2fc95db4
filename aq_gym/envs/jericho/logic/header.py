"""The header of a story file: parse it, check the file, find the score's variable."""

from __future__ import annotations

from typing import NamedTuple

_SCORE = 1
_TIME_FLAG = 0x02


def score_variable(story: bytes) -> int | None:
    """Return the number of the global variable that holds the score.

    In version 3 it is the second one, unless the status line shows the time. Later
    versions draw their status line themselves, from any variable.

    Args:
        story: The story file's content.

    Returns:
        The variable's number, the first being 0; None where there is none.
    """
    return _SCORE if story[0] == 3 and not story[1] & _TIME_FLAG else None


HEADER_SIZE = 64
# The file length is stored divided by this (section 11.1.6).
_LENGTH_UNIT = {3: 2, 4: 4, 5: 4, 8: 8}
_LONGEST_STORY = {3: 128 * 1024, 4: 256 * 1024, 5: 256 * 1024, 8: 512 * 1024}


class StoryError(ValueError):
    """A file is not a story that can be played safely."""


class Header(NamedTuple):
    """The fields that are needed (section 11.1).

    Attributes:
        version: 3, 4, 5 or 8.
        length: Length of the story in bytes; the file may be padded beyond it.
        start: Byte address of the first instruction.
        dictionary: Byte address of the dictionary.
        objects: Byte address of the object table.
        globals: Byte address of the global variables.
        static: Byte address where static memory begins; dynamic memory is below.
        abbreviations: Byte address of the abbreviations table.
        checksum: Sum of all bytes after the header, modulo 65536; 0 if not given.
        alphabet: Byte address of an own alphabet table, or 0.
    """

    version: int
    length: int
    start: int
    dictionary: int
    objects: int
    globals: int
    static: int
    abbreviations: int
    checksum: int
    alphabet: int

    @classmethod
    def read(cls, story: bytes) -> Header:
        """Read the header of a story.

        Raises:
            StoryError: If it is too short, or of a version that can't be played.
        """
        if len(story) < HEADER_SIZE:
            raise StoryError(f"{len(story)} bytes are too few for a story file")
        version = story[0]
        if version not in _LENGTH_UNIT:
            raise StoryError(
                f"Z-machine version {version}: only 3, 4, 5 and 8 can be played"
            )
        unit = _LENGTH_UNIT[version]
        return cls(
            version=version,
            length=word_at(story, 0x1A) * unit or len(story),
            start=word_at(story, 0x06),
            dictionary=word_at(story, 0x08),
            objects=word_at(story, 0x0A),
            globals=word_at(story, 0x0C),
            static=word_at(story, 0x0E),
            abbreviations=word_at(story, 0x18),
            checksum=word_at(story, 0x1C),
            alphabet=word_at(story, 0x34) if version >= 5 else 0,
        )


def word_at(data: bytes, address: int) -> int:
    """Return the two bytes at an address as a number."""
    return data[address] << 8 | data[address + 1]


def check_story(story: bytes, checksum: bool = True) -> Header:
    """Check that a file is complete and its tables are in range.

    Args:
        story: The file's content.
        checksum: Whether the checksum must be right; a story that is known by its
            hash needs no other.

    Returns:
        The header.

    Raises:
        StoryError: If the version can't be played, or the file is cut off, damaged
            or has a table outside its memory.
    """
    header = Header.read(story)
    if not HEADER_SIZE < header.length <= len(story):
        raise StoryError(
            f"the header says {header.length} bytes, the file has {len(story)}: "
            "it is truncated or not a story file"
        )
    if header.length > _LONGEST_STORY[header.version]:
        raise StoryError(f"{header.length} bytes are too many for its version")
    _check_tables(header)
    if checksum and header.checksum:
        actual = sum(story[HEADER_SIZE : header.length]) & 0xFFFF
        if actual != header.checksum:
            raise StoryError(
                f"checksum is {actual:#06x}, the header says {header.checksum:#06x}: "
                "the file is damaged"
            )
    return header


def _check_tables(header: Header) -> None:
    if not HEADER_SIZE <= header.static < min(header.length, 0x10000):
        raise StoryError(f"static memory can't begin at {header.static:#x}")
    for name in ("objects", "globals"):
        address = getattr(header, name)
        if not HEADER_SIZE <= address < header.static:
            raise StoryError(f"the {name} can't be at {address:#x}")
    for name in ("dictionary", "start", "abbreviations"):
        address = getattr(header, name)
        if name == "abbreviations" and address == 0:
            continue
        if not HEADER_SIZE <= address < header.length:
            raise StoryError(f"the {name} can't be at {address:#x}")
