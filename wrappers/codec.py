"""Values of any environment as JSON, without loss.

What JSON can hold stays as it is. Everything else becomes an object with the key
``$type``: numbers that are not finite, numpy scalars and arrays, tuples, sets, bytes,
mappings with other keys than str. Of an object of an unknown class only the class is
kept, as :class:`Opaque`.
"""

from __future__ import annotations

import base64
import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

TAG = "$type"

_PLAIN = frozenset({bool, int, type(None)})
_PARENTS: tuple[type[Any], ...] = (str, int, float, list, tuple)
# Side by side in JSON these two would be read as one character.
_SURROGATE_PAIR = re.compile("[\ud800-\udbff](?=[\udc00-\udfff])")
# Python's own numbers hold these exactly; small arrays of them stay readable.
_READABLE_TYPES = frozenset("?bhilqBHILQefd")
_READABLE_SIZE = 64


@dataclass(frozen=True)
class Opaque:
    """An object that could not be written.

    Attributes:
        kind: Its class, as "module:name".
    """

    kind: str


def encode(value: Any) -> Any:
    """Return a JSON value that :func:`decode` makes the value again.

    Args:
        value: Any value.
    """
    kind = type(value)
    if kind is str:
        return value if value.isascii() else _encode_text(value)
    if kind in _PLAIN:
        return value
    if kind is float:
        return value if math.isfinite(value) else {TAG: "float", "value": repr(value)}
    if kind is dict:
        return _encode_mapping(value)
    if kind is list:
        return [encode(item) for item in value]
    if kind is tuple:
        return {TAG: "tuple", "items": [encode(item) for item in value]}
    return _encode_other(value)


def decode(value: Any) -> Any:
    """Return the value that :func:`encode` was given.

    Args:
        value: A JSON value.

    Raises:
        ValueError: If it has a ``$type`` that is not known.
    """
    if isinstance(value, list):
        return [decode(item) for item in value]
    if not isinstance(value, dict):
        return value
    if TAG not in value:
        return {key: decode(item) for key, item in value.items()}
    if value[TAG] not in _DECODERS:
        raise ValueError(f"{TAG}={value[TAG]!r} is not one of {sorted(_DECODERS)}")
    return _DECODERS[value[TAG]](value)


def canonical(value: Any) -> str:
    """Return a text that two values share only if they are the same.

    Other than for ``==``, NaN is NaN and 1, 1.0 and True are three values.

    Args:
        value: Any value.
    """
    return json.dumps(encode(value), sort_keys=True)


def _encode_text(text: str) -> str | dict[str, Any]:
    try:
        text.encode()
    except UnicodeEncodeError:
        if _SURROGATE_PAIR.search(text):
            return {TAG: "text", "data": _base64(text.encode(errors="surrogatepass"))}
    return text


def _encode_mapping(mapping: Mapping[Any, Any]) -> dict[str, Any]:
    encoded = {}
    for key, item in mapping.items():
        if type(key) is not str or key == TAG or encode(key) is not key:
            items = [[encode(key), encode(item)] for key, item in mapping.items()]
            return {TAG: "dict", "items": items}
        encoded[key] = encode(item)
    return encoded


def _encode_other(value: Any) -> Any:
    if isinstance(value, np.ndarray) and value.dtype.names is None:
        return _encode_array(value)
    if isinstance(value, np.generic) and not isinstance(value, str | bytes | np.void):
        return _encode_array(np.asarray(value)) | {TAG: "scalar"}
    if isinstance(value, bytes):
        return {TAG: "bytes", "data": _base64(value)}
    if isinstance(value, Mapping):
        return _encode_mapping(value)
    if isinstance(value, set | frozenset):
        items = sorted((encode(item) for item in value), key=canonical)
        return {TAG: type(value).__name__, "items": items}
    # An IntEnum, a named tuple and the like lose their class, not their value.
    for plain in _PARENTS:
        if isinstance(value, plain):
            return encode(plain(value))
    if isinstance(value, Opaque):
        return {TAG: "opaque", "kind": value.kind}
    return {TAG: "opaque", "kind": f"{type(value).__module__}:{type(value).__name__}"}


def _encode_array(array: np.ndarray[Any, Any]) -> dict[str, Any]:
    dtype = array.dtype
    tag = {TAG: "array", "dtype": dtype.str, "shape": list(array.shape)}
    if dtype.hasobject or (
        dtype.char in _READABLE_TYPES and array.size <= _READABLE_SIZE
    ):
        return tag | {"items": [encode(item) for item in array.ravel().tolist()]}
    return tag | {"data": _base64(array.tobytes())}


def _decode_array(value: dict[str, Any]) -> Any:
    dtype = np.dtype(value["dtype"])
    if "data" in value:
        array = np.frombuffer(base64.b64decode(value["data"]), dtype).copy()
    else:
        array = np.empty(len(value["items"]), dtype)
        # One by one: an item of an object array may be a list.
        for index, item in enumerate(value["items"]):
            array[index] = decode(item)
    return array.reshape(value["shape"])


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


_DECODERS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "array": _decode_array,
    "bytes": lambda value: base64.b64decode(value["data"]),
    "dict": lambda value: {decode(key): decode(item) for key, item in value["items"]},
    "float": lambda value: float(value["value"]),
    "frozenset": lambda value: frozenset(decode(value["items"])),
    "opaque": lambda value: Opaque(value["kind"]),
    "scalar": lambda value: _decode_array(value)[()],
    "set": lambda value: set(decode(value["items"])),
    "text": lambda value: base64.b64decode(value["data"]).decode(
        errors="surrogatepass"
    ),
    "tuple": lambda value: tuple(decode(value["items"])),
}
