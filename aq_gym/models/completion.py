"""The answer of a model, and its JSON, which may be anything."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from aq_gym.models.messages import ToolCall
from aq_gym.support.redaction import redact

__all__ = ["Completion", "parse_completion"]

_SHOWN = 200
# No model reads or writes as many: a larger number would only spend a limit.
_MOST_TOKENS = 10**8
_LONGEST = 2**20
_MOST_CALLS = 128
_REASONING = ("reasoning_content", "reasoning", "thinking")


class Completion(NamedTuple):
    """The answer of a model.

    Attributes:
        content: The text as the model wrote it, "" if there is none.
        reasoning: The model's reasoning, if the endpoint returns it separately.
        tool_calls: The tool calls, at most 128.
        refusal: Why the model refused to answer, if the endpoint says so.
        finish_reason: Why the model stopped: "stop", "length", ...
        prompt_tokens: The tokens read, 0 if the endpoint does not count them.
        completion_tokens: The tokens written, 0 if the endpoint does not count them.
        cached_tokens: The tokens read from a cache, 0 if they are not counted.
        latency: Seconds until the answer, retries included.
    """

    content: str
    reasoning: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    refusal: str = ""
    finish_reason: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    latency: float = 0.0

    @property
    def text(self) -> str:
        """The content; without one, a tool call's arguments, or why there is none."""
        if self.content:
            return self.content
        if self.tool_calls:
            arguments = self.tool_calls[0]["function"]["arguments"]
            empty = arguments.strip() in ("", "{}")
            return "[a tool call without text]" if empty else arguments
        if self.refusal:
            return f"[the model refused: {self.refusal}]"
        if self.finish_reason == "length":
            return "[no answer: it was cut off before it began]"
        return "[no answer, only reasoning]" if self.reasoning else ""


def parse_completion(data: bytes) -> Completion:
    """Read the body of an endpoint's answer.

    Args:
        data: The body.

    Raises:
        ValueError: If it is not a completion; the message shows its beginning.
    """
    try:
        record = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the answer is not JSON ({_shown(data)}): {error}") from None
    try:
        choice = record["choices"][0]
        message = choice["message"]
        content = message.get("content")
    except (AttributeError, IndexError, KeyError, TypeError):
        raise ValueError(f"the answer has no choices: {_shown(data)}") from None
    if not isinstance(content, str | list | None):
        raise ValueError(f"content={content!r:.{_SHOWN}} must be a string or a list")
    # Here, because whoever cuts a text, as an observation does, could halve a key.
    text = redact(
        content if isinstance(content, str) else "".join(_parts(content, "text"))
    )
    if len(text) > _LONGEST:
        raise ValueError(f"the answer has {len(text)} characters: at most {_LONGEST}")
    usage = record.get("usage")
    details = _get(usage, "prompt_tokens_details")
    return Completion(
        text,
        _reasoning(message, content),
        tuple(_tool_calls(message.get("tool_calls"))),
        _text(message, "refusal"),
        _text(choice, "finish_reason")[:_SHOWN],
        _count(_get(usage, "prompt_tokens")),
        _count(_get(usage, "completion_tokens")),
        _count(_get(details, "cached_tokens")),
    )


def _reasoning(message: Mapping[str, Any], content: object) -> str:
    for name in _REASONING:
        if found := _text(message, name):
            return found
    parts = content if isinstance(content, list) else None
    return redact("".join(text for name in _REASONING for text in _parts(parts, name)))


def _parts(content: object, kind: str) -> Iterator[str]:
    """Yield the texts of the content parts of one type."""
    for part in content if isinstance(content, list) else ():
        text = _get(part, kind)
        if _get(part, "type") == kind and isinstance(text, str):
            yield text


def _tool_calls(calls: object) -> Iterator[ToolCall]:
    """Yield the tool calls; what is missing or has another type is ""."""
    for call in calls[:_MOST_CALLS] if isinstance(calls, list) else ():
        function = _get(call, "function")
        name, arguments = _text(function, "name"), _text(function, "arguments")
        yield {
            "id": _text(call, "id"),
            "type": "function",
            "function": {"name": name, "arguments": arguments},
        }


def _get(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, Mapping) else None


def _text(value: object, name: str) -> str:
    found = _get(value, name)
    return redact(found) if isinstance(found, str) else ""


def _shown(data: bytes) -> str:
    # Redacted before it is cut, after which half a key would remain.
    return f"{redact(data.decode(errors='replace'))[:_SHOWN]!r}"


def _count(tokens: object) -> int:
    """Return a number of tokens, 0 where the endpoint gave none."""
    return tokens if type(tokens) is int and 0 < tokens < _MOST_TOKENS else 0
