"""Columns of values of many environments, which become arrays together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from aq_gym.vector.packing import pack
from aq_gym.vector.unlike import UnlikeError

__all__ = ["Columns", "Some", "kind_of", "some"]

_TEXT = frozenset({str, type(None)})
# For each type of a column, the value of environments that have none.
_FILLS: dict[type[Any], Any] = {float: 0.0, int: 0, bool: False, str: None}


class Some(NamedTuple):
    """Some of the environments.

    Attributes:
        places: Their indices; None for all in order.
        mask: A byte for each environment, 1 for these and 0 for the others.
    """

    places: Sequence[int] | None
    mask: bytes

    def without(self, places: Sequence[int]) -> bytes:
        """Return the mask without some of these environments.

        Args:
            places: The indices of those.
        """
        mask = bytearray(self.mask)
        for place in places:
            mask[place] = 0
        return bytes(mask)


def some(places: Sequence[int] | None, num_envs: int) -> Some:
    """Return some of the environments, with their mask.

    Args:
        places: Their indices; None for all in order.
        num_envs: The number of all environments.
    """
    if places is None:
        return Some(None, b"\1" * num_envs)
    mask = bytearray(num_envs)
    for place in places:
        mask[place] = 1
    return Some(places, bytes(mask))


def kind_of(value: object) -> type[Any] | None:
    """Return the type of the column that a value belongs to; None if there is none.

    Args:
        value: The value.
    """
    kind = str if value is None else type(value)
    return kind if kind in _FILLS else None


class Columns:
    """Collects columns of an info with their masks, and makes arrays of them.

    All columns of a type become the lines of one array at once, which takes a fraction
    of the time of an array for each.

    Args:
        num_envs: The number of environments, the length of each array.
    """

    def __init__(self, num_envs: int) -> None:
        self._num_envs = num_envs
        self._columns: dict[type[Any], tuple[list[str], list[Any]]] = {
            kind: ([], []) for kind in _FILLS
        }
        self._mask_keys: list[str] = []
        self._masks: list[bytes] = []

    def add(
        self,
        key: str,
        kind: type[Any],
        values: Sequence[Any],
        given: Some,
        mask: bytes | None = None,
    ) -> None:
        """Add a column.

        Args:
            key: Its key in the info.
            kind: The type of its values; text can be None.
            values: The values.
            given: The environments that have these values.
            mask: The mask, if some of the values do not count.

        Raises:
            UnlikeError: If a value is not text, but should be.
        """
        if kind is str and not set(map(type, values)) <= _TEXT:
            raise UnlikeError
        keys, lines = self._columns[kind]
        keys.append(key)
        if given.places is None:
            lines += values
        else:
            line = [_FILLS[kind]] * self._num_envs
            for place, value in zip(given.places, values, strict=True):
                line[place] = value
            lines += line
        self.add_mask(key, given.mask if mask is None else mask)

    def add_mask(self, key: str, mask: bytes) -> None:
        """Add a mask.

        Args:
            key: The key that has the mask.
            mask: A byte for each environment, 1 for those that have a value.
        """
        self._mask_keys.append(f"_{key}")
        self._masks.append(mask)

    def arrays(self, others: Sequence[Any] = ()) -> tuple[dict[str, Any], bytes]:
        """Return the info, and a byte for each of other flags.

        Args:
            others: Flags that are not in a column.

        Raises:
            UnlikeError: If a value is not of the type of its column.
        """
        (floats, ints, flags, texts) = (lines for _, lines in self._columns.values())
        packed = pack(floats, ints, flags, others)
        own = bytearray(packed.flags[: len(flags)]) + b"".join(self._masks)
        truth = np.frombuffer(own, dtype=np.bool_)
        info: dict[str, Any] = {}
        for keys, lines in (
            (self._columns[float][0], packed.floats),
            (self._columns[int][0], packed.ints),
            ([*self._columns[bool][0], *self._mask_keys], truth),
            (self._columns[str][0], np.fromiter(texts, object, len(texts))),
        ):
            info.update(zip(keys, lines.reshape(-1, self._num_envs), strict=True))
        return info, packed.flags[len(flags) :]
