"""Encode values of any environment as JSON without loss, and decode them.

JSON values are kept as they are. Every other value becomes an object with the key
``$type``: numbers that are not finite or very long, numpy scalars and arrays, tuples,
sets, bytes, and mappings with keys other than str. An object of an unknown class is
replaced by :class:`Opaque`, which records the class only. The same applies to
subclasses of numpy's arrays, which may have more data than their items (a mask), and to
values that are nested too deeply.
"""

from __future__ import annotations

import base64
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

_TAG = "$type"

_PLAIN = frozenset({bool, type(None)})
_TEXT_ONLY = frozenset({str})
# Values of these types are identical if they are equal; 0.0 and -0.0 are equal only.
_COMPARED = frozenset({bool, int, str, type(None)})
_PARENTS: tuple[type[Any], ...] = (str, int, float, list, tuple)
# JSON would read a pair of surrogates as one character.
_SURROGATE_PAIR = re.compile("[\ud800-\udbff](?=[\udc00-\udfff])")
# Python's numbers represent these types exactly, so small arrays stay readable.
_READABLE_TYPES = frozenset("?bhilqBHILQefd")
_READABLE_SIZE = 64
# Python does not convert integers of thousands of digits to or from decimal.
_READABLE_BITS = 1024
# Deeper values would exceed Python's recursion limit when they are read.
_MAX_DEPTH = 100

