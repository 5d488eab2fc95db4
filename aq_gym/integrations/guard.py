"""The guard of ASGI applications."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from http import HTTPStatus
from typing import Any

from aq_gym.integrations.access import Access, Refusal

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
# A proxy may take the other one, and what follows for another client's request.
_LENGTHS = {b"content-length", b"transfer-encoding"}


class Guard(ABC):
    """An ASGI application that forwards allowed requests, and refuses all others.

    A request must name an allowed host, have no Origin, which clients of environments
    do not send, and, with a token, have it as ``Authorization: Bearer``.

    Args:
        app: The application.
        token: The token, "" for none.
        hosts: The hosts that a request may name, without port; None for any.
        public: A path that needs no token, "" for none.
        pages: Whether the application has pages of its own.
    """

    def __init__(
        self,
        app: App,
        token: str = "",
        hosts: Collection[str] | None = None,
        public: str = "",
        pages: bool = False,
    ) -> None:
        self.app = app
        self.pages = pages
        self.access = Access(token, hosts, public=public)

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
        """Return the refusal of a route that the server lacks, or None."""

    def _refusal(self, scope: Scope) -> Refusal | None:
        refusal = self.access.refuse_page(scope["headers"], own=self.pages)
        if refusal is None and {name for name, _ in scope["headers"]} >= _LENGTHS:
            refusal = Refusal(HTTPStatus.BAD_REQUEST, "a request has one length")
        if refusal is None and not self._is_public(scope):
            refusal = self.access.refuse_stranger(scope["headers"])
            if refusal is None and scope.get("client"):
                self.access.unknown.pop(tuple(scope["client"]), None)
        return refusal or self.refuse_route(scope)

    def _is_public(self, scope: Scope) -> bool:
        return scope["type"] == "http" and scope["path"] == self.access.public


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
    """Answer with JSON and end the connection, without reading the request's body.

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
