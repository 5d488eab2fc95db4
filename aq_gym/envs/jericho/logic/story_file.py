"""A story file: its header, checks and text (sections 3 and 11 of the standard)."""

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
        The variable's number, the first being 0; None if there is none.
    """
    return _SCORE if story[0] == 3 and not story[1] & _TIME_FLAG else None


HEADER_SIZE = 64
# The file length is stored divided by this (section 11.1.6).
_LENGTH_UNIT = {3: 2, 4: 4, 5: 4, 8: 8}
_LONGEST_STORY = {3: 128 * 1024, 4: 256 * 1024, 5: 256 * 1024, 8: 512 * 1024}


class StoryError(ValueError):
    """Raised for a file that is not a story, or can't be played safely."""


class Header(NamedTuple):
    """The fields of the header that are used (section 11.1).

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
        alphabet: Byte address of the story's own alphabet table, or 0.
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
            StoryError: If the story is too short, or its version can't be played.
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
        checksum: Whether the checksum must be right; a story recognized by its hash
            needs no checksum.

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


_A0 = "abcdefghijklmnopqrstuvwxyz"
_A1 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_A2 = " \n0123456789.,!?_#'\"/\\-:()"
# ZSCII 155 to 223, section 3.8.7.
_EXTRA = (
    "\u00e4\u00f6\u00fc\u00c4\u00d6\u00dc\u00df\u00bb\u00ab\u00eb\u00ef\u00ff"
    "\u00cb\u00cf\u00e1\u00e9\u00ed\u00f3\u00fa\u00fd\u00c1\u00c9\u00cd\u00d3"
    "\u00da\u00dd\u00e0\u00e8\u00ec\u00f2\u00f9\u00c0\u00c8\u00cc\u00d2\u00d9"
    "\u00e2\u00ea\u00ee\u00f4\u00fb\u00c2\u00ca\u00ce\u00d4\u00db\u00e5\u00c5"
    "\u00f8\u00d8\u00e3\u00f1\u00f5\u00c3\u00d1\u00d5\u00e6\u00c6\u00e7\u00c7"
    "\u00fe\u00f0\u00de\u00d0\u00a3\u0153\u0152\u00a1\u00bf"
)
_MOST_WORDS = 2_000


def decode(data: bytes, header: Header, address: int, words: int = _MOST_WORDS) -> str:
    """Decode the text at a byte address.

    Args:
        data: The story's memory.
        header: Its header.
        address: Byte address of the text.
        words: The maximum number of two-byte words to read.
    """
    return _spell(data, header, _characters(data, address, words), abbreviate=True)


def _characters(data: bytes, address: int, words: int) -> list[int]:
    characters: list[int] = []
    end = min(address + 2 * words, len(data) - 1)
    for position in range(address, end, 2):
        word = word_at(data, position)
        characters += (word >> 10 & 31, word >> 5 & 31, word & 31)
        if word & 0x8000:
            break
    return characters


def _spell(data: bytes, header: Header, characters: list[int], abbreviate: bool) -> str:
    alphabets = _alphabets(data, header)
    text: list[str] = []
    shift = 0
    stream = iter(characters)
    for character in stream:
        if character == 0:
            text.append(" ")
        elif character < 4:
            following = next(stream, None)
            if following is not None and abbreviate:
                entry = 32 * (character - 1) + following
                text.append(_abbreviation(data, header, entry))
        elif character < 6:
            shift = character - 3
            continue
        elif shift == 2 and character == 6:
            high, low = next(stream, 0), next(stream, 0)
            text.append(_zscii(high << 5 | low))
        else:
            text.append(alphabets[shift][character - 6])
        shift = 0
    return "".join(text)


def _alphabets(data: bytes, header: Header) -> tuple[str, str, str]:
    if not header.alphabet:
        return _A0, _A1, _A2
    table = data[header.alphabet : header.alphabet + 78]
    letters = "".join(map(_zscii, table)).ljust(78)
    return letters[:26], letters[26:52], " \n" + letters[54:78]


def _abbreviation(data: bytes, header: Header, entry: int) -> str:
    address = 2 * word_at(data, header.abbreviations + 2 * entry)
    characters = _characters(data, address, _MOST_WORDS)
    return _spell(data, header, characters, abbreviate=False)


def _zscii(code: int) -> str:
    if 32 <= code < 127:
        return chr(code)
    if 155 <= code < 155 + len(_EXTRA):
        return _EXTRA[code - 155]
    return "\n" if code == 13 else ""
