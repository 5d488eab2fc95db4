"""Merging the flags, such as the subgoals, of many environments."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from operator import ne
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from aq_gym.core.results import SubgoalParts
from aq_gym.vector.packing import pack_flags
from aq_gym.vector.prefix_flags import PrefixFlags, arrays_of
from aq_gym.vector.unlike import check_name

__all__ = ["FlagMerger"]

_Names = tuple[str, ...]

# Environments whose names keep changing must not fill the memory.
_MOST_KNOWN = 4096
# Lines that no environment uses any more take time. All are made anew when there are
# more than this many times as many lines as are used.
_MOST_UNUSED = 4


class _Layout(NamedTuple):
    """Where flags belong in an array whose lines are those of all names, then masks.

    Attributes:
        where: The position of each flag in the array.
        template: The array with the masks and without the flags.
        names: The name of each line that is used.
        used: Whether each line is used, None if all are.
    """

    where: NDArray[np.intp]
    template: NDArray[np.bool_]
    names: list[str]
    used: NDArray[np.bool_] | None


class FlagMerger:
    """Merges flags, in dicts or in bytes, into dicts of arrays with masks.

    Most environments of a vector have other flags than their neighbours, but the same
    from step to step of an episode, so what was found out about the last flags of each
    environment is kept.

    Args:
        num_envs: The number of environments, the length of each array.
    """

    def __init__(self, num_envs: int) -> None:
        self._num_envs = num_envs
        self._everyone = range(num_envs)
        self._range = np.arange(num_envs)
        self._prefixes = PrefixFlags(num_envs)
        self._forget()

    def _forget(self) -> None:
        # The names of the lines, those of their masks, and the number of each.
        self._lines: list[str] = []
        self._masks: list[str] = []
        self._line_of: dict[str, int] = {}
        # The positions of flags in the array, for the first environment, as bytes.
        self._starts: dict[_Names, bytes] = {}
        # The last names of each environment, their positions and their number.
        self._names: list[_Names] = [()] * self._num_envs
        self._positions: list[bytes] = [b""] * self._num_envs
        self._sizes = np.zeros(self._num_envs, dtype=np.intp)
        # The layout of all environments with these names.
        self._layout: _Layout | None = None

    def merged(
        self,
        flags: Sequence[dict[str, bool] | SubgoalParts],
        places: Sequence[int] | None,
    ) -> dict[str, Any]:
        """Return the merged flags.

        Args:
            flags: The flags of each environment, all as dicts or all as names and
                bytes.
            places: The index of each environment, None for all in order.

        Raises:
            UnlikeError: If a value is not of type bool, or a name could be that of a
                mask or of an observation.
        """
        given: Sequence[_Names]
        if isinstance(flags[0], tuple):
            given, rows = zip(*flags, strict=True)
            merged = self._prefixes.merged(given, rows, places)
            if merged is not None:
                return merged
            values = b"".join(rows)
        else:
            given, values = _names_and_values(flags)
        try:
            return self._merged(given, values, places)
        except BaseException:
            # What it learned may be half noted, if this is an interrupt.
            self._forget()
            raise

    def _merged(
        self, given: Sequence[_Names], flags: bytes, places: Sequence[int] | None
    ) -> dict[str, Any]:
        if len(self._starts) > _MOST_KNOWN:
            self._forget()
        if places is None and given.count(given[0]) == len(given):
            return arrays_of(flags, given[0], self._num_envs)
        if places is None:
            layout = self._layout_of_all(given)
        else:
            self._learn(given, places)
            layout = self._laid_out(places)
        array = layout.template.copy()
        array[layout.where] = np.frombuffer(flags, dtype=np.bool_)
        lines = array.reshape(-1, self._num_envs)
        if layout.used is not None:
            lines = lines[layout.used]
        return dict(zip(layout.names, lines, strict=True))

    def _layout_of_all(self, given: Sequence[_Names]) -> _Layout:
        changed = [*compress(self._everyone, map(ne, given, self._names))]
        if changed:
            self._learn([given[place] for place in changed], changed)
        if self._layout is None:
            self._layout = self._laid_out(None)
            if 2 * len(self._lines) > _MOST_UNUSED * len(self._layout.names):
                self._forget()
                return self._layout_of_all(given)
        return self._layout

    def _learn(self, given: Sequence[_Names], places: Sequence[int]) -> None:
        """Note the names of environments."""
        for names, place in zip(given, places, strict=True):
            if names != self._names[place]:
                self._positions[place] = self._start(names)
                self._names[place] = names
                self._sizes[place] = len(names)
                self._layout = None

    def _start(self, names: _Names) -> bytes:
        """Return the positions of the first environment's flags, as bytes."""
        start = self._starts.get(names)
        if start is None:
            found = [self._line(name) * self._num_envs for name in names]
            start = self._starts[names] = np.array(found, dtype=np.intp).tobytes()
        return start

    def _line(self, name: str) -> int:
        line = self._line_of.get(name)
        if line is None:
            check_name(name)
            line = self._line_of[name] = len(self._lines)
            self._lines.append(name)
            self._masks.append(f"_{name}")
        return line

    def _laid_out(self, places: Sequence[int] | None) -> _Layout:
        parts, sizes = self._positions, self._sizes
        if places is not None:
            parts, sizes = [parts[place] for place in places], sizes[places]
        where = np.frombuffer(b"".join(parts), dtype=np.intp)
        where = where + np.repeat(self._range if places is None else places, sizes)
        half = len(self._lines) * self._num_envs
        template = np.zeros(2 * half, dtype=np.bool_)
        masks = template[half:]
        masks[where] = True
        used = np.logical_or.reduce(masks.reshape(-1, self._num_envs), axis=1)
        if used.all():
            return _Layout(where, template, self._lines + self._masks, None)
        names = [*compress(self._lines, used), *compress(self._masks, used)]
        return _Layout(where, template, names, np.concatenate((used, used)))


def _names_and_values(dicts: Sequence[Any]) -> tuple[list[_Names], bytes]:
    values: list[Any] = []
    extend = values.extend
    for one in dicts:
        extend(one.values())
    return list(map(tuple, dicts)), pack_flags(values)
