"""The answer of a model, and its parser for an endpoint's JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from aq_gym.models.messages import ToolCall
from aq_gym.support.redaction import redact

_LONGEST = 2**20
_LONGEST_REASON = 200
_MOST_CALLS = 128
_SHOWN = 200
# No model reads or writes this many tokens; a larger count would only use up a limit.
_MOST_TOKENS = 10**8
_ANSWERS = ("choices", "output", "content", "data")
# The status codes of errors that OpenAI's and Anthropic's APIs name by words.
_STATUSES = {
    "authentication_error": 401,
    "AuthenticationError": 401,
    "BadRequestError": 400,
    "context_length_exceeded": 400,
    "insufficient_quota": 402,
    "invalid_api_key": 401,
    "model_not_found": 404,
    "NotFoundError": 404,
    "overloaded_error": 529,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
}
_CODES = ("code", "status", "status_code", "statusCode", "http_code", "type")
# Words of errors without a code that would not pass.
_LASTING_WORDS = (
    (402, re.compile(r"insufficient.{0,3}(?:quota|balance|credit|funds)", re.I)),
    (401, re.compile(r"unauthori[sz]ed|invalid (?:api )?key", re.I)),
)
_EVENT = re.compile(r"^data:\s*(\{.*\})\s*$", re.MULTILINE)
_REASONING = ("reasoning_content", "reasoning", "thinking")


class Completion(NamedTuple):
    """The answer of a model.

    Attributes:
        content: The text as the model wrote it, "" if there is none.
        reasoning: The model's reasoning, if the endpoint returns it separately.
        tool_calls: The tool calls, at most 128.
        refusal: The reason why the model refused to answer, if the endpoint reports it.
        finish_reason: The reason why the model stopped: "stop", "length", ...
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
        """The content, or else a tool call's arguments, or why there is neither."""
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
    record = read_record(data)
    choice = _first_choice(record)
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
    """Return a completion whose fields can be recorded.

    A text of more than 2**20 characters is cut there, as if it had reached the limit of
    tokens. Ids, the finish reason and the reason of a refusal are redacted; texts that
    are played are not.
    """
    if len(completion.content) > _LONGEST:
        content = completion.content[:_LONGEST]
        completion = completion._replace(content=content, finish_reason="length")
    calls = completion.tool_calls[:_MOST_CALLS]
    return completion._replace(
        refusal=redact(completion.refusal),
        finish_reason=redact(completion.finish_reason)[:_LONGEST_REASON],
        tool_calls=tuple({**call, "id": redact(call["id"])} for call in calls),
    )


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


class AnsweredError(ValueError):
    """Raised if the body of an answer with status 200 reports an error.

    Attributes:
        status: The status code in the body.
    """

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


def read_record(data: bytes) -> Any:
    """Return the value of a body.

    Raises:
        AnsweredError: If the body reports an error with a status code: gateways answer
            200 before they know what the provider says.
        ValueError: If it is not JSON, or reports another error; the message shows its
            beginning.
    """
    # A gateway that failed may answer as if a stream had been asked for.
    event = _EVENT.search(data.decode(errors="replace"))
    try:
        record = json.loads(event[1] if event else data)
    except (ValueError, RecursionError) as error:
        raise ValueError(
            f"the answer is not JSON ({beginning(data)}): {error}"
        ) from None
    choice = _first_choice(record)
    answered = any(field(record, name) for name in _ANSWERS)
    problem = field(choice, "error") or (None if answered else _problem(record))
    if problem:
        status = max(_status(field(problem, name)) for name in _CODES)
        if status := status or _status_of_words(_shown(data)):
            raise AnsweredError(f"in an answer with status 200: {_shown(data)}", status)
        why = redact(text(problem, "message"))[:_SHOWN] or beginning(data)
        raise ValueError(f"the answer is an error: {why}")
    if field(choice, "finish_reason") == "error":
        raise ValueError(f"the answer is an error: {beginning(data)}")
    return record


def _problem(record: object) -> object:
    """Return the object that describes an error, None if there is none."""
    if isinstance(record, list) and len(record) == 1:
        record = record[0]
    for name in ("error", "detail", "errors"):
        inner = field(record, name)
        inner = inner[0] if isinstance(inner, list) and inner else inner
        if isinstance(inner, Mapping):
            return _problem(inner) if "error" in inner else inner
        if inner:
            return record
    return record if any(_status(field(record, name)) for name in _CODES) else None


def _status_of_words(said: str) -> int:
    return next((code for code, words in _LASTING_WORDS if words.search(said)), 0)


def _first_choice(record: object) -> object:
    choices = field(record, "choices")
    return choices[0] if isinstance(choices, list) and choices else None


def _status(code: object) -> int:
    """Return a code as the status of an error, 0 if it is not one."""
    said = f"{code:.0f}" if isinstance(code, float) else str(code)
    is_status = len(said) == 3 and "400" <= said <= "599" and said.isdecimal()
    return int(said) if is_status else _STATUSES.get(said, 0)


def beginning(data: bytes) -> str:
    """Return the beginning of a body for an error message."""
    return repr(_shown(data))


def _shown(data: bytes) -> str:
    # Redacted before it is cut: a key cut in half would not be recognized.
    return redact(data.decode(errors="replace"))[:_SHOWN]


def field(value: object, name: str) -> object:
    """Return a field of an object, None if there is none."""
    return value.get(name) if isinstance(value, dict) else None


def text(value: object, name: str) -> str:
    """Return a field that is a text, or "" if it is not one."""
    found = field(value, name)
    return found if isinstance(found, str) else ""


def objects(value: object, name: str) -> Iterator[Mapping[str, Any]]:
    """Yield the objects in a field that is a list."""
    found = field(value, name)
    for one in found if isinstance(found, list) else ():
        if isinstance(one, Mapping):
            yield one


def count(value: object, name: str) -> int:
    """Return a number of tokens, 0 where the endpoint gave none."""
    found = field(value, name)
    return found if type(found) is int and 0 < found < _MOST_TOKENS else 0
