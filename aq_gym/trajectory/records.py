"""Validate the records of a trajectory."""

from __future__ import annotations

from typing import Any

_Kinds = type | tuple[type, ...]
_OR_NONE = type(None)
_FIELDS: dict[str, dict[str, _Kinds]] = {
    "header": {
        "schema": int,
        "spec": (dict, _OR_NONE),
        "spec_missing": str,
        "versions": dict,
        "parent": (dict, _OR_NONE),
        "agent": dict,
        "seed": object,
        "random_state": (dict, _OR_NONE),
        "options": object,
        "task_id": object,
        "observation": object,
        "info": dict,
    },
    "step": {
        "t": int,
        "action": object,
        "observation": object,
        "reward": object,
        "terminated": bool,
        "truncated": bool,
        "info": dict,
    },
    "end": {"steps": int, "return": object, "reason": str},
}
_PARENT: dict[str, _Kinds] = {"file": str, "step": int}


def check_schema(record: dict[str, Any], newest: int) -> None:
    """Raise if a record has an unknown kind or a header has a later schema version.

    Args:
        record: The record, as JSON.
        newest: The latest supported schema version.

    Raises:
        ValueError: If it does.
    """
    kind = record.get("kind")
    if not isinstance(kind, str) or kind not in _FIELDS:
        raise ValueError(f"{record!r:.200} is not a header, step or end record")
    if kind != "header":
        return
    schema = record.get("schema")
    if not isinstance(schema, int) or isinstance(schema, bool) or schema < 1:
        raise ValueError(f"schema version {schema!r:.200} must be an int of at least 1")
    if schema > newest:
        raise ValueError(
            f"it has schema version {schema}; this version of aq_gym reads up to "
            f"{newest}"
        )


def check_fields(record: dict[str, Any]) -> None:
    """Raise if a record lacks a field or has a field of the wrong type.

    Args:
        record: The record, decoded.

    Raises:
        ValueError: If it does.
    """
    kind = record["kind"]
    _check(record, _FIELDS[kind], kind)
    if kind != "header" or record["parent"] is None:
        return
    parent = record["parent"]
    _check(parent, _PARENT, "parent")
    if parent["step"] < 0 or set(parent["file"]) & set("/\\\0"):
        raise ValueError(
            f"the header's parent {parent!r:.200} is not a file name and a step"
        )


def _check(record: dict[str, Any], fields: dict[str, _Kinds], owner: str) -> None:
    for name, kinds in fields.items():
        if name not in record:
            raise ValueError(f"a record {owner!r} lacks {name!r}: {record!r:.200}")
        if not _is(record[name], kinds):
            raise ValueError(
                f"a record {owner!r} has {name}={record[name]!r:.200}, which has "
                "another type"
            )


def _is(value: object, kinds: _Kinds) -> bool:
    return isinstance(value, kinds) and not (kinds is int and isinstance(value, bool))
