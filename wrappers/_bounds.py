"""Upper bounds of the longest common subsequences of a text with many others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, TypeVar

import numpy as np

from aq_gym.wrappers._letters import Numbers

# From this share on, computing a bound for all texts takes less time than selecting.
_MOST = 0.6

Where: TypeAlias = Numbers | slice
Item = TypeVar("Item")


class Bounds:
    """For each text an upper bound of the length of its common subsequence with one.

    The bound is a sum over classes of letters, because a common subsequence of two
    texts, reduced to the letters of a class, is one of the reduced texts.

    Attributes:
        near: The indices of the texts whose bound is not below the length needed.
    """

    near: Numbers

    def __init__(self, by_class: Numbers, needed: Numbers) -> None:
        """Start with bounds of each class.

        Args:
            by_class: A bound for each class (row) and text (column); it is modified.
            needed: For each text the length that is needed.
        """
        self._by_class = by_class
        self._needed = needed
        self._total: Numbers = by_class.sum(axis=0, dtype=by_class.dtype)
        self._drop()

    @property
    def where(self) -> Where:
        """The texts to compute the next bounds for: the near ones, or all of them."""
        everywhere = len(self.near) >= _MOST * len(self._total)
        return slice(None) if everywhere else self.near

    def lower(self, where: Where, lengths: Numbers, first: int, end: int) -> None:
        """Lower the bounds of some classes, and drop the texts that are not near.

        Args:
            where: The texts.
            lengths: Upper bounds for these texts of the common subsequence that is
                reduced to the letters of these classes.
            first: The first class.
            end: The class after the last one.
        """
        classes = self._by_class[first:end]
        former = classes[:, where].sum(axis=0, dtype=classes.dtype)
        # Compared before the conversion, which may not be able to represent it.
        new = np.minimum(lengths, former).astype(classes.dtype)
        classes[:, where] = 0
        classes[0, where] = new
        self._total[where] -= former - new
        self._drop()

    def _drop(self) -> None:
        (self.near,) = np.nonzero(self._total >= self._needed)


def chosen(items: Sequence[Item], where: Where) -> Sequence[Item]:
    """Return the items at some indices.

    Args:
        items: The items.
        where: The indices, or a slice that selects all.
    """
    if isinstance(where, slice):
        return items
    return [items[index] for index in where.tolist()]
