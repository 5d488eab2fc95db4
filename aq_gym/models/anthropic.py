"""A client of Anthropic's Messages API."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from aq_gym.models.client import ModelClient
from aq_gym.models.completion import (
    Completion,
    beginning,
    checked,
    count,
    field,
    objects,
    read_record,
    text,
)
from aq_gym.models.messages import Message, ToolCall

_VERSION = "2023-06-01"
_REASONS = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tool_calls",
    "refusal": "content_filter",
}


class AnthropicClient(ModelClient):
    """Requests messages from one model, with the arguments of :class:`ModelClient`.

    The address is ``ANTHROPIC_BASE_URL``, by default Anthropic's, and has no ``/v1``;
    the key is ``ANTHROPIC_API_KEY``. Reasoning is not sent back, because the API
    accepts it only with its signature. Tools are given in the format of chat
    completions.
    """

    _default_url = "https://api.anthropic.com"
    _variables = ("ANTHROPIC",)
    _path = "/v1/messages"
    _own_fields = ("messages", "model", "stream", "system", "tools")
    _token_fields = ("max_tokens",)
    # The API refuses a text that is only whitespace.
    _not_taken = ("stop",)

    def _headers(self) -> dict[str, str]:
        key = {"x-api-key": self._key} if self._key else {}
        return {**key, "anthropic-version": _VERSION}

    def _body(
        self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        system = [one["content"] for one in messages if one["role"] == "system"]
        body: dict[str, Any] = {"messages": list(_turns(messages))}
        if system:
            body["system"] = "\n\n".join(system)
        if tools:
            body["tools"] = [_tool(one["function"]) for one in tools]
        return body

    def _parse(self, data: bytes) -> Completion:
        record = read_record(data)
        if not isinstance(field(record, "content"), list):
            raise ValueError(f"the answer has no content: {beginning(data)}")
        blocks = list(objects(record, "content"))
        usage = field(record, "usage")
        cached = count(usage, "cache_read_input_tokens")
        read = count(usage, "input_tokens") + cached
        reason = text(record, "stop_reason")
        return checked(
            Completion(
                "".join(text(one, "text") for one in _of(blocks, "text")),
                "".join(text(one, "thinking") for one in _of(blocks, "thinking")),
                tuple(map(_call, _of(blocks, "tool_use"))),
                "",
                _REASONS.get(reason, reason),
                read + count(usage, "cache_creation_input_tokens"),
                count(usage, "output_tokens"),
                cached,
            )
        )


def _of(blocks: Iterable[Mapping[str, Any]], kind: str) -> list[Mapping[str, Any]]:
    return [one for one in blocks if text(one, "type") == kind]


def _call(block: Mapping[str, Any]) -> ToolCall:
    arguments = json.dumps(field(block, "input") or {}, ensure_ascii=False)
    return {
        "id": text(block, "id"),
        "type": "function",
        "function": {"name": text(block, "name"), "arguments": arguments},
    }


def _tool(function: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": function["name"],
        "description": function["description"],
        "input_schema": function["parameters"],
    }


def _turns(messages: Sequence[Message]) -> Iterable[dict[str, Any]]:
    """Yield the turns: results of tools are the user's, and roles alternate."""
    role, blocks = "", list[dict[str, Any]]()
    for one in messages:
        if one["role"] == "system":
            continue
        of = "assistant" if one["role"] == "assistant" else "user"
        if of != role and blocks:
            yield {"role": role, "content": blocks}
            blocks = []
        role = of
        blocks = [*blocks, *_blocks(one)]
    if blocks:
        yield {"role": role, "content": blocks}


def _blocks(one: Message) -> Iterable[dict[str, Any]]:
    if one["role"] == "tool":
        called = one.get("tool_call_id", "")
        yield {"type": "tool_result", "tool_use_id": called, "content": one["content"]}
        return
    if one["content"]:
        yield {"type": "text", "text": one["content"]}
    for url in one.get("images", ()):
        yield {"type": "image", "source": _source(url)}
    for call in one.get("tool_calls", ()):
        function = call["function"]
        yield {
            "type": "tool_use",
            "id": call["id"],
            "name": function["name"],
            "input": json.loads(function["arguments"] or "{}"),
        }


def _source(url: str) -> dict[str, str]:
    head, comma, data = url.partition(";base64,")
    if not comma or not head.startswith("data:"):
        return {"type": "url", "url": url}
    return {"type": "base64", "media_type": head.removeprefix("data:"), "data": data}
