"""The messages that a client may send in a session.

OpenEnv's server checks them, too, but some of what it refuses ends the session: JSON
that is not an object, and errors that quote text which has no UTF-8.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

_INVALID_JSON = "INVALID_JSON"
_INVALID = "VALIDATION_ERROR"
_UNKNOWN = "UNKNOWN_TYPE"
_KEYS = {
    "reset": ("data",),
    "step": ("data",),
    "state": (),
    "close": (),
    "mcp": ("data",),
}
_DATA = {
    "reset": ("seed", "task_id", "episode_id", "env", "arguments"),
    "step": ("text", "metadata"),
    "mcp": ("jsonrpc", "id", "method", "params"),
}
_METHODS = ("tools/list", "tools/call")


class Problem(NamedTuple):
    """A reason why a message is refused.

    Attributes:
        code: One of OpenEnv's codes for errors.
        message: The description, in ASCII.
    """

    code: str
    message: str


def problem_of(text: str | None) -> Problem | None:
    """Return the reason to refuse a message, or None.

    Args:
        text: The message; None if it is binary.
    """
    if text is None:
        return Problem(_INVALID_JSON, "a message must be text, not binary")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError) as error:
        return Problem(_INVALID_JSON, f"the message is not JSON: {error!a:.200}")
    kind = message.get("type") if isinstance(message, dict) else None
    if not isinstance(kind, str):
        return Problem(_INVALID, "a message must be an object with a string 'type'")
    if kind not in _KEYS:
        return Problem(_UNKNOWN, f"type={kind!a:.80} must be one of {', '.join(_KEYS)}")
    why = _unknown(message, ("type", *_KEYS[kind])) or _wrong_data(kind, message)
    return Problem(_INVALID, f"{kind}: {why}") if why else None


def _wrong_data(kind: str, message: Mapping[str, Any]) -> str:
    data = message.get("data", {})
    if not isinstance(data, dict):
        return "data must be an object"
    if kind == "step" and not isinstance(data.get("text"), str):
        return "data must have the action as a string 'text'"
    if kind == "step" and not isinstance(data.get("metadata", {}), dict):
        return "metadata must be an object"
    return _unknown(data, _DATA.get(kind, ())) or (
        _wrong_call(data) if kind == "mcp" else ""
    )


def _wrong_call(data: Mapping[str, Any]) -> str:
    if data.get("method") not in _METHODS:
        return f"method must be one of {', '.join(_METHODS)}"
    if not isinstance(data.get("id"), int | str):
        return "id must be a number or a string"
    params = data.get("params", {})
    if not isinstance(params, dict):
        return "params must be an object"
    if not isinstance(params.get("arguments", {}), dict):
        return "arguments must be an object"
    return _unknown(params, ("name", "arguments"))


def _unknown(given: Mapping[str, Any], known: Collection[str]) -> str:
    unknown = [key for key in given if key not in known]
    if not unknown:
        return ""
    return f"unknown key {unknown[0]!a:.80}; there are {', '.join(known)}"
