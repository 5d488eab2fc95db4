"""Merging flags whose names are the first ones of one list of names.

The positions of a word are such: "position 1", "position 2" and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from aq_gym.vector.unlike import check_name

__all__ = ["PrefixFlags", "arrays_of"]

_Names = tuple[str, ...]

# A row of flags is filled up with this byte. The tables turn a row's bytes into flags
# and into masks.
_NONE = b"\2"
_FLAG_OF = bytes.maketrans(b"\0\1\2", b"\0\1\0")
_MASK_OF = bytes.maketrans(b"\0\1\2", b"\1\1\0")


class PrefixFlags:
    """Merges flags into a dict of arrays with masks.

    The rows of flags, filled up to the length of the longest, are a table of bytes
    whose columns are the arrays.

    Args:
        num_envs: The number of environments, the length of each array.
    """

    def __init__(self, num_envs: int) -> None:
        self._num_envs = num_envs
        # The names of each length; longer ones begin with all shorter ones.
        self._known: dict[int, _Names] = {}
        # Whether there were names of another form: then there probably will be again.
        self._has_others = False
        # The last names, and the longest of them.
        self._last: tuple[Sequence[_Names], _Names] = (), ()

    def merged(
        self,
        names: Sequence[_Names],
        rows: Sequence[bytes],
        places: Sequence[int] | None,
    ) -> dict[str, Any] | None:
        """Return the merged flags, or None if the names are not of this form.

        Args:
            names: The names of each environment's flags.
            rows: A byte for each of its flags, 0 or 1.
            places: The index of each environment; None for all in order.

        Raises:
            UnlikeError: If a name could be that of a mask or of an observation.
        """
        longest = () if self._has_others else self._longest(names, places)
        if not longest:
            return None
        width = len(longest)
        if places is not None:
            everyone = [_NONE * width] * self._num_envs
            for place, row in zip(places, rows, strict=True):
                everyone[place] = row.ljust(width, _NONE)
            rows = everyone
        table = b"".join(rows)
        if len(table) < width * self._num_envs:
            table = b"".join([row.ljust(width, _NONE) for row in rows])
        return arrays_of(table, longest, self._num_envs)

    def _longest(self, names: Sequence[_Names], places: Sequence[int] | None) -> _Names:
        """Return the longest names; () if others are not the first of them."""
        # Comparing tuples is fast if their items are the same objects.
        if names == self._last[0]:
            return self._last[1]
        sizes = [*map(len, names)]
        if [*map(self._known.get, sizes)] != [*names] and not self._learn(names):
            return ()
        longest = self._known[max(sizes)]
        if places is None:
            self._last = names, longest
        return longest

    def _learn(self, names: Sequence[_Names]) -> bool:
        """Remember names; return whether longer ones begin with all shorter ones."""
        everything = *self._known.values(), *names
        longest = max(everything, key=len)
        if any(one != longest[: len(one)] for one in everything):
            self._has_others = True
            return False
        self._known = {len(one): one for one in everything}
        return True


def arrays_of(table: bytes, names: _Names, num_envs: int) -> dict[str, Any]:
    """Return the columns of a table of flags as arrays, and their masks.

    Args:
        table: For each environment a byte for each name: 0, 1, or 2 for no flag.
        names: The names.
        num_envs: The number of environments.

    Raises:
        UnlikeError: If a name could be that of a mask or of an observation.
        ValueError: If the table has more or fewer bytes.
    """
    width = len(names)
    if len(table) != width * num_envs:
        raise ValueError(
            f"subgoals {names!r:.200} of {num_envs} environments have {len(table)} "
            "bytes: _subgoal_parts() must return one for each name"
        )
    columns = b"".join([table[number::width] for number in range(width)])
    lines = bytearray(columns.translate(_FLAG_OF) + columns.translate(_MASK_OF))
    arrays = np.frombuffer(lines, np.bool_).reshape(2 * width, num_envs)
    return dict(zip(_keys(names), arrays, strict=True))


@lru_cache
def _keys(names: _Names) -> tuple[str, ...]:
    """Return the keys of the arrays and their masks."""
    for name in names:
        check_name(name)
    return *names, *(f"_{name}" for name in names)
