"""Connections that are ended if they are not used as they should be.

uvicorn waits for a request, and for a client to take an answer, as long as the client
likes.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

__all__ = ["HttpConnection", "WebSocketConnection"]

# Seconds. Every answer over HTTP is short and immediate.
_HTTP = 5.0
# Of a message. Each takes memory besides its bytes, which are limited, too.
_FRAGMENTS = 1024
_CLOSING = 10.0
# The status with which a WebSocket refuses a message.
_TOO_BIG = 1009


class HttpConnection(H11Protocol):
    """A connection that ends after 5 seconds, or becomes a WebSocket.

    Only then is it known whether the client has the token. So that others do not keep
    clients out, a new connection ends the oldest of this class if there are too many.
    """

    _begun = 0.0
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begin the connection, or end it if there is no room for it."""
        # At its limit, uvicorn itself answers a request with status 503.
        full = len(self.connections) >= self.config.limit_concurrency - 1
        if full and not self._end_oldest():
            self.flow = self.transport = None
            transport.abort()
            return
        super().connection_made(transport)
        self._begun = self.loop.time()
        self._deadline = self.loop.call_later(_HTTP, transport.abort)

    def _end_oldest(self) -> bool:
        """End the oldest connection that is not a WebSocket, if there is one."""
        others: list[Any] = [
            one for one in self.connections if isinstance(one, HttpConnection)
        ]
        if not others:
            return False
        oldest = min(others, key=lambda one: one._begun)
        # It is lost only later, and others may be made until then.
        self.connections.discard(oldest)
        oldest.transport.abort()
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the connection has ended."""
        self._stop_timer()
        if self.transport is not None:
            super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Become a WebSocket."""
        self._stop_timer()
        super().handle_websocket_upgrade(event)

    def _stop_timer(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()


class WebSocketConnection(WebSocketsSansIOProtocol):
    """A WebSocket that ends whether or not the client reads what was sent to it."""

    def pause_writing(self) -> None:
        """Read nothing while the client reads nothing: its pings are answered, too."""
        super().pause_writing()
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        """Read again."""
        super().resume_writing()
        if not self.read_paused:
            self.transport.resume_reading()

    def handle_cont(self, event: Any) -> None:
        """Add a fragment to a message, or end the connection if they are too many."""
        if len(self.frames) < _FRAGMENTS:
            super().handle_cont(event)
        elif not self.close_sent:
            self.conn.fail(_TOO_BIG, f"more than {_FRAGMENTS} fragments")
            self.handle_parser_exception()
            self._end_soon()

    def keepalive_timeout(self) -> None:
        """End the connection of a client that does not answer a ping."""
        super().keepalive_timeout()
        self._end_soon()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """End the connection after its session."""
        super().on_task_complete(task)
        self._end_soon()

    def shutdown(self) -> None:
        """End the connection because the server ends."""
        super().shutdown()
        self._end_soon()

    def _end_soon(self) -> None:
        self.loop.call_later(_CLOSING, self.transport.abort)
