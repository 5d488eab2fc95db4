"""Authorize requests before they reach OpenEnv."""

from __future__ import annotations

from collections.abc import Collection
from http import HTTPStatus

from aq_gym.integrations.access import Refusal
from aq_gym.integrations.guard import (
    App,
    Guard,
    Message,
    Receive,
    Scope,
    Send,
    send_json,
)
from aq_gym.integrations.openenv.session import Limits, bound

_GET = ("/health", "/metadata", "/schema", "/openapi.json", "/list_environments")
# Routes of OpenEnv that would make an environment for each request.
_NEEDS_SESSION = ("/reset", "/step", "/state")
# What OpenEnv's page sends; other routes of gradio would write files.
_PAGE_POSTS = ("/web/reset", "/web/step", "/web/gradio_api/queue/join")
_NO_TOOLS = {
    "jsonrpc": "2.0",
    "id": None,
    "error": {
        "code": -32601,
        "message": "this server has no MCP tools: `aq-gym mcp` serves them",
    },
}


class Gate(Guard):
    """The guard of OpenEnv's server.

    - ``/health``, which says only that the server runs, needs no token.
    - Episodes are played over the WebSocket, one session per connection. Over HTTP
      there are no sessions, so ``/reset``, ``/step`` and ``/state`` are refused.

    Args:
        app: OpenEnv's application.
        limits: The limits of a session.
        token: The token, "" for none.
        hosts: The hosts that a request may name, without port; None for any.
        web: Whether ``app`` has OpenEnv's page, at ``/web``.
    """

    def __init__(
        self,
        app: App,
        limits: Limits,
        token: str = "",
        hosts: Collection[str] | None = None,
        web: bool = False,
    ) -> None:
        super().__init__(app, token, hosts, public="/health", pages=web)
        self._limits = limits

    async def forward(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request, a WebSocket under the limits of a session."""
        if scope["type"] == "websocket":
            await bound(self.app, self._limits, scope, receive, send)
        elif scope["path"] == "/mcp":
            await send_json(scope, send, HTTPStatus.OK, _NO_TOOLS)
        else:
            bounded = _at_most(self._limits.message, receive)
            await self.app(scope, bounded, send)

    def refuse_route(self, scope: Scope) -> Refusal | None:
        """Return the refusal of a route that the server lacks, or None."""
        if self.pages and (scope["path"] in ("/", "/ws/ui") or _is_page(scope["path"])):
            return _of_page(scope)
        return _of_websocket(scope) if scope["type"] == "websocket" else _of_http(scope)


def _is_page(path: str) -> bool:
    return path == "/web" or path.startswith("/web/")


def _of_page(scope: Scope) -> Refusal | None:
    if scope.get("method") in (None, "GET", "HEAD") or scope["path"] in _PAGE_POSTS:
        return None
    return Refusal(HTTPStatus.METHOD_NOT_ALLOWED, "the page does not need this")


def _at_most(most: int, receive: Receive) -> Receive:
    """Return a function that receives a body, and disconnects a longer one."""
    left = most

    async def bounded() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        return message if left >= 0 else {"type": "http.disconnect"}

    return bounded


def _of_websocket(scope: Scope) -> Refusal | None:
    if scope["path"] != "/ws":
        return Refusal(HTTPStatus.NOT_FOUND, "sessions are at /ws")
    if scope["query_string"]:
        # OpenEnv would attach the connection to the session that a query names.
        return Refusal(
            HTTPStatus.BAD_REQUEST, "/ws takes no query: a connection is a session"
        )
    return None


def _of_http(scope: Scope) -> Refusal | None:
    path, method = scope["path"], scope["method"]
    if path in _NEEDS_SESSION:
        return Refusal(
            HTTPStatus.UPGRADE_REQUIRED,
            f"{path} needs a session, which HTTP does not have: connect to the "
            "WebSocket /ws, as clients of OpenEnv do",
            ((b"upgrade", b"websocket"),),
        )
    if path in _GET and method not in ("GET", "HEAD"):
        return Refusal(HTTPStatus.METHOD_NOT_ALLOWED, f"{path} is read with GET")
    if path not in (*_GET, "/mcp"):
        return Refusal(HTTPStatus.NOT_FOUND, f"there are {', '.join(_GET)} and /ws")
    return None
