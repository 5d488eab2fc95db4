"""Guard an ASGI application, and serve it with uvicorn."""

from __future__ import annotations

import ipaddress
import json
import signal
import socket
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from http import HTTPStatus
from typing import Any

from aq_gym.server.access import LARGEST_BODY, Access, Refusal
from aq_gym.support.process import allow_open_files

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

# The seconds that running steps have to end before the server ends.
_GRACE = 10
# The seconds of a connection without a request. Clients close theirs sooner (httpx
# after 5), so that none sends a request while the server closes the connection.
_IDLE = 75
# The number of connections allowed besides those of the sessions.
_OTHER_FILES = 256
_READS = ("GET", "HEAD")
_TOO_LARGE = Refusal(
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"send at most {LARGEST_BODY} bytes"
)


class Guard:
    """An ASGI application that forwards allowed requests and refuses all others.

    With a token, a request must have it as ``Authorization: Bearer``.

    Args:
        app: The application.
        access: Which requests are allowed.
        public: A path that needs no token, "" for none.
        writes: The paths that take requests other than GET and HEAD.
    """

    def __init__(
        self,
        app: App,
        access: Access,
        *,
        public: str = "",
        writes: Collection[str] = (),
    ) -> None:
        self._app, self._access = app, access
        self._public, self._writes = public, writes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request, or refuse it."""
        if scope["type"] != "lifespan":
            refusal = self._refusal(scope)
            if refusal is not None:
                await _refuse(scope, receive, send, refusal)
                return
        if scope["type"] == "http":
            receive = _at_most(LARGEST_BODY, receive)
        await self._app(scope, receive, send)

    def _refusal(self, scope: Scope) -> Refusal | None:
        kind, _, token = "".join(_values(scope, b"authorization")[:1]).partition(" ")
        given = token if kind.lower() == "bearer" else ""
        is_http = scope["type"] == "http"
        path = scope["path"]
        refusal = self._access.refuse(
            _values(scope, b"host"),
            _values(scope, b"origin"),
            None if is_http and path == self._public else given,
        )
        if refusal is None and is_http:
            if scope["method"] not in _READS and path not in self._writes:
                message = f"{scope['method']} {path} is not served"
                return Refusal(HTTPStatus.METHOD_NOT_ALLOWED, message)
            length = "".join(_values(scope, b"content-length"))
            if length.isdecimal() and int(length[:20]) > LARGEST_BODY:
                return _TOO_LARGE
        return refusal


def _values(scope: Scope, name: bytes) -> list[str]:
    headers = scope["headers"]
    return [value.decode("latin-1") for key, value in headers if key.lower() == name]


def _at_most(most: int, receive: Receive) -> Receive:
    """Return a function that receives a body, and disconnects a longer one."""
    left = most

    async def bounded() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        return message if left >= 0 else {"type": "http.disconnect"}

    return bounded


async def _refuse(scope: Scope, receive: Receive, send: Send, refusal: Refusal) -> None:
    if scope["type"] == "websocket":
        await receive()
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008})
            return
    await send_json(scope, send, refusal.status, {"detail": refusal.message})


async def send_json(
    scope: Scope, send: Send, status: HTTPStatus, body: dict[str, Any]
) -> None:
    """Answer with JSON and end the connection, without reading a request's body.

    Args:
        scope: The request, as ASGI describes it.
        send: Sends an event.
        status: The status of the answer.
        body: Its body.
    """
    data = json.dumps(body).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(data)).encode()),
        (b"connection", b"close"),
    ]
    if status is HTTPStatus.UNAUTHORIZED:
        headers.append((b"www-authenticate", b"Bearer"))
    is_socket = scope["type"] == "websocket"
    kind = "websocket.http.response" if is_socket else "http.response"
    await send({"type": f"{kind}.start", "status": status, "headers": headers})
    await send({"type": f"{kind}.body", "body": data})


def bind(host: str, port: int) -> socket.socket:
    """Return a socket that is bound to an address.

    Args:
        host: A name or an address; "" for all addresses.
        port: The port, 0 for a free one.

    Raises:
        OSError: If there is no such address, or the port is in use.
        ValueError: If it is not a port.
    """
    if not 0 <= port <= 65535:
        raise ValueError(f"port={port} must be from 0 to 65535")
    found = socket.getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    family, _, _, _, address = found[0]
    return socket.create_server(address[:2], family=family)


def is_local(bound: socket.socket) -> bool:
    """Return whether a bound socket can be reached only from this machine."""
    address = str(bound.getsockname()[0]).partition("%")[0]
    return ipaddress.ip_address(address).is_loopback


def address(bound: socket.socket) -> str:
    """Return the address of a bound socket as a URL."""
    host, port = bound.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(
    app: Guard, bound: socket.socket, sessions: int, announce: Callable[[], None]
) -> None:
    """Serve until SIGINT or SIGTERM.

    Sessions are closed, and steps that are running have 10 seconds to end; a second
    SIGINT ends the wait.

    Args:
        app: The application.
        bound: The socket.
        sessions: The maximum number of sessions at a time; each is a connection.
        announce: Called when connections are accepted.
    """
    import uvicorn

    config = uvicorn.Config(
        app,
        lifespan="on",
        log_config=None,
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        ws_max_size=LARGEST_BODY,
        timeout_keep_alive=_IDLE,
        timeout_graceful_shutdown=_GRACE,
    )
    allow_open_files(sessions + _OTHER_FILES)
    handled = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, _ignore) for number in handled}
    try:
        # The socket already listens: a client that connects now will be served soon.
        announce()
        uvicorn.Server(config).run(sockets=[bound])
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _ignore(number: int, frame: object) -> None:
    """Ignore the signal that ended uvicorn, which raises it again."""
