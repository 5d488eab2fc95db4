"""A client of chat completions: OpenAI, vLLM, llama.cpp, Ollama, LiteLLM, ..."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence
from typing import Any

from aq_gym.models.completion import Completion, parse_completion
from aq_gym.models.endpoint import check_address, endpoint_at
from aq_gym.models.errors import EndpointStatusError, MalformedAnswerError
from aq_gym.models.messages import Message, encode_message
from aq_gym.support.redaction import read_secret

__all__ = ["ChatClient"]

_DEFAULT_URL = "https://api.openai.com/v1"
_OWN_FIELDS = ("messages", "model", "stream")
_TOKEN_FIELDS = ("max_tokens", "max_completion_tokens")


class ChatClient:
    """Requests chat completions of one model.

    Connections are kept and shared by all clients of the process. Failures that may
    pass are retried; see ``aq_gym.models.endpoint``. An endpoint that
    refuses ``max_tokens`` gets ``max_completion_tokens`` from then on.

    Args:
        model: The model's name.
        base_url: The endpoint; by default that of the environment variables, or else
            OpenAI's. Redirects are not followed.
        temperature: The sampling temperature; None leaves it to the endpoint.
        max_tokens: The longest answer, in tokens; None leaves it to the endpoint.
        timeout: Seconds for a call, until the last byte of its answer.
        max_retries: The number of retries.
        seed: The sampling seed; None sends none.
        request: Further fields of each request, such as ``{"top_p": 0.9}``.
        variables: The prefixes of the environment variables ``*_BASE_URL`` and
            ``*_API_KEY``, of which the first that is set counts. Local servers need
            no key.

    Raises:
        ValueError: If the endpoint is not an http:// or https:// address, the key has
            characters that a key cannot have, OpenAI's endpoint has no key, or
            ``request`` has a reserved field.
    """

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        *,
        temperature: float | None = None,
        max_tokens: int | None = 1024,
        timeout: float = 120.0,
        max_retries: int = 6,
        seed: int | None = None,
        request: Mapping[str, Any] | None = None,
        variables: Sequence[str] = ("OPENAI",),
    ) -> None:
        base_url = base_url or os.environ.get(_set(variables, "_BASE_URL"))
        base_url = base_url or _DEFAULT_URL
        check_address(base_url)
        self._key = read_secret(_set(variables, "_API_KEY"))
        if base_url == _DEFAULT_URL and not self._key:
            raise ValueError(
                f"no key for {_DEFAULT_URL}: set {variables[-1]}_API_KEY, or give the "
                f"address of another endpoint as base_url or {variables[-1]}_BASE_URL"
            )
        request = dict(request or {})
        reserved = [name for name in _OWN_FIELDS if name in request]
        if reserved:
            raise ValueError(f"request={request!r:.80} must not have {reserved[0]!r}")
        self._endpoint = endpoint_at(base_url)
        self._model, self._timeout, self._retries = model, timeout, max_retries
        self._max_tokens = max_tokens
        given = {"temperature": temperature, "seed": seed}
        fields = {name: value for name, value in given.items() if value is not None}
        self._fields: dict[str, Any] = {"model": model, **fields, **request}

    def complete(
        self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]] = ()
    ) -> Completion:
        """Request the next message of a conversation.

        Args:
            messages: The conversation so far.
            tools: The tools that the model can call, as chat completions have them.

        Raises:
            ContextTooLongError: If the endpoint reports that.
            MalformedAnswerError: If the answer is not a completion.
            EndpointError: If the call failed, after all retries; the message has the
                endpoint's address and the cause.
        """
        return self.complete_encoded(b",".join(map(encode_message, messages)), tools)

    def complete_encoded(
        self, messages: bytes, tools: Sequence[Mapping[str, Any]] = ()
    ) -> Completion:
        """Request the next message of a conversation that is encoded already.

        Args:
            messages: The messages as JSON, each by ``encode_message``, joined by
                commas.
            tools: As in :meth:`complete`.

        Raises:
            EndpointError: As :meth:`complete`.
        """
        begin = time.perf_counter()
        try:
            answer = self._post(messages, tools)
        except EndpointStatusError as error:
            if not self._learn(str(error)):
                raise
            answer = self._post(messages, tools)
        return answer._replace(latency=time.perf_counter() - begin)

    def _post(self, messages: bytes, tools: Sequence[Mapping[str, Any]]) -> Completion:
        fields = dict(self._fields)
        if tools:
            fields["tools"] = list(tools)
        limited = self._max_tokens is not None
        if limited and not any(name in fields for name in _TOKEN_FIELDS):
            fields[_TOKEN_FIELDS[self._wants_completion_tokens]] = self._max_tokens
        head = json.dumps(fields, separators=(",", ":")).encode()
        body = head[:-1] + b',"messages":[' + messages + b"]}"
        data = self._endpoint.post(body, self._key, self._timeout, self._retries)
        try:
            return parse_completion(data)
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


def _set(prefixes: Sequence[str], suffix: str) -> str:
    """Return the first environment variable that is set, or the last one's name."""
    names = [f"{prefix}{suffix}" for prefix in prefixes]
    return next((name for name in names if os.environ.get(name)), names[-1])
