"""Merging dicts of flags, such as the subgoals, of many environments."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from operator import ne
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from aq_gym.vector.columns import flags_of
from aq_gym.vector.unlike import UnlikeError, check_key

__all__ = ["FlagMerger"]

_Names = tuple[str, ...]

# Environments whose names change for ever must not fill the memory.
_MOST_KNOWN = 4096
# Lines of names that are not used any more take time; this many times those that are.
_MOST_UNUSED = 4


class _Layout(NamedTuple):
    """Where flags belong in the array whose lines are those of names and masks.

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
    """Merges dicts of bool into dicts of arrays with masks.

    Most environments of a vector have other flags than their neighbours, but the same
    from step to step of an episode, so what was found out about the last flags of each
    environment is kept.

    Args:
        num_envs: The number of environments, the length of each array.
    """

    def __init__(self, num_envs: int) -> None:
        self._num_envs = num_envs
        self._everyone = range(num_envs)
        self._forget()

    def _forget(self) -> None:
        # The name of each line of the array: that of a flag, and that of its mask.
        self._lines: list[str] = []
        self._line_of: dict[str, int] = {}
        # The positions of flags in the array, for the first environment, as bytes.
        self._starts: dict[_Names, bytes] = {}
        # The last names of each environment, and their positions.
        self._names: list[_Names] = [()] * self._num_envs
        self._parts: list[bytes] = [b""] * self._num_envs
        # The layout of all environments with these names.
        self._layout: _Layout | None = None

    def merged(
        self, dicts: Sequence[dict[str, Any]], places: Sequence[int] | None
    ) -> dict[str, Any] | None:
        """Return the merged flags, or None if a value is not a bool.

        Args:
            dicts: The dicts, at least one.
            places: The index of the environment of each, None for all in order.

        Raises:
            UnlikeError: If a name could be that of a mask or of an observation.
        """
        values: list[Any] = []
        extend = values.extend
        for one in dicts:
            extend(one.values())
        return self.merged_lists(list(map(tuple, dicts)), values, places)

    def merged_lists(
        self,
        given: Sequence[_Names],
        values: Sequence[Any],
        places: Sequence[int] | None,
    ) -> dict[str, Any] | None:
        """Return the merged flags, or None if a value is not a bool.

        Args:
            given: The names of each environment's flags.
            values: All values, one after the other.
            places: The index of each environment, None for all in order.

        Raises:
            UnlikeError: If a name could be that of a mask or of an observation.
        """
        flags = flags_of(values)
        if flags is None:
            return None
        if len(self._starts) > _MOST_KNOWN:
            self._forget()
        if places is None:
            layout = self._layout_of_all(given)
        else:
            self._learn(given, places)
            layout = self._laid_out(places)
        lines = layout.template.copy()
        lines.reshape(-1)[layout.where] = np.frombuffer(flags, dtype=np.bool_)
        if layout.used is not None:
            lines = lines[layout.used]
        return dict(zip(layout.names, lines, strict=True))

    def _layout_of_all(self, given: Sequence[_Names]) -> _Layout:
        changed = [*compress(self._everyone, map(ne, given, self._names))]
        if changed:
            self._learn([given[place] for place in changed], changed)
        if self._layout is None:
            self._layout = self._laid_out(self._everyone)
            if len(self._lines) > _MOST_UNUSED * len(self._layout.names):
                self._forget()
                return self._layout_of_all(given)
        return self._layout

    def _learn(self, given: Sequence[_Names], places: Sequence[int]) -> None:
        """Note the names of environments."""
        for names, place in zip(given, places, strict=True):
            if names != self._names[place]:
                self._parts[place] = self._start(names)
                self._names[place] = names
                self._layout = None

    def _laid_out(self, places: Sequence[int]) -> _Layout:
        parts = [self._parts[place] for place in places]
        sizes = [len(self._names[place]) for place in places]
        where = np.frombuffer(b"".join(parts), dtype=np.intp)
        where = where + np.repeat(places, sizes)
        template = np.zeros((len(self._lines), self._num_envs), dtype=np.bool_)
        template.reshape(-1)[where + self._num_envs] = True
        used = np.logical_or.reduce(template[1::2], axis=1)
        if used.all():
            return _Layout(where, template, list(self._lines), None)
        used = np.repeat(used, 2)
        return _Layout(where, template, [*compress(self._lines, used)], used)

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
            check_key(name)
            if name == "final_obs":
                raise UnlikeError
            line = self._line_of[name] = len(self._lines)
            self._lines += name, f"_{name}"
        return line
