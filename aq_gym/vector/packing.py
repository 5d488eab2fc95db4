"""Arrays of numbers and flags, made in a fraction of the usual time.

``marshal`` writes a list in less time than it takes to look at the type of each item,
and each type in its own way: a float as the letter "g" and 8 bytes, an int of at most
32 bits as "i" and 4, and the singletons True and False as the bytes "T" and "F". So the
bytes of a list show whether all items have their types, and hold the arrays, too.
"""

from __future__ import annotations

import marshal
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from aq_gym.vector.unlike import UnlikeError

__all__ = ["Packed", "pack", "pack_flags"]

# The version in which floats are written as their bytes, and repeated ones as well.
_VERSION = 2
_HEADER = len(marshal.dumps([], _VERSION))
_FLOAT = np.dtype([("letter", "S1"), ("value", "<f8")])
_INT = np.dtype([("letter", "S1"), ("value", "<i4")])
# The bytes of True and False become 1 and 0, all others 2.
_TRUTH = bytes({ord("T"): 1, ord("F"): 0}.get(code, 2) for code in range(256))


class Packed(NamedTuple):
    """The values of three lists.

    Attributes:
        floats: A new array of the floats.
        ints: A new array of the ints.
        flags: A byte, 0 or 1, for each flag.
    """

    floats: NDArray[np.float64]
    ints: NDArray[np.int64]
    flags: bytes


def pack(
    floats: Sequence[Any], ints: Sequence[Any], flags: Sequence[Any], *more: Any
) -> Packed:
    """Return arrays of numbers, and the bytes of flags.

    Args:
        floats: Values that should be of type float.
        ints: Values that should be of type int, of at most 32 bits.
        flags: Values that should be of type bool.
        *more: Further values that should be, which follow the flags.

    Raises:
        UnlikeError: If a value is not.
    """
    values = [*floats, *ints, *flags]
    for one in more:
        values += one
    code = _marshalled(values)
    int_at = _HEADER + _FLOAT.itemsize * len(floats)
    flag_at = int_at + _INT.itemsize * len(ints)
    truth = code[flag_at:].translate(_TRUTH)
    if (
        code[_HEADER : int_at : _FLOAT.itemsize] != b"g" * len(floats)
        or code[int_at : flag_at : _INT.itemsize] != b"i" * len(ints)
        or len(truth) != len(values) - len(floats) - len(ints)
        or b"\2" in truth
    ):
        raise UnlikeError
    # ``astype`` copies, so that the arrays can be changed.
    own_floats = np.frombuffer(code, _FLOAT, len(floats), _HEADER)["value"]
    own_ints = np.frombuffer(code, _INT, len(ints), int_at)["value"]
    return Packed(own_floats.astype(np.float64), own_ints.astype(np.int64), truth)


def pack_flags(flags: list[Any]) -> bytes | None:
    """Return a byte, 0 or 1, for each flag, or None if one is not of type bool.

    Args:
        flags: The flags.
    """
    try:
        truth = _marshalled(flags)[_HEADER:].translate(_TRUTH)
    except UnlikeError:
        return None
    return truth if len(truth) == len(flags) and b"\2" not in truth else None


def _marshalled(values: list[Any]) -> bytes:
    try:
        return marshal.dumps(values, _VERSION)
    except ValueError:
        raise UnlikeError from None
