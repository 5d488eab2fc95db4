"""Authorize requests before they reach OpenEnv."""

from __future__ import annotations

import hmac
import json
from collections.abc import Collection
from http import HTTPStatus
from typing import Any, NamedTuple

from aq_gym.integrations.openenv.session import App, Limits, Receive, Scope, Send, bound

__all__ = ["Gate"]

_GET = ("/health", "/metadata", "/schema", "/openapi.json", "/list_environments")
# Routes of OpenEnv that would make an environment for each request.
_NEEDS_SESSION = ("/reset", "/step", "/state")
_NO_TOOLS = {
    "jsonrpc": "2.0",
    "id": None,
    "error": {"code": -32601, "message": "this environment has no MCP tools"},
}


class _Answer(NamedTuple):
    status: HTTPStatus
    message: str
    headers: tuple[tuple[bytes, bytes], ...] = ()


class Gate:
    """Forwards allowed requests, and rejects all others.

    - A request with another Host than the allowed ones is refused, so that no page can
      reach the server through a name of its own (DNS rebinding), and so is a request
      with an Origin, which browsers add and clients of OpenEnv do not.
    - With a token, a request needs it as ``Authorization: Bearer``, except for
      ``/health``, which says only that the server runs.
    - Episodes are played over the WebSocket, one session per connection. Over HTTP
      there are no sessions, so that ``/reset``, ``/step`` and ``/state`` are refused.

    Args:
        app: OpenEnv's application.
        limits: The limits of a session.
        token: The token, "" for none.
        hosts: The hosts that a request may name, without port; None for any.
    """

    def __init__(
        self,
        app: App,
        limits: Limits,
        token: str = "",
        hosts: Collection[str] | None = None,
    ) -> None:
        self._app = app
        self._limits = limits
        self._token = token.encode()
        self._hosts = None if hosts is None else {host.lower() for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request, or reject it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        answer = self._refusal(scope)
        if answer is not None:
            await _answer(scope, receive, send, answer)
        elif scope["type"] == "websocket":
            await bound(self._app, self._limits, scope, receive, send)
        elif scope["path"] == "/mcp":
            await _send(scope, send, HTTPStatus.OK, _NO_TOOLS)
        else:
            await self._app(scope, receive, send)

    def _refusal(self, scope: Scope) -> _Answer | None:
        headers = _headers(scope)
        if not self._is_named(headers.get(b"host", [])):
            return _Answer(HTTPStatus.FORBIDDEN, "this server has another name")
        if b"origin" in headers:
            return _Answer(HTTPStatus.FORBIDDEN, "pages of browsers are not served")
        if not self._is_known(headers.get(b"authorization", []), scope):
            return _Answer(
                HTTPStatus.UNAUTHORIZED,
                "a token is needed: Authorization: Bearer TOKEN",
                ((b"www-authenticate", b"Bearer"),),
            )
        return _of_websocket(scope) if scope["type"] == "websocket" else _of_http(scope)

    def _is_named(self, values: list[bytes]) -> bool:
        if self._hosts is None:
            return True
        return len(values) == 1 and _host(values[0]) in self._hosts

    def _is_known(self, values: list[bytes], scope: Scope) -> bool:
        if not self._token or (scope["type"], scope["path"]) == ("http", "/health"):
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


def _of_websocket(scope: Scope) -> _Answer | None:
    if scope["path"] != "/ws":
        return _Answer(HTTPStatus.NOT_FOUND, "sessions are at /ws")
    if scope["query_string"]:
        # OpenEnv would attach the connection to the session that a query names.
        return _Answer(
            HTTPStatus.BAD_REQUEST, "/ws takes no query: a connection is a session"
        )
    return None


def _of_http(scope: Scope) -> _Answer | None:
    path, method = scope["path"], scope["method"]
    if path in _NEEDS_SESSION:
        return _Answer(
            HTTPStatus.UPGRADE_REQUIRED,
            f"{path} needs a session, which HTTP does not have: connect to the "
            "WebSocket /ws, as clients of OpenEnv do",
            ((b"upgrade", b"websocket"),),
        )
    if path in _GET and method not in ("GET", "HEAD"):
        return _Answer(HTTPStatus.METHOD_NOT_ALLOWED, f"{path} is read with GET")
    if path not in (*_GET, "/mcp"):
        return _Answer(HTTPStatus.NOT_FOUND, f"there are {', '.join(_GET)} and /ws")
    return None


async def _answer(scope: Scope, receive: Receive, send: Send, answer: _Answer) -> None:
    if scope["type"] == "websocket":
        await receive()
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008})
            return
    body = {"detail": answer.message}
    await _send(scope, send, answer.status, body, answer.headers)


async def _send(
    scope: Scope,
    send: Send,
    status: HTTPStatus,
    body: dict[str, Any],
    headers: tuple[tuple[bytes, bytes], ...] = (),
) -> None:
    data = json.dumps(body).encode()
    kind = (
        "websocket.http.response" if scope["type"] == "websocket" else "http.response"
    )
    # The body of the request is not read; the connection ends with the answer.
    own = (
        (b"content-type", b"application/json"),
        (b"content-length", str(len(data)).encode()),
        (b"connection", b"close"),
    )
    start = {"type": f"{kind}.start", "status": status, "headers": [*own, *headers]}
    await send(start)
    await send({"type": f"{kind}.body", "body": data})
