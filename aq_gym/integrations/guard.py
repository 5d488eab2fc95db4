"""Who may use a server: the checks of every server of this package."""

from __future__ import annotations

import hmac
import json
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from http import HTTPStatus
from typing import Any, NamedTuple

__all__ = [
    "App",
    "Guard",
    "Message",
    "Receive",
    "Refusal",
    "Scope",
    "Send",
    "send_json",
]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class Refusal(NamedTuple):
    """The answer to a request that is not forwarded.

    Attributes:
        status: The status of the answer.
        message: What would be right.
        headers: Headers besides those of every answer.
    """

    status: HTTPStatus
    message: str
    headers: tuple[tuple[bytes, bytes], ...] = ()


class Guard(ABC):
    """An ASGI application that forwards allowed requests, and refuses all others.

    - A request with another Host than the allowed ones is refused, so that no page can
      reach the server through a name of its own (DNS rebinding), and so is a request
      with an Origin, which browsers add and clients of environments do not.
    - With a token, a request needs it as ``Authorization: Bearer``.

    Args:
        app: The application.
        token: The token, "" for none.
        hosts: The hosts that a request may name, without port; None for any.
    """

    def __init__(
        self, app: App, token: str = "", hosts: Collection[str] | None = None
    ) -> None:
        self.app = app
        self._token = token.encode()
        self._hosts = None if hosts is None else {host.lower() for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is None:
            await self.forward(scope, receive, send)
        else:
            await _refuse(scope, receive, send, refusal)

    @abstractmethod
    async def forward(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that is allowed."""

    @abstractmethod
    def refuse_route(self, scope: Scope) -> Refusal | None:
        """Return why the server has no such route, or None if it has."""

    def is_public(self, scope: Scope) -> bool:
        """Return whether a request needs no token."""
        return False

    def _refusal(self, scope: Scope) -> Refusal | None:
        headers = _headers(scope)
        if not self._is_named(headers.get(b"host", [])):
            return Refusal(HTTPStatus.FORBIDDEN, "this server has another name")
        if b"origin" in headers:
            return Refusal(HTTPStatus.FORBIDDEN, "pages of browsers are not served")
        if not self._is_known(headers.get(b"authorization", []), scope):
            return Refusal(
                HTTPStatus.UNAUTHORIZED,
                "a token is needed: Authorization: Bearer TOKEN",
                ((b"www-authenticate", b"Bearer"),),
            )
        return self.refuse_route(scope)

    def _is_named(self, values: list[bytes]) -> bool:
        if self._hosts is None:
            return True
        return len(values) == 1 and _host(values[0]) in self._hosts

    def _is_known(self, values: list[bytes], scope: Scope) -> bool:
        if not self._token or self.is_public(scope):
            return True
        kind, _, given = (values[0] if len(values) == 1 else b"").partition(b" ")
        same = hmac.compare_digest(given.strip(), self._token)
        return same and kind.lower() == b"bearer"


def _headers(scope: Scope) -> dict[bytes, list[bytes]]:
    headers: dict[bytes, list[bytes]] = {}
    for name, value in scope["headers"]:
        headers.setdefault(name.lower(), []).append(value)
    return headers


def _host(value: bytes) -> str:
    """Return the host of a Host header without its port, in lower case."""
    text = value.decode("latin-1").strip().lower()
    if text.startswith("[") and "]" in text:
        return text[1:].partition("]")[0]
    return text.partition(":")[0]


async def _refuse(scope: Scope, receive: Receive, send: Send, refusal: Refusal) -> None:
    if scope["type"] == "websocket":
        await receive()
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008})
            return
    body = {"detail": refusal.message}
    await send_json(scope, send, refusal.status, body, refusal.headers)


async def send_json(
    scope: Scope,
    send: Send,
    status: HTTPStatus,
    body: dict[str, Any],
    headers: tuple[tuple[bytes, bytes], ...] = (),
) -> None:
    """Answer with JSON, and end the connection: the request's body is not read.

    Args:
        scope: The request, as ASGI describes it.
        send: Sends an event.
        status: The status of the answer.
        body: Its body.
        headers: Headers besides those of every answer.
    """
    data = json.dumps(body).encode()
    kind = (
        "websocket.http.response" if scope["type"] == "websocket" else "http.response"
    )
    own = (
        (b"content-type", b"application/json"),
        (b"content-length", str(len(data)).encode()),
        (b"connection", b"close"),
    )
    start = {"type": f"{kind}.start", "status": status, "headers": [*own, *headers]}
    await send(start)
    await send({"type": f"{kind}.body", "body": data})
