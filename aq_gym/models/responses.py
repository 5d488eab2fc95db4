"""A client of OpenAI's Responses API."""

from __future__ import annotations

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

_REASONS = {"max_output_tokens": "length", "content_filter": "content_filter"}


class ResponsesClient(ModelClient):
    """Requests responses from one model, with the arguments of :class:`ModelClient`.

    The endpoint keeps nothing (``store`` is false), so each request has the whole
    conversation. Summaries of reasoning are read, and not sent back. Tools are given in
    the format of chat completions.
    """

    _path = "/responses"
    _own_fields = ("input", "model", "stream", "tools")
    _token_fields = ("max_output_tokens",)
    _not_taken = ("stop",)

    def _body(
        self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        body: dict[str, Any] = {
            "store": False,
            "input": [item for one in messages for item in _items(one)],
        }
        if tools:
            functions = [one["function"] for one in tools]
            body["tools"] = [
                {"type": "function", "strict": False, **one} for one in functions
            ]
        return body

    def _parse(self, data: bytes) -> Completion:
        record = read_record(data)
        if not isinstance(field(record, "output"), list):
            raise ValueError(f"the answer has no output: {beginning(data)}")
        if text(record, "status") == "failed":
            why = text(field(record, "error"), "message")
            raise ValueError(f"the model failed: {why:.200}")
        items = list(objects(record, "output"))
        parts = [part for one in items for part in objects(one, "content")]
        calls = tuple(_call(one) for one in items if text(one, "type") == _CALL)
        usage = field(record, "usage")
        stopped = text(field(record, "incomplete_details"), "reason")
        summaries = (part for one in items for part in objects(one, "summary"))
        return checked(
            Completion(
                "".join(
                    text(one, "text") for one in parts if text(one, "type") == _TEXT
                ),
                "\n\n".join(text(one, "text") for one in summaries),
                calls,
                "".join(text(one, "refusal") for one in parts),
                _REASONS.get(stopped, stopped) or ("tool_calls" if calls else "stop"),
                count(usage, "input_tokens"),
                count(usage, "output_tokens"),
                count(field(usage, "input_tokens_details"), "cached_tokens"),
            )
        )


_CALL, _TEXT = "function_call", "output_text"


def _call(item: Mapping[str, Any]) -> ToolCall:
    return {
        "id": text(item, "call_id"),
        "type": "function",
        "function": {"name": text(item, "name"), "arguments": text(item, "arguments")},
    }


def _items(one: Message) -> Iterable[dict[str, Any]]:
    if one["role"] == "tool":
        called = one.get("tool_call_id", "")
        yield {"type": _CALL + "_output", "call_id": called, "output": one["content"]}
        return
    images = one.get("images", ())
    if images:
        parts = [{"type": "input_image", "image_url": url} for url in images]
        written = [{"type": "input_text", "text": one["content"]}, *parts]
        yield {"role": one["role"], "content": written}
    elif one["content"]:
        yield {"role": one["role"], "content": one["content"]}
    for call in one.get("tool_calls", ()):
        yield {"type": _CALL, "call_id": call["id"], **call["function"]}
