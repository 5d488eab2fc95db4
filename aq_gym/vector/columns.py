"""Columns of values of many environments, which become arrays together."""

from __future__ import annotations

import marshal
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aq_gym.vector.unlike import UnlikeError

__all__ = ["Columns", "flags_of", "kind_of", "mask_of"]

# The value of an environment without the key, for each type of values.
_FILLS: dict[type[Any], Any] = {float: 0.0, int: 0, bool: False, str: None}
_TEXT = frozenset({str, type(None)})
# The bytes of True and False in a marshalled list become 1 and 0, all others 2.
_TRUTH = bytes({ord("T"): 1, ord("F"): 0}.get(code, 2) for code in range(256))
_HEADER = len(marshal.dumps([], 2))


def kind_of(value: object) -> type[Any] | None:
    """Return the type of the column that a value belongs to; None if there is none."""
    kind = str if value is None else type(value)
    return kind if kind in _FILLS else None


def mask_of(places: Collection[int], num_envs: int) -> bytes | bytearray:
    """Return a byte for each environment, 1 for some of them and 0 for the others.

    Args:
        places: The indices of those whose byte is 1.
        num_envs: The number of environments.
    """
    mask = bytearray(num_envs)
    for place in places:
        mask[place] = 1
    return mask


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


class Columns:
    """Collects columns of an info with their masks, and makes arrays of them.

    All columns of a type become the lines of one array at once, and so do all masks,
    which takes a fraction of the time of an array for each.

    Args:
        num_envs: The number of environments, the length of each array.
    """

    def __init__(self, num_envs: int) -> None:
        self._num_envs = num_envs
        self._keys: dict[type[Any], list[str]] = {}
        self._values: dict[type[Any], list[Any]] = {}
        self._mask_keys: list[str] = []
        self._masks: list[bytes | bytearray] = []

    def add(
        self,
        key: str,
        kind: type[Any],
        values: Sequence[Any],
        places: Sequence[int] | None,
        mask: bytes | bytearray,
    ) -> None:
        """Add a column.

        Args:
            key: Its key in the info.
            kind: The type of its values; text can be None.
            values: The values.
            places: The index of the environment of each; None for all in order.
            mask: The result of ``mask_of`` for the environments that have a value.
        """
        if places is not None:
            everyone = [_FILLS[kind]] * self._num_envs
            for place, value in zip(places, values, strict=True):
                everyone[place] = value
            values = everyone
        self._keys.setdefault(kind, []).append(key)
        self._values.setdefault(kind, []).extend(values)
        self.add_mask(key, mask)

    def add_mask(self, key: str, mask: bytes | bytearray) -> None:
        """Add the mask of a key whose values are not in a column.

        Args:
            key: The key.
            mask: The mask.
        """
        self._mask_keys.append(f"_{key}")
        self._masks.append(mask)

    def arrays(self) -> dict[str, Any]:
        """Return the info.

        Raises:
            UnlikeError: If a value is not of the type of its column.
        """
        info: dict[str, Any] = {}
        for kind, keys in self._keys.items():
            array = _array(kind, self._values[kind])
            info.update(zip(keys, array.reshape(len(keys), -1), strict=True))
        masks = np.frombuffer(bytearray(b"".join(self._masks)), dtype=np.bool_)
        lines = masks.reshape(-1, self._num_envs)
        info.update(zip(self._mask_keys, lines, strict=True))
        return info


def _array(kind: type[Any], values: list[Any]) -> NDArray[Any]:
    """Return a new array of values, which can be changed."""
    if kind is bool:
        flags = flags_of(values)
        if flags is None:
            raise UnlikeError
        return np.frombuffer(bytearray(flags), dtype=np.bool_)
    types = set(map(type, values))
    if kind is str:
        if not types <= _TEXT:
            raise UnlikeError
        return np.fromiter(values, dtype=object, count=len(values))
    if types != {kind}:
        raise UnlikeError
    return np.array(values, dtype=kind)
