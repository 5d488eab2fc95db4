"""Merging dicts of flags, such as the subgoals, of many environments."""

from __future__ import annotations

import marshal
from collections.abc import Sequence
from itertools import compress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["FlagMerger", "UnlikeError", "check_key", "flags_of"]

_Names = tuple[str, ...]

# Environments whose names change for ever must not fill the memory.
_MOST_KNOWN = 4096
# The bytes of True and False in a marshalled list become 1 and 0, all others 2.
_TRUTH = bytes({ord("T"): 1, ord("F"): 0}.get(code, 2) for code in range(256))
_HEADER = len(marshal.dumps([], 2))


class UnlikeError(Exception):
    """Raised if infos must be merged in Gymnasium's way.

    This is if values of a key have different types, or a key could be that of a mask.
    """


def check_key(key: object) -> None:
    """Raise if a key could be that of a mask.

    Args:
        key: The key.

    Raises:
        UnlikeError: If it is not a str, or begins with an underscore.
    """
    if type(key) is not str or key[:1] == "_":
        raise UnlikeError


def flags_of(values: Any) -> bytes | None:
    """Return a byte, 0 or 1, for each value, or None if a value is not a bool.

    Marshalling a list finds out in half the time of looking at each type: only
    singletons such as True are a single byte.

    Args:
        values: A list of the values.
    """
    try:
        codes = marshal.dumps(values, 2)[_HEADER:].translate(_TRUTH)
    except ValueError:
        return None
    return codes if len(codes) == len(values) and b"\2" not in codes else None


class _Layout(NamedTuple):
    """Where flags belong in the array whose lines are those of names and masks.

    Attributes:
        given: The names of each environment's flags.
        places: The index of each environment.
        parts: The positions of each environment's flags in the array, as bytes.
        where: All these positions.
        template: The array with the masks and without the flags.
        used: Whether each line is used, None if all are.
    """

    given: Sequence[_Names]
    places: Sequence[int]
    parts: list[bytes]
    where: NDArray[np.intp]
    template: NDArray[np.bool_]
    used: list[bool] | None


class FlagMerger:
    """Merges dicts of bool into dicts of arrays with masks.

    Most environments of a vector have other flags than their neighbours, but the same
    from step to step of an episode, so the layout of the last step is kept.

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
        # The positions of flags in the array, for the first environment and for each.
        self._starts: dict[_Names, NDArray[np.intp]] = {}
        self._known: dict[tuple[_Names, int], bytes] = {}
        self._layout = _Layout([], (), [], *_empty(self._num_envs), None)

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
        changed: Sequence[int] = (),
    ) -> dict[str, Any] | None:
        """Return the merged flags, or None if a value is not a bool.

        Args:
            given: The names of each environment's flags.
            values: All values, one after the other.
            places: The index of each environment, None for all in order.
            changed: The indices of those whose names are probably not those of the
                last call. Naming them here saves the time of finding that out.

        Raises:
            UnlikeError: If a name could be that of a mask or of an observation.
        """
        flags = flags_of(values)
        if flags is None:
            return None
        if places is None:
            places = self._everyone
        layout = self._layout
        if layout.given != given or layout.places != places:
            layout = self._layout = self._laid_out(given, places, changed)
        lines = layout.template.copy()
        lines.reshape(-1)[layout.where] = np.frombuffer(flags, dtype=np.bool_)
        # A call that raised may have added lines after this layout was made.
        named = zip(self._lines, lines, strict=False)
        return dict(named if layout.used is None else compress(named, layout.used))

    def _laid_out(
        self, given: Sequence[_Names], places: Sequence[int], changed: Sequence[int]
    ) -> _Layout:
        if len(self._known) > _MOST_KNOWN:
            self._forget()
        parts = self._parts(given, places, changed)
        where = np.frombuffer(b"".join(parts), dtype=np.intp)
        template = np.zeros((len(self._lines), self._num_envs), dtype=np.bool_)
        template.reshape(-1)[where + self._num_envs] = True
        used: list[bool] = np.logical_or.reduce(template[1::2], axis=1).tolist()
        chosen = None if all(used) else [one for one in used for _ in range(2)]
        return _Layout(given, places, parts, where, template, chosen)

    def _parts(
        self, given: Sequence[_Names], places: Sequence[int], changed: Sequence[int]
    ) -> list[bytes]:
        last = self._layout
        if last.places != places:
            return list(map(self._part, given, places))
        before, parts = list(last.given), list(last.parts)
        for number in changed:
            before[number] = given[number]
            parts[number] = self._part(given[number], places[number])
        if before == given:
            return parts
        return [
            part if names == earlier else self._part(names, place)
            for names, place, earlier, part in zip(
                given, places, before, parts, strict=True
            )
        ]

    def _part(self, names: _Names, place: int) -> bytes:
        """Return the positions of flags in the array, as bytes."""
        part = self._known.get((names, place))
        if part is None:
            starts = self._starts.get(names)
            if starts is None:
                found = [self._line(name) * self._num_envs for name in names]
                starts = self._starts[names] = np.array(found, dtype=np.intp)
            part = self._known[names, place] = (starts + place).tobytes()
        return part

    def _line(self, name: str) -> int:
        line = self._line_of.get(name)
        if line is None:
            check_key(name)
            if name == "final_obs":
                raise UnlikeError
            line = self._line_of[name] = len(self._lines)
            self._lines += name, f"_{name}"
        return line


def _empty(num_envs: int) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    return np.zeros(0, dtype=np.intp), np.zeros((0, num_envs), dtype=np.bool_)
