"""Upper bounds of longest common subsequences, from texts reduced to some letters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cdist

from aq_gym.wrappers._bounds import Bounds, chosen
from aq_gym.wrappers._lanes import Lanes
from aq_gym.wrappers._letters import Letters, Numbers, Partition

# From this number of texts on, lanes take less time than rapidfuzz.
_MANY = 1_500
# If a larger share of the texts stays near, the bounds take more time than they save.
# They are then tried again with every so many texts only.
_MOST_KEPT = 0.5
_TRIED_AGAIN = 16


class Reductions:
    """Lowers bounds by comparing texts that are reduced to groups of letters.

    For example, texts reduced to half of their letters are compared in about a quarter
    of the time that whole texts take.

    Attributes:
        helps: Whether this saved time when it was tried last.
    """

    def __init__(
        self,
        letters: Letters,
        groups: Sequence[int],
        few: int,
        lanes: Lanes | None = None,
    ) -> None:
        """Start without texts.

        Args:
            letters: The classes of letters.
            groups: The first class of each group, and at the end the number of classes.
            few: The number of texts up to which it takes less time to compare them as a
                whole.
            lanes: Lanes without texts, if each group is a class.
        """
        self._groups = list(pairwise(groups))
        self._partition = Partition([letters.starts[k] for k in groups])
        self._texts: list[list[str]] = [[] for _ in self._groups]
        self._few = few
        self._lanes = lanes
        self.helps = True
        self._skipped = 0

    def split(self, numbers: Numbers) -> list[Numbers]:
        """Return the letters of each group, in the order of the text.

        Args:
            numbers: The letters of the text.
        """
        return self._partition.split(numbers)

    def add(self, parts: Sequence[Numbers]) -> None:
        """Add a text.

        Args:
            parts: Its letters of each group.
        """
        for texts, part in zip(self._texts, parts, strict=True):
            texts.append(_as_text(part))
        if self._lanes is not None:
            self._lanes.add(parts)

    def lower(self, parts: Sequence[Numbers], bounds: Bounds) -> None:
        """Lower the bounds of the texts' common subsequences with another text.

        Args:
            parts: The letters of each group of the other text.
            bounds: The bounds.
        """
        before = len(bounds.near)
        if before <= self._few:
            return
        if not self.helps and self._skipped < _TRIED_AGAIN:
            self._skipped += 1
            return
        for k, part in enumerate(parts):
            if len(bounds.near) > self._few:
                longest = self._longest(k, part, bounds)
                bounds.lower(bounds.where, longest, *self._groups[k])
        self.helps, self._skipped = len(bounds.near) <= _MOST_KEPT * before, 0

    def _longest(self, k: int, part: Numbers, bounds: Bounds) -> Numbers:
        """Return the longest common subsequences of some texts with a part."""
        if self._lanes is not None and len(bounds.near) >= _MANY:
            return self._lanes.longest(k, part, bounds.where)
        lengths: Numbers = cdist(
            [_as_text(part)],
            chosen(self._texts[k], bounds.where),
            scorer=LCSseq.similarity,
            dtype=np.uint16,
        )[0]
        return lengths


def _as_text(numbers: Numbers) -> str:
    return numbers.tobytes().decode("latin-1")
