"""Arrays of numbers, and bytes of flags, made in a fraction of the usual time.

``marshal`` writes a list in less time than it takes to look at the type of each item,
and each type in its own way: a float as the letter "g" and 8 bytes, an int of at most
32 bits as "i" and 4, and the singletons True and False as the bytes "T" and "F". So the
bytes of a list show whether all items have their types, and hold the arrays, too.
"""

from __future__ import annotations

import marshal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aq_gym.vector.unlike import UnlikeError

__all__ = ["pack_flags", "pack_floats", "pack_ints"]

# The version in which floats are written as their bytes, and repeated ones as well.
_VERSION = 2
_HEADER = len(marshal.dumps([], _VERSION))
# The bytes of True and False become 1 and 0, all others 2.
_TRUTH = bytes({ord("T"): 1, ord("F"): 0}.get(code, 2) for code in range(256))


def pack_floats(values: list[Any]) -> NDArray[np.float64]:
    """Return a new array of floats.

    Args:
        values: Values that should be of type float.

    Raises:
        UnlikeError: If one is not.
    """
    return _packed(values, b"g", "<f8").astype(np.float64)


def pack_ints(values: list[Any]) -> NDArray[np.int64]:
    """Return a new array of ints.

    Args:
        values: Values that should be of type int, of at most 32 bits.

    Raises:
        UnlikeError: If one is not.
    """
    return _packed(values, b"i", "<i4").astype(np.int64)


def pack_flags(values: list[Any]) -> bytes:
    """Return a byte, 0 or 1, for each flag.

    Args:
        values: Values that should be of type bool.

    Raises:
        UnlikeError: If one is not.
    """
    truth = _marshalled(values)[_HEADER:].translate(_TRUTH)
    if len(truth) != len(values) or b"\2" in truth:
        raise UnlikeError
    return truth


def _packed(values: list[Any], letter: bytes, dtype: str) -> NDArray[Any]:
    """Return the numbers, in an array that cannot be changed."""
    if not values:
        return np.empty(0, dtype)
    code = _marshalled(values)
    count, size = len(values), 1 + np.dtype(dtype).itemsize
    if len(code) != _HEADER + count * size or code[_HEADER::size] != letter * count:
        raise UnlikeError
    return np.ndarray(count, dtype, code, _HEADER + 1, size)


def _marshalled(values: list[Any]) -> bytes:
    try:
        return marshal.dumps(values, _VERSION)
    except ValueError:
        raise UnlikeError from None
