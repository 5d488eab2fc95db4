"""Messages of a conversation in the format of chat completions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NotRequired, TypedDict

_OTHER_CALLS = "The result of the first call says what was done."


class FunctionCall(TypedDict):
    """The function of a tool call, and its arguments as the model's JSON."""

    name: str
    arguments: str


class ToolCall(TypedDict):
    """A tool call of the assistant; ``type`` is "function"."""

    id: str
    type: str
    function: FunctionCall


class Message(TypedDict):
    """A message of "system", "user", "assistant" or "tool".

    Attributes:
        role: The author of the message.
        content: Its text.
        reasoning_content: The reasoning of an assistant's message.
        tool_calls: The tool calls of an assistant's message.
        tool_call_id: The id of the call whose result a tool's message is.
        images: URLs of images that follow the text, such as ``data:image/png;base64,``
            and the image.
    """

    role: str
    content: str
    reasoning_content: NotRequired[str]
    tool_calls: NotRequired[list[ToolCall]]
    tool_call_id: NotRequired[str]
    images: NotRequired[list[str]]


def message(
    role: str,
    text: str,
    *,
    reasoning: str = "",
    tool_calls: Sequence[ToolCall] = (),
    tool_call_id: str = "",
    images: Sequence[str] = (),
) -> Message:
    """Return a message, without the fields that are empty.

    Args:
        role: "system", "user", "assistant" or "tool".
        text: Any text.
        reasoning: The reasoning before the text.
        tool_calls: The calls of an assistant's message.
        tool_call_id: The id of the call whose result the text is.
        images: URLs of images.
    """
    made: Message = {"role": role, "content": sendable(text)}
    if reasoning:
        made["reasoning_content"] = sendable(reasoning)
    if tool_calls:
        made["tool_calls"] = list(tool_calls)
    if tool_call_id:
        made["tool_call_id"] = tool_call_id
    if images:
        made["images"] = list(images)
    return made


def exchange(
    content: str,
    answer: str,
    reasoning: str = "",
    tool_calls: Sequence[ToolCall] = (),
) -> tuple[Message, ...]:
    """Return an assistant's message and the messages that answer it.

    Args:
        content: The assistant's text.
        answer: The text of the next message: a user's message, or the result of the
            first tool call. The results of other calls refer to it.
        reasoning: The assistant's reasoning.
        tool_calls: The assistant's tool calls.
    """
    said = message("assistant", content, reasoning=reasoning, tool_calls=tool_calls)
    if not tool_calls:
        return said, message("user", answer)
    results = [answer, *[_OTHER_CALLS] * (len(tool_calls) - 1)]
    return said, *(
        message("tool", text, tool_call_id=call["id"])
        for text, call in zip(results, tool_calls, strict=True)
    )


def sendable(text: str) -> str:
    """Return a text without lone surrogates, which UTF-8 cannot encode."""
    return text.encode(errors="replace").decode()


def chat_message(one: Message) -> dict[str, Any]:
    """Return a message in the form of a chat completions request."""
    sent: dict[str, Any] = {**one}
    images = sent.pop("images", None)
    if images:
        pictures = [{"type": "image_url", "image_url": {"url": url}} for url in images]
        sent["content"] = [{"type": "text", "text": one["content"]}, *pictures]
    return sent
