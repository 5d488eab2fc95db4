"""Orders in which a transposition writes the characters of a text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import itemgetter

__all__ = ["Transposition", "columnar", "rail_fence"]


class Transposition:
    """A rearrangement of the texts of one length.

    Args:
        order: The positions of the text in the order in which they are written; at
            least two.
    """

    def __init__(self, order: Sequence[int]) -> None:
        inverse = sorted(range(len(order)), key=order.__getitem__)
        self._apply, self._undo = itemgetter(*order), itemgetter(*inverse)

    def apply(self, text: bytes) -> bytes:
        """Return the transposed text."""
        return bytes(self._apply(text))

    def undo(self, text: bytes) -> bytes:
        """Return the text that ``apply`` transposed into this one."""
        return bytes(self._undo(text))


@lru_cache(maxsize=256)
def rail_fence(length: int, rails: int) -> Transposition:
    """Return the transposition of a rail fence.

    The text is written in a zigzag over the rails and read rail by rail.

    Args:
        length: Characters of the text, at least 2.
        rails: At least 2.
    """
    period = 2 * rails - 2
    rail_of = [min(i % period, period - i % period) for i in range(length)]
    return Transposition(sorted(range(length), key=rail_of.__getitem__))


@lru_cache(maxsize=256)
def columnar(length: int, keyword: str) -> Transposition:
    """Return a columnar transposition.

    The text is written in rows under the keyword, and its columns are read in the
    alphabetical order of the keyword's letters; equal letters count from the left. The
    last row can be shorter.

    Args:
        length: Characters of the text, at least 2.
        keyword: At least one letter.
    """
    width = len(keyword)
    columns = sorted(range(width), key=keyword.__getitem__)
    return Transposition([i for c in columns for i in range(c, length, width)])
