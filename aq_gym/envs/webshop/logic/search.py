"""Ranked search: BM25 with Lucene's formula and the parameters of pyserini."""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Index", "words"]

_K1, _B = 0.9, 0.4
_WORD = re.compile(r"\w+")
_STOP = frozenset(
    "a an and are as at be but by for if in into is it no not of on or such that the "
    "their then there these they this to was will with".split()
)


def words(text: str) -> list[str]:
    """Return the words of a text that are searched: lower case, without a plural s.

    Args:
        text: Any text.
    """
    found = _WORD.findall(text.lower())
    return [_singular(word) for word in found if word not in _STOP]


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


class Index:
    """The score of every word in every document, computed in advance.

    Args:
        vocabulary: The number of each word.
        starts: Where the entries of each word begin, and the end of the last.
        documents: The document of each entry.
        scores: The score of each entry.
        size: The number of documents.
    """

    def __init__(
        self,
        vocabulary: dict[str, int],
        starts: NDArray[Any],
        documents: NDArray[Any],
        scores: NDArray[Any],
        size: int,
    ) -> None:
        self.vocabulary = vocabulary
        self.starts = starts
        self.documents = documents
        self.scores = scores
        self.size = size

    @classmethod
    def build(cls, texts: Iterable[str]) -> Index:
        """Make the index of documents.

        Args:
            texts: The documents.
        """
        vocabulary: dict[str, int] = {}
        terms, lengths = array("i"), array("i")
        for text in texts:
            found = words(text)
            terms.extend([vocabulary.setdefault(w, len(vocabulary)) for w in found])
            lengths.append(len(found))
        size, count = len(lengths), np.asarray(lengths, dtype=np.int64)
        owner = np.repeat(np.arange(size, dtype=np.int64), count)
        # Sorted by word, then by document.
        keys = np.asarray(terms, dtype=np.int64) * max(size, 1) + owner
        keys, frequency = np.unique(keys, return_counts=True)
        term, document = np.divmod(keys, max(size, 1))
        having = np.bincount(term, minlength=len(vocabulary))
        rarity = np.array([math.log1p((size - n + 0.5) / (n + 0.5)) for n in having])
        mean = max(float(count.mean()), 1.0) if size else 1.0
        damped = frequency + _K1 * (1 - _B + _B * count[document] / mean)
        scores = (rarity[term] * frequency / damped).astype(np.float32)
        starts = np.concatenate(([0], np.cumsum(having)))
        return cls(vocabulary, starts, document.astype(np.int32), scores, size)

    def search(self, query: str, most: int) -> list[int]:
        """Return the best documents that have a word of a query, the best first.

        Those of equal scores are in the order of the documents.

        Args:
            query: Any text.
            most: The largest number of results.
        """
        numbers = (self.vocabulary.get(word) for word in words(query))
        parts = [
            slice(self.starts[n], self.starts[n + 1]) for n in numbers if n is not None
        ]
        if not parts:
            return []
        documents = np.concatenate([self.documents[part] for part in parts])
        weights = np.concatenate([self.scores[part] for part in parts])
        totals = np.bincount(documents, weights, self.size)
        found = np.flatnonzero(totals)
        if len(found) > most:
            least = np.partition(totals[found], -most)[-most]
            found = found[totals[found] >= least]
        ranked = found[np.argsort(-totals[found], kind="stable")]
        return [int(document) for document in ranked[:most]]
