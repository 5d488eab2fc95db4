"""Z-characters to text (section 3 of the standard)."""

from __future__ import annotations

from aq_gym.envs.jericho.logic.header import Header, word_at

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
        words: Read at most so many two-byte words.
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