_ITEM_KINDS = frozenset("biufO")


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
        value: Any value. If it is nested more than 100 levels deep, or contains itself,
            it becomes :class:`Opaque`; in a dict, only items with such values do.
    """
    try:
        return _encode_within(value, _MAX_DEPTH)
    except RecursionError:
        if type(value) is not dict:
            return _encode_opaque(value)
    items = {_encodable(k): _encodable(v) for k, v in value.items()}
    return _encode_within(items, _MAX_DEPTH)


def canonical(value: Any) -> str:
    """Return a text that is equal for two values only if they are identical.

    Unlike ``==``, NaN equals NaN, and 1, 1.0 and True are three different values.
    """
    return json.dumps(encode(value), sort_keys=True)


def identical(first: Any, second: Any) -> bool:
    """Return whether two values have equal canonical texts, mostly without them."""
    kind = type(first)
    if kind is type(second):
        if kind in _COMPARED:
            return bool(first == second)
        if kind is float:
            return repr(first) == repr(second)
        if kind is list or kind is tuple:
            return len(first) == len(second) and all(map(identical, first, second))
        if kind is dict and _has_plain_keys(first) and first.keys() == second.keys():
            return _has_plain_keys(second) and all(
                identical(item, second[key]) for key, item in first.items()
            )
    return canonical(first) == canonical(second)


def shown(value: Any, most: int = 200) -> str:
    """Return a value for an error message."""
    try:
        return repr(value)[:most]
    except ValueError:
        # Python refuses to write an int of more than 4,300 digits.
        return f"a {type(value).__name__} that is too long to show"


def _encode_within(value: Any, room: int) -> Any:
    """Return a JSON value as :func:`encode` does.

    Raises:
        RecursionError: If it is nested deeper.
    """
    kind = type(value)
    if kind is str:
        return value if value.isascii() else _encode_text(value)
    if kind in _PLAIN:
        return value
    if kind is int:
        return value if value.bit_length() <= _READABLE_BITS else _encode_int(value)
    if kind is float:
        return value if math.isfinite(value) else {_TAG: "float", "value": repr(value)}
    if room == 0:
        raise RecursionError
    if kind is dict:
        return _encode_mapping(value, room - 1)
    if kind is list:
        return _encode_items(value, room - 1)
    if kind is tuple:
        return {_TAG: "tuple", "items": _encode_items(value, room - 1)}
    return _encode_other(value, room - 1)


def _encode_int(value: int) -> dict[str, Any]:
    return {_TAG: "int", "hex": hex(value)}


def _encode_text(text: str) -> str | dict[str, Any]:
    try:
        text.encode()
    except UnicodeEncodeError:
        if _SURROGATE_PAIR.search(text):
            return {_TAG: "text", "data": _base64(text.encode(errors="surrogatepass"))}
    return text


def _encode_items(items: Iterable[Any], room: int) -> list[Any]:
    return [_encode_within(item, room) for item in items]


def _encode_mapping(mapping: Mapping[Any, Any], room: int) -> dict[str, Any]:
    if not _has_plain_keys(mapping):
        pairs = [_encode_items(pair, room) for pair in mapping.items()]
        return {_TAG: "dict", "items": pairs}
    # Every step has dozens of subgoals; avoiding the loop takes a fifth of the time.
    if set(map(type, mapping.values())) <= _PLAIN:
        return dict(mapping)
    return {key: _encode_within(item, room) for key, item in mapping.items()}


def _has_plain_keys(mapping: Mapping[Any, Any]) -> bool:
    if not set(map(type, mapping)) <= _TEXT_ONLY or _TAG in mapping:
        return False
    return "".join(mapping).isascii() or all(_encode_text(k) is k for k in mapping)


def _encode_other(value: Any, room: int) -> Any:
    if type(value) is np.ndarray and value.dtype.names is None:
        return _encode_array(value, room)
    if isinstance(value, np.generic) and not isinstance(value, str | bytes | np.void):
        return _encode_array(np.asarray(value), room) | {_TAG: "scalar"}
    if isinstance(value, bytes):
        return {_TAG: "bytes", "data": _base64(value)}
    if isinstance(value, Mapping):
        return _encode_mapping(value, room)
    if isinstance(value, set | frozenset):
        items = sorted(_encode_items(value, room), key=_sort_key)
        return {_TAG: type(value).__name__, "items": items}
    # Subclasses, such as IntEnum or a named tuple, lose only their class.
    for plain in _PARENTS:
        if isinstance(value, plain):
            return _encode_within(plain(value), room)
    return _encode_opaque(value)


def _encode_array(array: np.ndarray[Any, Any], room: int) -> dict[str, Any]:
    dtype = array.dtype
    tag = {_TAG: "array", "dtype": dtype.str, "shape": list(array.shape)}
    if dtype.hasobject or (
        dtype.char in _READABLE_TYPES and array.size <= _READABLE_SIZE
    ):
        return tag | {"items": _encode_items(array.ravel().tolist(), room)}
    return tag | {"data": _base64(array.tobytes())}


def _encode_opaque(value: object) -> dict[str, Any]:
    return {_TAG: "opaque", "kind": _as_opaque(value).kind}


def _as_opaque(value: object) -> Opaque:
    if isinstance(value, Opaque):
        return value
    return Opaque(f"{type(value).__module__}:{type(value).__name__}")


def _encodable(value: Any) -> Any:
    try:
        _encode_within(value, _MAX_DEPTH - 1)
    except RecursionError:
        return _as_opaque(value)
    return value


def _sort_key(encoded: object) -> str:
    return json.dumps(encoded, sort_keys=True)


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def decode(value: Any) -> Any:
    """Return the value that :func:`encode` encoded.

    Raises:
        ValueError: If it has an unknown ``$type``, or its fields do not fit the type.
    """
    if isinstance(value, list):
        return [decode(item) for item in value]
    if not isinstance(value, dict):
        return value
    if _TAG not in value:
        return {key: decode(item) for key, item in value.items()}
    kind = value[_TAG]
    if not isinstance(kind, str) or kind not in _DECODERS:
        raise ValueError(f"{_TAG}={kind!r} is not one of {sorted(_DECODERS)}")
    try:
        return _DECODERS[kind](value)
    except (AttributeError, LookupError, OverflowError, TypeError) as error:
        raise ValueError(f"{value!r:.100} is not of {_TAG} {kind!r}") from error


def _decode_array(value: dict[str, Any]) -> Any:
    dtype = np.dtype(value["dtype"])
    # The encoder writes no other types; a type of large items could fill the memory.
    if "items" in value and dtype.kind not in _ITEM_KINDS:
        raise ValueError(f"{value!r:.100} must have its items in 'data'")
    if "data" in value:
        array = np.frombuffer(base64.b64decode(value["data"]), dtype).copy()
    else:
        array = np.empty(len(value["items"]), dtype)
        # Assigned one by one, because NumPy would spread an item that is a list.
        for index, item in enumerate(value["items"]):
            array[index] = decode(item)
    return array.reshape(value["shape"])


_DECODERS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "array": _decode_array,
    "bytes": lambda value: base64.b64decode(value["data"]),
    "dict": lambda value: {decode(key): decode(item) for key, item in value["items"]},
    "float": lambda value: float(value["value"]),
    "frozenset": lambda value: frozenset(decode(value["items"])),
    "int": lambda value: int(value["hex"], 16),
    "opaque": lambda value: Opaque(value["kind"]),
    "scalar": lambda value: _decode_array(value)[()],
    "set": lambda value: set(decode(value["items"])),
    "text": lambda value: base64.b64decode(value["data"]).decode(
        errors="surrogatepass"
    ),
    "tuple": lambda value: tuple(decode(value["items"])),
}
