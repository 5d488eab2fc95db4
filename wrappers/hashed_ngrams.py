"""Encode texts as vectors of fixed length."""

from __future__ import annotations

import re
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from aq_gym.support.arguments import check_type

_WORD = re.compile(r"\w+")
_MOST_CACHED = 20_000


class HashedNgrams:
    """Encodes a text as hashed counts of its words and their sequences.

    Each n-gram of lower-case words adds 1 or -1 to one element, both decided by its
    CRC-32 (Weinberger et al., "Feature Hashing for Large Scale Multitask Learning",
    ICML 2009); then the vector is scaled to length 1. A text without words gives zeros.

    Args:
        size: The length of the vectors, at least 1.
        longest: The largest number of words in an n-gram, at least 1.

    Raises:
        TypeError: If an argument is not an int.
        ValueError: If an argument is below 1.
    """

    def __init__(self, size: int = 256, longest: int = 2) -> None:
        for name, value in (("size", size), ("longest", longest)):
            check_type(name, value, int, "an int")
            if value < 1:
                raise ValueError(f"{name}={value} must be at least 1")
        self.size = size
        self.longest = longest
        self._cache: dict[str, NDArray[np.float32]] = {}

    def __call__(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a text: read-only float32 of shape ``(size,)``.

        Args:
            text: Any text.

        Raises:
            TypeError: If it is not a str.
        """
        found = self._cache.get(text)
        if found is None:
            check_type("text", text, str, "a str")
            if len(self._cache) >= _MOST_CACHED:
                self._cache.clear()
            found = self._cache[text] = self._encode(text)
            found.flags.writeable = False
        return found

    def __getstate__(self) -> dict[str, Any]:
        """Exclude the cache."""
        return {**self.__dict__, "_cache": {}}

    def _encode(self, text: str) -> NDArray[np.float32]:
        words = _WORD.findall(text.lower())
        vector = np.zeros(self.size, np.float32)
        for length in range(1, self.longest + 1):
            for start in range(len(words) - length + 1):
                ngram = " ".join(words[start : start + length])
                code = crc32(ngram.encode(errors="replace"))
                vector[(code >> 1) % self.size] += 1.0 if code & 1 else -1.0
        norm = float(np.linalg.norm(vector))
        return vector / np.float32(norm) if norm else vector
