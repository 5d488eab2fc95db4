"""Reading the JSON of a chat completion, which may be anything."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from aq_gym.support.redaction import redact

__all__ = ["Answer", "parse_answer"]

_SHOWN = 200
_MOST_TOKENS = 10**12
_REASONING = ("reasoning_content", "reasoning", "thinking")


class Answer(NamedTuple):
    """The content of a chat completion.

    Attributes:
        text: The answer; where there is none, a text in brackets that says why.
        prompt_tokens: The tokens read, 0 if the endpoint does not count them.
        completion_tokens: The tokens written, 0 if the endpoint does not count them.
        cached_tokens: The tokens read from a cache, 0 if they are not counted.
        finish_reason: Why the model stopped.
        reasoning: The model's reasoning, if it is separate.
    """

    text: str
    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int
    finish_reason: str
    reasoning: str


def parse_answer(data: bytes) -> Answer:
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
        content, reason = message.get("content"), choice.get("finish_reason")
    except (AttributeError, IndexError, KeyError, TypeError):
        raise ValueError(f"the answer has no choices: {_shown(data)}") from None
    if not isinstance(content, str | list | None):
        raise ValueError(f"content={content!r:.{_SHOWN}} must be a string or a list")
    text = content if isinstance(content, str) else "".join(_parts(content, "text"))
    reasoning = _reasoning(message, content)
    finish_reason = reason[:_SHOWN] if isinstance(reason, str) else ""
    usage = record.get("usage")
    details = _get(usage, "prompt_tokens_details")
    return Answer(
        text or _instead(message, reasoning, finish_reason),
        _count(_get(usage, "prompt_tokens")),
        _count(_get(usage, "completion_tokens")),
        _count(_get(details, "cached_tokens")),
        finish_reason,
        reasoning,
    )


def _reasoning(message: Mapping[str, Any], content: object) -> str:
    for name in _REASONING:
        found = message.get(name)
        if isinstance(found, str) and found:
            return found
    parts = content if isinstance(content, list) else None
    return "".join(text for name in _REASONING for text in _parts(parts, name))


def _parts(content: object, kind: str) -> Iterator[str]:
    """Yield the texts of the content parts of one type."""
    for part in content if isinstance(content, list) else ():
        text = _get(part, kind)
        if _get(part, "type") == kind and isinstance(text, str):
            yield text


def _instead(message: Mapping[str, Any], reasoning: str, finish_reason: str) -> str:
    """Return the arguments of a tool call, or why there is no text."""
    calls = message.get("tool_calls")
    if isinstance(calls, list) and calls:
        arguments = _get(_get(calls[0], "function"), "arguments")
        if isinstance(arguments, str) and arguments.strip() not in ("", "{}"):
            return arguments
        return "[a tool call without text]"
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal:
        return f"[the model refused: {refusal}]"
    if finish_reason == "length":
        return "[no answer: it was cut off before it began]"
    return "[no answer, only reasoning]" if reasoning else ""


def _get(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, Mapping) else None


def _shown(data: bytes) -> str:
    # Redacted before it is cut, after which half a key would remain.
    return f"{redact(data.decode(errors='replace'))[:_SHOWN]!r}"


def _count(tokens: object) -> int:
    """Return a number of tokens, 0 where the endpoint gave none."""
    return tokens if type(tokens) is int and 0 < tokens < _MOST_TOKENS else 0
