"""The answer of a model, and how it is read from a chat completion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from aq_gym.models.json_answers import (
    beginning,
    count,
    field,
    objects,
    parse_json,
    text,
)
from aq_gym.models.messages import ToolCall
from aq_gym.support.redaction import redact

_LONGEST = 2**20
_LONGEST_REASON = 200
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
        retries: The number of retries before the answer.
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
    retries: int = 0

    @property
    def text(self) -> str:
        """The content, or else a tool call's arguments, or why both are missing."""
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
    """Read the body of a chat completion.

    Raises:
        ValueError: If it is not a completion; the message shows its beginning.
    """
    record = parse_json(data)
    choices = field(record, "choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = field(choice, "message")
    if not isinstance(message, Mapping):
        raise ValueError(f"the answer has no choices: {beginning(data)}")
    content = message.get("content")
    if not isinstance(content, str | list | None):
        raise ValueError(f"content={content!r:.200} must be a string or a list")
    parts = "".join(_parts(message, "text"))
    usage = field(record, "usage")
    return checked(
        Completion(
            parts or text(message, "content"),
            _reasoning(message),
            tuple(_tool_calls(message)),
            text(message, "refusal"),
            text(choice, "finish_reason"),
            count(usage, "prompt_tokens"),
            count(usage, "completion_tokens"),
            count(field(usage, "prompt_tokens_details"), "cached_tokens"),
        )
    )


def checked(completion: Completion) -> Completion:
    """Return a completion without secrets that the endpoint has repeated.

    They are removed here, because code that cuts the text later, as an observation
    does, could leave part of a key.

    Raises:
        ValueError: If its text is too long to be read as an action: more than 2**20
            characters.
    """
    length = len(completion.content)
    if length > _LONGEST:
        raise ValueError(f"the answer has {length} characters: at most {_LONGEST}")
    return completion._replace(
        content=redact(completion.content),
        reasoning=redact(completion.reasoning),
        refusal=redact(completion.refusal),
        finish_reason=redact(completion.finish_reason)[:_LONGEST_REASON],
        tool_calls=tuple(map(_redacted, completion.tool_calls[:_MOST_CALLS])),
    )


def _redacted(call: ToolCall) -> ToolCall:
    name, arguments = call["function"]["name"], call["function"]["arguments"]
    return {
        "id": redact(call["id"]),
        "type": "function",
        "function": {"name": redact(name), "arguments": redact(arguments)},
    }


def _reasoning(message: Mapping[str, Any]) -> str:
    for name in _REASONING:
        if found := text(message, name):
            return found
    return "".join(one for name in _REASONING for one in _parts(message, name))


def _parts(message: Mapping[str, Any], kind: str) -> Iterator[str]:
    """Yield the texts of the content parts of one type."""
    for part in objects(message, "content"):
        if text(part, "type") == kind:
            yield text(part, kind)


def _tool_calls(message: Mapping[str, Any]) -> Iterator[ToolCall]:
    """Yield the tool calls; missing fields and those of other types become ""."""
    calls = field(message, "tool_calls")
    for call in calls if isinstance(calls, list) else ():
        function = field(call, "function")
        yield {
            "id": text(call, "id"),
            "type": "function",
            "function": {
                "name": text(function, "name"),
                "arguments": text(function, "arguments"),
            },
        }
