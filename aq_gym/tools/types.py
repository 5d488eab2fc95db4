"""The types of arguments: their JSON Schema, their names and how they are checked."""

from __future__ import annotations

import types
import typing
from functools import lru_cache
from typing import Any, Literal, Union

_SIMPLE = {str: "string", int: "integer", float: "number", bool: "boolean"}


@lru_cache(maxsize=1024)
def _parts(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    return typing.get_origin(annotation), typing.get_args(annotation)


def is_supported(annotation: Any) -> bool:
    """Return whether an annotation has a schema."""
    if annotation in _SIMPLE or annotation is Any:
        return True
    origin, parts = _parts(annotation)
    if origin is Literal:
        return all(type(part) in _SIMPLE for part in parts)
    if origin is list:
        return is_supported(parts[0])
    if origin is dict:
        return parts[0] is str and is_supported(parts[1])
    if origin in (Union, types.UnionType):
        return all(part is type(None) or is_supported(part) for part in parts)
    return False


def schema_of(annotation: Any) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of an annotation that is supported."""
    if annotation is type(None):
        return {"type": "null"}
    if annotation in _SIMPLE:
        return {"type": _SIMPLE[annotation]}
    origin, parts = _parts(annotation)
    if origin is Literal:
        kinds = list(dict.fromkeys(_SIMPLE[type(part)] for part in parts))
        return {"type": kinds[0] if len(kinds) == 1 else kinds, "enum": list(parts)}
    if origin is list:
        return {"type": "array", "items": schema_of(parts[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": schema_of(parts[1])}
    if origin in (Union, types.UnionType):
        return {"anyOf": [schema_of(part) for part in parts]}
    return {}


@lru_cache(maxsize=1024)
def describe_type(annotation: Any) -> str:
    """Return the name of a type in JSON's terms: "list of string"."""
    if annotation in _SIMPLE:
        return _SIMPLE[annotation]
    origin, parts = _parts(annotation)
    if origin is Literal:
        return " or ".join(map(repr, parts))
    if origin is list:
        return f"list of {describe_type(parts[0])}"
    if origin is dict:
        return f"object of {describe_type(parts[1])}"
    if origin in (Union, types.UnionType):
        return " or ".join(map(describe_type, parts))
    return "null" if annotation is type(None) else "any value"


def check_value(value: Any, annotation: Any) -> Any:
    """Return an argument as its tool expects it.

    As in JSON Schema, a number without a fractional part is an integer, and a boolean
    is not a number.

    Raises:
        ValueError: If the value has another type, or is not one of the choices.
    """
    kind = type(value)
    if kind is annotation or annotation is Any:
        return value
    if annotation is int and kind is float and value.is_integer():
        return int(value)
    if annotation is float and kind is int:
        return value
    origin, parts = _parts(annotation)
    if origin is Literal:
        if any(value == part and kind is type(part) for part in parts):
            return value
    elif origin is list and kind is list:
        return [check_value(item, parts[0]) for item in value]
    elif origin is dict and kind is dict:
        return {key: check_value(item, parts[1]) for key, item in value.items()}
    elif origin in (Union, types.UnionType):
        return _check_union(value, parts)
    elif annotation is type(None) and value is None:
        return None
    raise ValueError(f"must be {describe_type(annotation)}")


def _check_union(value: Any, parts: tuple[Any, ...]) -> Any:
    for part in parts:
        try:
            return check_value(value, part)
        except ValueError:
            continue
    raise ValueError(f"must be {' or '.join(map(describe_type, parts))}")
