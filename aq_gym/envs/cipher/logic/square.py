"""The 6x6 square of ADFGVX, which writes a symbol as its row and its column."""

from __future__ import annotations

from functools import lru_cache

from aq_gym.envs.cipher.logic.alphabet import ALPHABET

SQUARE_SYMBOLS = f"{ALPHABET}0123456789"
COORDINATES = "ADFGVX"
_ROWS = bytes.maketrans(COORDINATES.encode(), bytes(range(0, 36, 6)))
_COLUMNS = bytes.maketrans(COORDINATES.encode(), bytes(range(6)))


class Square:
    """A square with the 26 letters and 10 digits.

    Args:
        symbols: The symbols, row by row.
    """

    def __init__(self, symbols: str) -> None:
        self._pairs = {
            symbol: COORDINATES[i // 6] + COORDINATES[i % 6]
            for i, symbol in enumerate(symbols)
        }
        self._symbols = bytes.maketrans(bytes(range(36)), symbols.encode("ascii"))

    def write(self, text: str) -> bytes:
        """Return the coordinates of a text's letters and digits."""
        written = "".join(self._pairs.get(symbol, "") for symbol in text.lower())
        return written.encode("ascii")

    def read(self, coordinates: bytes) -> str:
        """Return the symbols at coordinates; a single last one is left out."""
        length = len(coordinates) // 2
        rows = coordinates[: 2 * length : 2].translate(_ROWS)
        columns = coordinates[1::2].translate(_COLUMNS)
        # Added as one large number: no sum of two bytes carries into the next.
        places = int.from_bytes(rows, "big") + int.from_bytes(columns, "big")
        return places.to_bytes(length, "big").translate(self._symbols).decode("ascii")


@lru_cache(maxsize=64)
def square(symbols: str) -> Square:
    """Return the square with these symbols, row by row."""
    return Square(symbols)
