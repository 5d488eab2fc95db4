"""Listen at an address, and serve an ASGI application there with uvicorn."""

from __future__ import annotations

import ipaddress
import signal
import socket
from collections.abc import Callable

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from aq_gym.integrations.guard import Guard
from aq_gym.integrations.listener import Listener

# Seconds for running steps to end before the server does.
_GRACE = 10
# Connections besides those of the sessions: new ones, and requests over HTTP.
_OTHERS = 4096
# New connections that are accepted before the open ones are read again. With uvicorn's
# default of 2,048, a flood of connections delays all others until they are refused.
_AT_ONCE = 128
# Milliseconds in which a client's machine must acknowledge what was sent to it.
_UNTAKEN = 60_000


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
    app: Guard,
    bound: socket.socket,
    sessions: int,
    announce: Callable[[], None],
    *,
    longest_message: int | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM.

    Sessions are closed, and steps that are running have 10 seconds to end; a second
    SIGINT ends the wait.

    Args:
        app: The application.
        bound: The socket.
        sessions: The most sessions at a time, each a connection.
        announce: Called when connections are accepted.
        longest_message: The longest message of a WebSocket, in bytes; None for a
            server without WebSockets.
    """
    config = uvicorn.Config(
        app,
        loop="asyncio",
        http=_Protocol,
        ws="none" if longest_message is None else "websockets-sansio",
        ws_max_size=longest_message or 0,
        ws_per_message_deflate=False,
        lifespan="on",
        interface="asgi3",
        log_config=None,
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=_AT_ONCE,
        limit_concurrency=sessions + _OTHERS,
        timeout_graceful_shutdown=_GRACE,
    )
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        # Connections inherit this option: uvicorn never ends one whose client reads
        # nothing.
        bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _UNTAKEN)
    _allow_files(sessions + _OTHERS + 256)
    handled = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, _ignore) for number in handled}
    try:
        # The socket already listens: a client that connects now will be served soon.
        announce()
        uvicorn.Server(config).run(sockets=[Listener(bound, app.access, keeps=True)])
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Protocol(H11Protocol):
    """uvicorn's protocol, for clients that end their side or break off a body."""

    # asyncio takes a bool; uvicorn, where it is installed, says None.
    def eof_received(self) -> bool:  # type: ignore[override, unused-ignore]
        """Return whether the client awaits an answer, having sent its whole request."""
        cycle = self.cycle
        return bool(cycle and not cycle.more_body and not cycle.response_started)

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP, in place of the application, or end its answer."""
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.close()


def _allow_files(number: int) -> None:
    """Raise the limit of open files, often lower than that of connections."""
    try:
        import resource
    except ModuleNotFoundError:
        return  # Windows has no such limit.
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < number:
        wanted = number if hard == resource.RLIM_INFINITY else min(number, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _ignore(number: int, frame: object) -> None:
    """Ignore the signal that uvicorn, ended by it, raises again."""
