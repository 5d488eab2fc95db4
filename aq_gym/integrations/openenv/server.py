"""The server of ``aq-gym serve``."""

from __future__ import annotations

import contextlib
import functools
import ipaddress
import os
import signal
import socket
from collections.abc import Callable, Iterator
from types import FrameType

import uvicorn
from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.types import ConcurrencyConfig, ServerMode

from aq_gym.integrations.openenv.environment import Served, SessionEnvironment
from aq_gym.integrations.openenv.gate import Gate
from aq_gym.integrations.openenv.models import EpisodeState, TextAction, TextObservation
from aq_gym.integrations.openenv.protocols import HttpConnection, WebSocketConnection
from aq_gym.integrations.openenv.session import App, Limits

__all__ = ["Limits", "Served", "address", "bind", "is_local", "make_app", "serve"]

_LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")
# Seconds for running steps to end before the server does.
_GRACE = 10
# Connections besides those of the sessions: new ones, and requests over HTTP.
_OTHERS = 64
_INTERRUPTED = 130


def bind(host: str, port: int) -> socket.socket:
    """Return a socket that is bound to an address.

    Args:
        host: A name or an address; "" for all addresses.
        port: The port, 0 for a free one.

    Raises:
        OSError: If there is no such address, or the port is not free.
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
    """Return whether a bound socket can be reached from this machine alone.

    Args:
        bound: The socket.
    """
    address = str(bound.getsockname()[0]).partition("%")[0]
    return ipaddress.ip_address(address).is_loopback


def address(bound: socket.socket) -> str:
    """Return the address of a bound socket as a URL.

    Args:
        bound: The socket.
    """
    host, port = bound.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def make_app(
    served: Served, limits: Limits, token: str = "", host: str | None = None
) -> App:
    """Return the ASGI application.

    Args:
        served: What it serves.
        limits: The limits.
        token: The token that each request needs, "" for none.
        host: The host of a server that can be reached from this machine alone, which
            requests must name; None where any name will do.
    """
    app = create_fastapi_app(
        functools.partial(SessionEnvironment, served),
        TextAction,
        TextObservation,
        concurrency_config=ConcurrencyConfig(max_concurrent_envs=limits.sessions),
        env_name=served.task.id.rpartition("/")[2],
        state_cls=EpisodeState,
        mode=ServerMode.SIMULATION,
    )
    hosts = None if host is None else (*_LOCAL_NAMES, host)
    return Gate(app, limits, token, hosts)


def serve(
    app: App, bound: socket.socket, limits: Limits, announce: Callable[[], None]
) -> None:
    """Serve until SIGINT or SIGTERM; the second one ends the process at once.

    Sessions are closed, and steps that are running have 10 seconds to end.

    Args:
        app: The application.
        bound: The socket.
        limits: The limits.
        announce: Called when connections are accepted.
    """
    config = uvicorn.Config(
        app,
        loop="asyncio",
        http=HttpConnection,
        ws=WebSocketConnection,
        ws_max_size=limits.message,
        ws_per_message_deflate=False,
        lifespan="on",
        interface="asgi3",
        log_config=None,
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=limits.sessions + _OTHERS + 1,
        timeout_graceful_shutdown=_GRACE,
    )
    _Server(config, announce).run(sockets=[bound])


class _Server(uvicorn.Server):
    """A server that announces itself, and returns when it is asked to end."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce
        self.should_exit = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._announce()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle the signals; uvicorn would send itself the signal at the end."""
        handled = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, self._stop) for number in handled}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        if self.should_exit:
            os._exit(_INTERRUPTED)
        self.should_exit = True
