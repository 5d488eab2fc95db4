"""Encode values of any environment as JSON."""

from __future__ import annotations

import base64
import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

TAG = "$type"

PLAIN = frozenset({bool, type(None)})
TEXT_ONLY = frozenset({str})
_PARENTS: tuple[type[Any], ...] = (str, int, float, list, tuple)
# JSON would read a pair of surrogates as one character.
_SURROGATE_PAIR = re.compile("[\ud800-\udbff](?=[\udc00-\udfff])")
# Python's numbers represent these types exactly, so small arrays stay readable.
_READABLE_TYPES = frozenset("?bhilqBHILQefd")
_READABLE_SIZE = 64
# Python does not convert integers of thousands of digits to or from decimal.
READABLE_BITS = 1024
# Deeper values would exceed Python's recursion limit when they are read.
MAX_DEPTH = 100


@dataclass(frozen=True)
class Opaque:
    """A placeholder for an object that cannot be encoded.

    Attributes:
        kind: The class of the object, as "module:name".
    """

    kind: str


def encode(value: Any) -> Any:
    """Return a JSON value that :func:`decode` converts back to the value.

    Args:
        value: Any value. If it is nested more than 100 levels deep (or contains
            itself), it becomes :class:`Opaque`; in a dict, only the items that are.
    """
    try:
        return encode_within(value, MAX_DEPTH)
    except RecursionError:
        if type(value) is not dict:
            return _encode_opaque(value)
    items = {_encodable(k): _encodable(v) for k, v in value.items()}
    return encode_within(items, MAX_DEPTH)


def canonical(value: Any) -> str:
    """Return a text that is equal for two values only if they are identical.

    Unlike ``==``, NaN equals NaN, and 1, 1.0 and True are three different values.

    Args:
        value: Any value.
    """
    return json.dumps(encode(value), sort_keys=True)


def encode_within(value: Any, room: int) -> Any:
    """Return a JSON value as :func:`encode` does.

    Args:
        value: Any value.
        room: How many levels deep it may be nested.

    Raises:
        RecursionError: If it is nested deeper.
    """
    kind = type(value)
    if kind is str:
        return value if value.isascii() else _encode_text(value)
    if kind in PLAIN:
        return value
    if kind is int:
        return value if value.bit_length() <= READABLE_BITS else _encode_int(value)
    if kind is float:
        return value if math.isfinite(value) else {TAG: "float", "value": repr(value)}
    if room == 0:
        raise RecursionError
    if kind is dict:
        return _encode_mapping(value, room - 1)
    if kind is list:
        return _encode_items(value, room - 1)
    if kind is tuple:
        return {TAG: "tuple", "items": _encode_items(value, room - 1)}
    return _encode_other(value, room - 1)


def _encode_int(value: int) -> dict[str, Any]:
    return {TAG: "int", "hex": hex(value)}


def _encode_text(text: str) -> str | dict[str, Any]:
    try:
        text.encode()
    except UnicodeEncodeError:
        if _SURROGATE_PAIR.search(text):
            return {TAG: "text", "data": _base64(text.encode(errors="surrogatepass"))}
    return text


def _encode_items(items: Iterable[Any], room: int) -> list[Any]:
    return [encode_within(item, room) for item in items]


def _encode_mapping(mapping: Mapping[Any, Any], room: int) -> dict[str, Any]:
    if not _has_plain_keys(mapping):
        pairs = [_encode_items(pair, room) for pair in mapping.items()]
        return {TAG: "dict", "items": pairs}
    # Every step has dozens of subgoals; avoiding the loop takes a fifth of the time.
    if set(map(type, mapping.values())) <= PLAIN:
        return dict(mapping)
    # The tests of _encode, whose calls would take as long as they do.
    return {
        key: item
        if (kind := type(item)) in PLAIN
        or (kind is str and item.isascii())
        or (kind is float and math.isfinite(item))
        else encode_within(item, room)
        for key, item in mapping.items()
    }


def _has_plain_keys(mapping: Mapping[Any, Any]) -> bool:
    if not set(map(type, mapping)) <= TEXT_ONLY or TAG in mapping:
        return False
    return "".join(mapping).isascii() or all(_encode_text(k) is k for k in mapping)


def _encode_other(value: Any, room: int) -> Any:
    if type(value) is np.ndarray and value.dtype.names is None:
        return _encode_array(value, room)
    if isinstance(value, np.generic) and not isinstance(value, str | bytes | np.void):
        return _encode_array(np.asarray(value), room) | {TAG: "scalar"}
    if isinstance(value, bytes):
        return {TAG: "bytes", "data": _base64(value)}
    if isinstance(value, Mapping):
        return _encode_mapping(value, room)
    if isinstance(value, set | frozenset):
        items = sorted(_encode_items(value, room), key=_sort_key)
        return {TAG: type(value).__name__, "items": items}
    # Subclasses, as IntEnum or a named tuple, lose their class but not their value.
    for plain in _PARENTS:
        if isinstance(value, plain):
            return encode_within(plain(value), room)
    return _encode_opaque(value)


def _encode_array(array: np.ndarray[Any, Any], room: int) -> dict[str, Any]:
    dtype = array.dtype
    tag = {TAG: "array", "dtype": dtype.str, "shape": list(array.shape)}
    if dtype.hasobject or (
        dtype.char in _READABLE_TYPES and array.size <= _READABLE_SIZE
    ):
        return tag | {"items": _encode_items(array.ravel().tolist(), room)}
    return tag | {"data": _base64(array.tobytes())}


def _encode_opaque(value: object) -> dict[str, Any]:
    return {TAG: "opaque", "kind": _as_opaque(value).kind}


def _as_opaque(value: object) -> Opaque:
    if isinstance(value, Opaque):
        return value
    return Opaque(f"{type(value).__module__}:{type(value).__name__}")


def _encodable(value: Any) -> Any:
    try:
        encode_within(value, MAX_DEPTH - 1)
    except RecursionError:
        return _as_opaque(value)
    return value


def _sort_key(encoded: object) -> str:
    return json.dumps(encoded, sort_keys=True)


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
