"""Merge the infos of many environments into arrays."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["merged"]

_NUMBERS = bool, int, float


def merged(infos: Mapping[Any, dict[str, Any]], num_envs: int) -> dict[str, Any]:
    """Return the infos as Gymnasium's vector environments merge them.

    They go through the infos one after another; going through the keys, as here, takes
    a fraction of the time.

    Args:
        infos: The info of each environment that has one, by its index.
        num_envs: The number of environments, the length of each array.

    Returns:
        For each key an array of the values, or a merged dict if they are dicts, and
        for ``"_" + key`` the mask of the environments that have the key.
    """
    result: dict[str, Any] = {}
    for key in dict.fromkeys(chain.from_iterable(infos.values())):
        places = [place for place, info in infos.items() if key in info]
        values = [infos[place][key] for place in places]
        mask = np.zeros(num_envs, dtype=np.bool_)
        mask[places] = True
        if key != "final_obs" and all(isinstance(value, dict) for value in values):
            nested = dict(zip(places, values, strict=True))
            result[key] = merged(nested, num_envs)
        else:
            array = _empty("" if key == "final_obs" else values[0], num_envs)
            for place, value in zip(places, values, strict=True):
                array[place] = value
            result[key] = array
        result[f"_{key}"] = mask
    return result


def _empty(first: object, num_envs: int) -> NDArray[Any]:
    """Return an empty array for a key, whose type the first value decides."""
    if isinstance(first, np.ndarray):
        return np.zeros((num_envs, *first.shape), dtype=first.dtype)
    if type(first) in _NUMBERS or isinstance(first, np.number):
        return np.zeros(num_envs, dtype=type(first))
    return np.full(num_envs, None, dtype=object)
