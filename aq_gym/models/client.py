"""Clients of language models, including that of chat completions."""

from __future__ import annotations

import json
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from aq_gym.models.completion import Completion, parse_completion
from aq_gym.models.endpoint import EndpointStatusError, check_address, endpoint_at
from aq_gym.models.messages import Message, chat_message
from aq_gym.support.redaction import read_secret

_T = TypeVar("_T")


class ModelClient(ABC):
    """Requests answers from one model.

    Connections are kept and shared by all clients of the process. Temporary failures
    are retried; see ``Endpoint.post``.

    Args:
        model: The model's name.
        base_url: The endpoint; by default the one in the environment variables, or else
            the API's own. Redirects are not followed.
        temperature: The sampling temperature; None leaves it to the endpoint.
        max_tokens: The longest answer, in tokens; None leaves it to the endpoint.
        timeout: Seconds for a call, until the last byte of its answer.
        max_retries: The number of retries.
        seed: The sampling seed; None sends none.
        request: Further fields of each request, such as ``{"top_p": 0.9}``.
        variables: The prefixes of the environment variables ``*_BASE_URL`` and
            ``*_API_KEY``. The first one that is set counts; by default the API's own
            prefix. Local servers need no key.

    Raises:
        ValueError: If the endpoint is not an http:// or https:// address, the key has
            characters that a key cannot have, the API's own endpoint has no key, or
            ``request`` has a reserved field.
    """

    _default_url: ClassVar[str] = "https://api.openai.com/v1"
    _variables: ClassVar[Sequence[str]] = ("OPENAI",)
    _path: ClassVar[str]
    _own_fields: ClassVar[Sequence[str]]
    # The fields for the longest answer; the second is used if the first is refused.
    _token_fields: ClassVar[Sequence[str]]
    # The defaults of a request that the API accepts.
    _not_taken: ClassVar[Sequence[str]] = ()

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
        variables: Sequence[str] = (),
    ) -> None:
        variables = variables or self._variables
        base_url = base_url or os.environ.get(_set(variables, "_BASE_URL"))
        base_url = base_url or self._default_url
        check_address(base_url)
        self._key = read_secret(_set(variables, "_API_KEY"))
        if base_url == self._default_url and not self._key:
            raise ValueError(
                f"no key for {base_url}: set {variables[-1]}_API_KEY, or give the "
                f"address of another endpoint as base_url or {variables[-1]}_BASE_URL"
            )
        request = dict(request or {})
        reserved = [name for name in self._own_fields if name in request]
        if reserved:
            raise ValueError(f"request={request!r:.80} must not have {reserved[0]!r}")
        self._endpoint = endpoint_at(base_url)
        self._model, self._timeout, self._retries = model, timeout, max_retries
        self._max_tokens = max_tokens
        given = {"temperature": temperature, "seed": seed}
        fields = {name: value for name, value in given.items() if value is not None}
        self._fields: dict[str, Any] = {**fields, **request}

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[Mapping[str, Any]] = (),
        defaults: Mapping[str, Any] | None = None,
    ) -> Completion:
        """Request the next message of a conversation.

        Args:
            messages: The conversation so far.
            tools: The tools that the model can call, as chat completions have them.
            defaults: Fields for which the client has no value, sent if the API has
                them.

        Raises:
            ContextTooLongError: If the endpoint reports that the conversation is too
                long.
            MalformedAnswerError: If the answer is not a completion.
            EndpointError: If the call failed, after all retries; the message has the
                endpoint's address and the cause.
        """
        body = self._body(messages, tools)
        taken = {
            name: value
            for name, value in (defaults or {}).items()
            if name not in self._not_taken
        }
        begin = time.perf_counter()
        try:
            answer = self._post(body, taken)
        except EndpointStatusError as error:
            if not self._learn(str(error)):
                raise
            answer = self._post(body, taken)
        return answer._replace(latency=time.perf_counter() - begin)

    @abstractmethod
    def _body(
        self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        """Return the fields of a request that hold the messages and the tools."""

    @abstractmethod
    def _parse(self, data: bytes) -> Completion:
        """Read the body of an answer; raises ValueError if it has another form."""

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._key}"} if self._key else {}

    def _post(self, body: Mapping[str, Any], defaults: Mapping[str, Any]) -> Completion:
        completion, retries = self._send(body, self._parse, defaults)
        return completion._replace(retries=retries)

    def _send(
        self,
        body: Mapping[str, Any],
        read: Callable[[bytes], _T],
        defaults: Mapping[str, Any],
    ) -> tuple[_T, int]:
        """Send a request; return the answer as read, and the number of retries."""
        fields = {"model": self._model, **defaults, **self._fields}
        limited = self._max_tokens is not None
        if limited and not any(name in fields for name in self._token_fields):
            fields[self._token_fields[self._wants_other_field]] = self._max_tokens
        head = json.dumps(fields, separators=(",", ":"))
        said = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
        text = f"{head[:-1]},{said[1:]}"
        return self._endpoint.post(
            self._path,
            text.encode(errors="replace"),
            self._headers(),
            self._timeout,
            self._retries,
            read,
        )

    @property
    def _wants_other_field(self) -> bool:
        return self._model in self._endpoint.wants_completion_tokens

    def _learn(self, refusal: str) -> bool:
        """Remember the other token field, if a refusal newly asks for it."""
        other = self._token_fields[1:]
        if not other or other[0] not in refusal or self._wants_other_field:
            return False
        self._endpoint.wants_completion_tokens.add(self._model)
        return True


class ChatClient(ModelClient):
    """Requests chat completions: OpenAI, vLLM, llama.cpp, Ollama, LiteLLM, ...

    An endpoint that refuses ``max_tokens`` gets ``max_completion_tokens`` from then on.
    The arguments are those of :class:`ModelClient`.
    """

    _path = "/chat/completions"
    _own_fields = ("messages", "model", "stream")
    _token_fields = ("max_tokens", "max_completion_tokens")

    def _body(
        self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        offered = {"tools": list(tools)} if tools else {}
        return {**offered, "messages": list(map(chat_message, messages))}

    def _parse(self, data: bytes) -> Completion:
        return parse_completion(data)


def _set(prefixes: Sequence[str], suffix: str) -> str:
    """Return the first environment variable that is set, or the last one's name."""
    names = [f"{prefix}{suffix}" for prefix in prefixes]
    return next((name for name in names if os.environ.get(name)), names[-1])
