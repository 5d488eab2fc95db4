"""Longest common subsequences of a text with many others, in numpy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from aq_gym.wrappers._bounds import Where
from aq_gym.wrappers._columns import Columns
from aq_gym.wrappers._letters import Letters, Numbers

# The positions of a text's letters of a class are the bits of a machine word. If there
# are this many on average, few texts have more than fit.
CLASS_LENGTH = 60
_BITS = 64


class Lanes:
    """Texts, reduced to each class, that are compared with another one all at once.

    Hyyro's algorithm ("Bit-parallel LCS-length computation revisited", 2004) takes four
    operations on a machine word for each letter of the other text. Here each operation
    is a call of numpy for all texts.
    """

    def __init__(self, letters: Letters) -> None:
        """Start without texts.

        Args:
            letters: The classes.
        """
        self._starts = letters.starts
        # For each letter and text the positions of the letter within its class.
        self._positions = Columns(letters.starts[-1], np.uint64)
        # For each class and text the number of letters after the last position.
        self._beyond = Columns(len(letters.starts) - 1, np.uint16)

    def add(self, parts: Sequence[Numbers]) -> None:
        """Add a text.

        Args:
            parts: Its letters of each class.
        """
        positions = np.zeros(self._starts[-1], np.uint64)
        for part in parts:
            head = part[:_BITS]
            np.bitwise_or.at(positions, head, _POSITION[: len(head)])
        self._positions.append(positions)
        self._beyond.append([max(0, len(part) - _BITS) for part in parts])

    def longest(self, k: int, part: Numbers, where: Where) -> Numbers:
        """Return upper bounds of the lengths of the longest common subsequences.

        Args:
            k: The class.
            part: The letters of this class of another text.
            where: The texts to compare with it.
        """
        start, end = self._starts[k : k + 2]
        positions = list(self._positions.values[start:end, where])
        free = np.full(len(positions[0]), ~np.uint64(0))
        taken, total = np.empty_like(free), np.empty_like(free)
        for letter in (part - start).tolist():
            np.bitwise_and(free, positions[letter], taken)
            np.add(free, taken, total)
            np.bitwise_xor(free, taken, free)
            np.bitwise_or(free, total, free)
        return _count_bits(~free) + self._beyond.values[k, where]


_POSITION = np.uint64(1) << np.arange(_BITS, dtype=np.uint64)


def _count_bits(words: Numbers) -> Numbers:
    # numpy.bitwise_count needs numpy 2.
    words = words - (words >> np.uint64(1) & np.uint64(0x5555555555555555))
    pairs = np.uint64(0x3333333333333333)
    words = (words & pairs) + (words >> np.uint64(2) & pairs)
    words = words + (words >> np.uint64(4)) & np.uint64(0x0F0F0F0F0F0F0F0F)
    counts: Numbers = words * np.uint64(0x0101010101010101) >> np.uint64(56)
    return counts.astype(np.uint16)
