"""A client of chat completions: OpenAI, vLLM, llama.cpp, Ollama, LiteLLM, ..."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypedDict

from aq_gym.agents.address import check_address
from aq_gym.agents.completion import Answer, parse_answer
from aq_gym.agents.endpoint import endpoint_at
from aq_gym.agents.errors import (
    ContextTooLongError,
    EndpointError,
    EndpointStatusError,
    MalformedAnswerError,
)
from aq_gym.support.redaction import read_secret

__all__ = [
    "ChatClient",
    "Completion",
    "ContextTooLongError",
    "EndpointError",
    "MalformedAnswerError",
    "Message",
    "encode_message",
    "message",
]

_DEFAULT_URL = "https://api.openai.com/v1"
_OWN_FIELDS = ("messages", "model", "stream")
_TOKEN_FIELDS = ("max_tokens", "max_completion_tokens")


class Message(TypedDict):
    """A message of a conversation: "system", "user" or "assistant", and its text."""

    role: str
    content: str


def message(role: str, text: str) -> Message:
    """Return a message that can be sent.

    Args:
        role: "system", "user" or "assistant".
        text: Any text.
    """
    # Half of a surrogate pair, which a model can write, cannot be sent.
    return {"role": role, "content": text.encode(errors="replace").decode()}


def encode_message(one: Message) -> bytes:
    """Return a message as JSON.

    Args:
        one: The message.
    """
    return json.dumps(one, ensure_ascii=False, separators=(",", ":")).encode()


class Completion(NamedTuple):
    """The answer of a model.

    Attributes:
        text: The answer; where there is none, a text in brackets that says why.
        prompt_tokens: As the endpoint counts; 0 if it does not.
        completion_tokens: As the endpoint counts; 0 if it does not.
        finish_reason: Why the model stopped: "stop", "length", ...
        latency: Seconds until the answer, retries included.
        cached_tokens: Tokens of the prompt that were read from a cache; 0 if the
            endpoint does not count them.
        reasoning: The model's reasoning, if the endpoint returns it separately.
    """

    text: str
    prompt_tokens: int
    completion_tokens: int
    finish_reason: str
    latency: float
    cached_tokens: int = 0
    reasoning: str = ""


class ChatClient:
    """Requests chat completions of one model.

    Connections are kept and shared by all clients of the process. Failures that may
    pass are retried; see :meth:`aq_gym.agents.endpoint.Endpoint.post`. An endpoint that
    refuses ``max_tokens`` gets ``max_completion_tokens`` from then on.

    Args:
        model: The model's name.
        base_url: The endpoint; by default ``OPENAI_BASE_URL``, or else OpenAI's.
            The key is ``OPENAI_API_KEY``; local servers need none.
        temperature: The sampling temperature; None leaves it to the endpoint.
        max_tokens: The longest answer, in tokens.
        timeout: Seconds for a call, until the last byte of its answer.
        max_retries: The number of retries.
        seed: The sampling seed; None sends none.
        request: Further fields of each request, such as ``{"top_p": 0.9}``.

    Raises:
        ValueError: If the endpoint is not an http:// or https:// address, the key has
            characters that a key cannot have, or ``request`` has a reserved field.
    """

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        *,
        temperature: float | None = None,
        max_tokens: int = 1024,
        timeout: float = 120.0,
        max_retries: int = 6,
        seed: int | None = None,
        request: Mapping[str, Any] | None = None,
    ) -> None:
        base_url = base_url or os.environ.get("OPENAI_BASE_URL") or _DEFAULT_URL
        check_address(base_url)
        request = dict(request or {})
        reserved = [name for name in _OWN_FIELDS if name in request]
        if reserved:
            raise ValueError(f"request={request!r:.80} must not have {reserved[0]!r}")
        self._key = read_secret("OPENAI_API_KEY")
        self._endpoint = endpoint_at(base_url)
        self._model, self._timeout, self._retries = model, timeout, max_retries
        self._max_tokens = max_tokens
        given = {"temperature": temperature, "seed": seed}
        fields = {name: value for name, value in given.items() if value is not None}
        self._fields: dict[str, Any] = {"model": model, **fields, **request}

    def complete(self, messages: Sequence[Message]) -> Completion:
        """Request the next message of a conversation.

        Args:
            messages: The conversation so far.

        Raises:
            ContextTooLongError: If the endpoint reports that.
            MalformedAnswerError: If the answer is not a completion.
            EndpointError: If the call failed, after all retries; the message has the
                endpoint's address and the cause.
        """
        return self.complete_encoded(b",".join(map(encode_message, messages)))

    def complete_encoded(self, messages: bytes) -> Completion:
        """Request the next message of a conversation that is encoded already.

        Args:
            messages: The messages as JSON, each by :func:`encode_message`, joined by
                commas.

        Raises:
            EndpointError: As :meth:`complete`.
        """
        begin = time.perf_counter()
        try:
            answer = self._post(messages)
        except EndpointStatusError as error:
            if not self._learn(str(error)):
                raise
            answer = self._post(messages)
        return Completion(
            answer.text,
            answer.prompt_tokens,
            answer.completion_tokens,
            answer.finish_reason,
            time.perf_counter() - begin,
            answer.cached_tokens,
            answer.reasoning,
        )

    def _post(self, messages: bytes) -> Answer:
        fields = dict(self._fields)
        if not any(name in fields for name in _TOKEN_FIELDS):
            fields[_TOKEN_FIELDS[self._wants_completion_tokens]] = self._max_tokens
        head = json.dumps(fields, separators=(",", ":")).encode()
        body = head[:-1] + b',"messages":[' + messages + b"]}"
        data = self._endpoint.post(body, self._key, self._timeout, self._retries)
        try:
            return parse_answer(data)
        except ValueError as error:
            raise MalformedAnswerError(self._endpoint.located(str(error))) from None

    @property
    def _wants_completion_tokens(self) -> bool:
        return self._model in self._endpoint.wants_completion_tokens

    def _learn(self, refusal: str) -> bool:
        """Remember that the model wants ``max_completion_tokens``, if that is new."""
        if "max_completion_tokens" not in refusal or self._wants_completion_tokens:
            return False
        self._endpoint.wants_completion_tokens.add(self._model)
        return True
