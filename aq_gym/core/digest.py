"""A digest of values that is equal for equal values, in every process."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterator, Mapping, Set
from enum import Enum
from typing import Any

import numpy as np

__all__ = ["digest"]


def digest(value: object) -> str:
    """Return a digest of a value, as 32 hexadecimal digits.

    Values that are equal have the same digest, unless a class of their own defines
    equality other than by its attributes, or by what its ``__reduce__`` returns.

    Args:
        value: Numbers, texts, bytes, arrays, containers, dataclasses, enums and objects
            whose attributes, or arguments in ``__reduce__``, are of these types.
    """
    parts = "".join(_parts(value))
    return hashlib.blake2b(
        parts.encode("utf-8", "surrogatepass"), digest_size=16
    ).hexdigest()


def _parts(value: object) -> Iterator[str]:
    """Yield an unambiguous text: every part has a length or an end mark."""
    if value is None:
        yield "n;"
    elif isinstance(value, Enum):
        yield f"e{type(value).__name__}.{value.name};"
    elif isinstance(value, str):
        yield f"s{len(value)}:{value}"
    elif isinstance(value, bool | int | np.bool_ | np.integer):
        yield f"i{int(value)};"
    elif isinstance(value, float | np.floating):
        # 1.0 equals 1.
        number = float(value)
        yield f"i{int(number)};" if number.is_integer() else f"f{number!r};"
    elif isinstance(value, bytes | bytearray | memoryview):
        yield f"b{bytes(value).hex()};"
    elif isinstance(value, np.ndarray):
        yield f"a{value.dtype.str}{value.shape}"
        yield from _parts(value.tolist() if value.dtype.hasobject else value.tobytes())
    else:
        yield from _container_parts(value)


def _container_parts(value: object) -> Iterator[str]:
    if isinstance(value, list | tuple):
        yield f"{'l' if isinstance(value, list) else 't'}{len(value)}:"
        for item in value:
            yield from _parts(item)
    elif isinstance(value, Mapping):
        pairs = ("".join([*_parts(key), *_parts(item)]) for key, item in value.items())
        yield f"m{len(value)}:{''.join(sorted(pairs))}"
    elif isinstance(value, Set):
        yield f"u{len(value)}:{''.join(sorted(''.join(_parts(v)) for v in value))}"
    else:
        yield f"o{type(value).__qualname__}:"
        if type(value).__reduce__ is object.__reduce__:
            yield from _parts(_attributes(value))
        else:
            # Its attributes may be caches, of which equal values have different ones.
            yield from _parts(value.__reduce__()[1:])


def _attributes(value: object) -> dict[str, Any]:
    if dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value) if field.compare]
    else:
        slots = (getattr(kind, "__slots__", ()) for kind in type(value).__mro__)
        names = [name for group in slots for name in _names(group)]
        names += getattr(value, "__dict__", {})
    return {name: getattr(value, name) for name in names if hasattr(value, name)}


def _names(slots: str | tuple[str, ...]) -> tuple[str, ...]:
    return (slots,) if isinstance(slots, str) else tuple(slots)
