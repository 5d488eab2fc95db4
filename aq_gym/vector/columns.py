"""Columns of values of many environments, which become arrays together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from aq_gym.vector.packing import pack_flags, pack_floats, pack_ints
from aq_gym.vector.unlike import UnlikeError

__all__ = ["Columns", "Selection", "kind_of"]

_Info: TypeAlias = dict[str, Any]
# Infos, and the keys of the arrays that are put into each.
_Targets: TypeAlias = list[tuple[_Info, Iterable[str]]]

_TEXT = frozenset({str, type(None)})
# For each type of a column, the value of environments that have none.
_FILLS: dict[type[Any], Any] = {float: 0.0, int: 0, bool: False, str: None}


class Selection(NamedTuple):
    """The environments that have values.

    Attributes:
        places: Their indices; None for all in order.
        mask: A byte for each environment, 1 for these and 0 for the others.
    """

    places: Sequence[int] | None
    mask: bytes

    @classmethod
    def of(cls, places: Sequence[int] | None, num_envs: int) -> Selection:
        """Return a selection with its mask.

        Args:
            places: The indices; None for all in order.
            num_envs: The number of all environments.
        """
        if places is None:
            return cls(None, b"\1" * num_envs)
        mask = bytearray(num_envs)
        for place in places:
            mask[place] = 1
        return cls(places, bytes(mask))

    def mask_without(self, places: Sequence[int]) -> bytes:
        """Return the mask without some of these environments.

        Args:
            places: The indices of those.
        """
        if not places:
            return self.mask
        mask = bytearray(self.mask)
        for place in places:
            mask[place] = 0
        return bytes(mask)


def kind_of(value: object) -> type[Any] | None:
    """Return the type of the column that a value belongs to; None if there is none.

    Args:
        value: The value.
    """
    kind = str if value is None else type(value)
    return kind if kind in _FILLS else None


class Columns:
    """Collects columns of infos with their masks, and makes arrays of them.

    The values of all keys of a type become one array at once, with a line for each key,
    which takes a fraction of the time of an array for each.

    Args:
        num_envs: The number of environments, the length of each array.
    """

    def __init__(self, num_envs: int) -> None:
        self._num_envs = num_envs
        self._values: dict[type[Any], list[Any]] = {kind: [] for kind in _FILLS}
        self._targets: dict[type[Any], _Targets] = {kind: [] for kind in _FILLS}
        self._masks: list[bytes] = []
        self._mask_targets: _Targets = []

    def add(
        self,
        info: _Info,
        kind: type[Any],
        columns: Mapping[str, Sequence[Any]],
        selection: Selection,
    ) -> None:
        """Add columns of a type.

        Args:
            info: The info that their arrays are put into.
            kind: The type of the values; text can be None.
            columns: The values of each key.
            selection: The environments that have them.

        Raises:
            UnlikeError: If a value is not text, but should be.
        """
        self._targets[kind].append((info, columns))
        lines = self._values[kind]
        for values in columns.values():
            if kind is str and not set(map(type, values)) <= _TEXT:
                raise UnlikeError
            if selection.places is None:
                lines += values
            else:
                line = [_FILLS[kind]] * self._num_envs
                for place, value in zip(selection.places, values, strict=True):
                    line[place] = value
                lines += line

    def add_masks(self, info: _Info, keys: Sequence[str], mask: bytes) -> None:
        """Add masks that are the same.

        Args:
            info: The info that their arrays are put into.
            keys: Their keys.
            mask: A byte for each environment, 1 for those that have a value.
        """
        self._mask_targets.append((info, keys))
        self._masks.append(mask * len(keys))

    def make(self) -> None:
        """Put the arrays into the infos.

        Raises:
            UnlikeError: If a value is not of the type of its column.
        """
        values, targets = self._values, self._targets
        flags, texts = bytearray(pack_flags(values[bool])), values[str]
        flags_and_masks = np.frombuffer(flags + b"".join(self._masks), np.bool_)
        self._put(targets[float], pack_floats(values[float]))
        self._put(targets[int], pack_ints(values[int]))
        self._put(targets[bool] + self._mask_targets, flags_and_masks)
        self._put(targets[str], np.fromiter(texts, object, len(texts)))

    def _put(self, targets: _Targets, values: NDArray[Any]) -> None:
        lines = iter(values.reshape(-1, self._num_envs))
        for info, keys in targets:
            info.update(zip(keys, lines, strict=False))
