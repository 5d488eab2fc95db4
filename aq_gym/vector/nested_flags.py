"""Merging flags of which each environment has the first ones, some more than others.

The positions of a word are such flags: "position 1", "position 2" and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from aq_gym.vector.unlike import check_name

__all__ = ["NestedFlags"]

_Names = tuple[str, ...]


class NestedFlags:
    """Merges flags into a dict of arrays with masks.

    The flags of an environment, filled up to the length of the longest, are a row of a
    table of bytes whose columns are the arrays.

    Args:
        num_envs: The number of environments, the length of each array.
    """

    def __init__(self, num_envs: int) -> None:
        self._num_envs = num_envs
        # The names of each length; longer ones begin with all shorter ones.
        self._known: dict[int, _Names] = {}

    def merged(
        self,
        names: Sequence[_Names],
        flags: Sequence[bytes],
        places: Sequence[int] | None,
    ) -> dict[str, Any] | None:
        """Return the merged flags, or None if the names are not the first ones of all.

        Args:
            names: The names of each environment's flags.
            flags: A byte for each of its flags, 0 or 1.
            places: The index of each environment, None for all in order.

        Raises:
            UnlikeError: If a name could be that of a mask or of an observation.
        """
        sizes = [*map(len, flags)]
        # Names that environments share are compared in no time.
        if [*map(self._known.get, sizes)] != [*names] and not self._learn(names):
            return None
        width = max(sizes)
        if places is not None:
            rows = [b""] * self._num_envs
            for place, row in zip(places, flags, strict=True):
                rows[place] = row
            flags, sizes = rows, [*map(len, rows)]
        table = b"".join([row.ljust(width, b"\0") for row in flags])
        lines = np.empty((2 * width, self._num_envs), dtype=np.bool_)
        lines[:width] = np.frombuffer(table, np.bool_).reshape(self._num_envs, width).T
        np.less.outer(np.arange(width), np.fromiter(sizes, int), out=lines[width:])
        return dict(zip(_keys(self._known[width]), lines, strict=True))

    def _learn(self, names: Sequence[_Names]) -> bool:
        """Note names; return whether longer ones begin with all shorter ones."""
        everything = *self._known.values(), *names
        longest = max(everything, key=len)
        is_nested = all(one == longest[: len(one)] for one in everything)
        # Otherwise the next ones need not agree with these.
        self._known = {len(one): one for one in everything} if is_nested else {}
        return is_nested


@lru_cache
def _keys(names: _Names) -> tuple[str, ...]:
    """Return the keys of the arrays and their masks."""
    for name in names:
        check_name(name)
    return *names, *(f"_{name}" for name in names)
