"""Columns of values of many environments, which become arrays together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aq_gym.vector.packing import pack
from aq_gym.vector.unlike import UnlikeError

__all__ = ["Columns", "kind_of", "mask_of"]

_KINDS = frozenset({float, int, bool, str})
_TEXT = frozenset({str, type(None)})


def kind_of(value: object) -> type[Any] | None:
    """Return the type of the column that a value belongs to; None if there is none."""
    kind = str if value is None else type(value)
    return kind if kind in _KINDS else None


def mask_of(places: Iterable[int], num_envs: int) -> bytes:
    """Return a byte for each environment, 1 for some of them and 0 for the others.

    Args:
        places: The indices of those whose byte is 1.
        num_envs: The number of environments.
    """
    mask = bytearray(num_envs)
    for place in places:
        mask[place] = 1
    return bytes(mask)


class Columns:
    """Collects columns of an info with their masks, and makes arrays of them.

    All columns of a type become the lines of one array at once, which takes a fraction
    of the time of an array for each.

    Args:
        num_envs: The number of environments, the length of each array.
        places: The indices of those that have values; None for all in order.

    Attributes:
        mask: A byte for each environment, 1 for those that have values.
    """

    def __init__(self, num_envs: int, places: Sequence[int] | None) -> None:
        self._num_envs = num_envs
        self._places = None if places is None else np.array(places)
        self.mask = b"\1" * num_envs if places is None else mask_of(places, num_envs)
        self._keys: dict[type[Any], list[str]] = {kind: [] for kind in _KINDS}
        self._values: dict[type[Any], list[Any]] = {kind: [] for kind in _KINDS}
        self._mask_keys: list[str] = []
        self._masks: list[bytes] = []

    def add(
        self,
        key: str,
        kind: type[Any],
        values: Sequence[Any],
        mask: bytes | None = None,
    ) -> None:
        """Add a column.

        Args:
            key: Its key in the info.
            kind: The type of its values; text can be None.
            values: The values.
            mask: The mask, if some of these values do not count.
        """
        self._keys[kind].append(key)
        self._values[kind].extend(values)
        self.add_mask(key, mask)

    def add_mask(self, key: str, mask: bytes | None = None) -> None:
        """Add the mask of a key whose values are not in a column.

        Args:
            key: The key.
            mask: The mask, if it is not that of the other columns.
        """
        self._mask_keys.append(f"_{key}")
        self._masks.append(self.mask if mask is None else mask)

    def mask_without(self, places: Sequence[int]) -> bytes:
        """Return the mask without some of its environments.

        Args:
            places: The indices of these.
        """
        mask = bytearray(self.mask)
        for place in places:
            mask[place] = 0
        return bytes(mask)

    def arrays(self, others: Sequence[Any] = ()) -> tuple[dict[str, Any], bytes]:
        """Return the info, and a byte for each of other flags.

        Args:
            others: Flags that are not in a column.

        Raises:
            UnlikeError: If a value is not of the type of its column.
        """
        values = self._values
        flags = values[bool]
        packed = pack(values[float], values[int], flags, others)
        own = bytearray(packed.flags[: len(flags)])
        info = self.texts()
        self._update(info, float, packed.floats)
        self._update(info, int, packed.ints)
        self._update(info, bool, np.frombuffer(own, dtype=np.bool_))
        return info, packed.flags[len(flags) :]

    def texts(self) -> dict[str, Any]:
        """Return the columns of text and all masks.

        Raises:
            UnlikeError: If a value is not text.
        """
        masks = np.frombuffer(bytearray(b"".join(self._masks)), dtype=np.bool_)
        lines = masks.reshape(-1, self._num_envs)
        info: dict[str, Any] = dict(zip(self._mask_keys, lines, strict=True))
        values = self._values[str]
        if not set(map(type, values)) <= _TEXT:
            raise UnlikeError
        self._update(info, str, np.fromiter(values, object, len(values)))
        return info

    def _update(
        self, info: dict[str, Any], kind: type[Any], values: NDArray[Any]
    ) -> None:
        """Add the columns of a type to the info."""
        keys = self._keys[kind]
        if not keys:
            return
        lines = values.reshape(len(keys), -1)
        if self._places is not None:
            shape = len(keys), self._num_envs
            # 0 and False, or None, where there is no value.
            everyone = np.empty(shape, object) if kind is str else np.zeros(shape, kind)
            everyone[:, self._places] = lines
            lines = everyone
        info.update(zip(keys, lines, strict=True))
