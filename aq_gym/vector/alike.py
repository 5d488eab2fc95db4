"""Merging a few values of infos with the same keys, such as a benchmark's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aq_gym.vector.flags import check_key

__all__ = ["TEXT", "merged_alike", "spread"]

TEXT = frozenset({str, type(None)})
_NUMBERS = frozenset({int, float, bool})


def merged_alike(
    infos: Sequence[dict[str, Any]], places: NDArray[np.intp] | None, num_envs: int
) -> dict[str, Any] | None:
    """Return the merged infos, or None if this is not as simple as it is here.

    It is if all have the same keys, and the values of each key are numbers of one type,
    or text.

    Args:
        infos: The infos, at least one.
        places: The index of the environment of each; None for all in order.
        num_envs: The number of environments, the length of each array.

    Raises:
        UnlikeError: If a key could be that of a mask.
    """
    keys = infos[0].keys()
    if set(map(len, infos)) != {len(keys)}:
        return None
    merged: dict[str, Any] = {}
    for key in keys:
        check_key(key)
        try:
            values = [info[key] for info in infos]
        except KeyError:
            return None
        array = _array(values)
        if array is None or key == "final_obs":
            return None
        if places is None:
            mask = np.ones(num_envs, dtype=np.bool_)
        else:
            array = spread(array, places, num_envs)
            mask = np.zeros(num_envs, dtype=np.bool_)
            mask[places] = True
        merged[key] = array
        merged[f"_{key}"] = mask
    return merged


def spread(
    values: NDArray[Any], places: NDArray[np.intp], num_envs: int
) -> NDArray[Any]:
    """Return values at the places of their environments, among zeros or None.

    Args:
        values: The values; the last axis is that of the environments.
        places: The index of the environment of each.
        num_envs: The number of environments, the length of the last axis.
    """
    shape = (*values.shape[:-1], num_envs)
    is_object = values.dtype == object
    everyone = np.empty(shape, object) if is_object else np.zeros(shape, values.dtype)
    everyone[..., places] = values
    return everyone


def _array(values: list[Any]) -> NDArray[Any] | None:
    kinds = set(map(type, values))
    if kinds <= TEXT:
        return np.fromiter(values, dtype=object, count=len(values))
    if len(kinds) == 1 and kinds <= _NUMBERS:
        return np.array(values, dtype=kinds.pop())
    return None
