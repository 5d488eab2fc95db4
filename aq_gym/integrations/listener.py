"""The listening socket of all servers."""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import sys
from typing import Any

from aq_gym.integrations.access import Access, Client

# Connections that wait to be accepted. One that finds no place is tried again by its
# client after 1, 3, 7, ... seconds.
_QUEUE = 4_096
# Connections that are refused before the open ones are served again.
_AT_ONCE = 128
# Seconds after which a silent connection is accepted, too.
_SILENT = 10
_ESTABLISHED = 1  # TCP_ESTABLISHED of Linux
# Clients that have ended their side and are served before no connection waits: most
# have left.
_MOST_ENDED = 8
# The longest head of a request, as h11 and http.server limit it.
_LONGEST = 65_536
# Connections of unknown clients that are kept; for a new one the oldest is ended.
_MOST_UNKNOWN = 256
_BODY = b"a token is needed: Authorization: Bearer, or the address aq-gym printed\n"
_REFUSAL = (
    b"HTTP/1.1 401 Unauthorized\r\nContent-Type: text/plain\r\n"
    b"WWW-Authenticate: Bearer\r\nConnection: close\r\n"
    b"Content-Length: %d\r\n\r\n%s" % (len(_BODY), _BODY)
)


def _has_ended(opened: socket.socket) -> bool:
    """Return whether the client of a connection has ended its side.

    It has closed the connection, or sends nothing more; False if unknown.
    """
    if sys.platform != "linux":
        return False
    state = opened.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)
    return state[0] != _ESTABLISHED


class Listener(socket.socket):
    """A listening socket that refuses strangers when it accepts their connections.

    A server needs a tenth of a millisecond or more for a request, even for one that it
    refuses: under a flood, a client would wait for a second and more. What has arrived
    of a request when its connection is accepted is looked at here. Other requests are
    refused by the server.

    Args:
        bound: A bound socket, which is closed.
        access: Decides which requests are allowed.
        keeps: Whether the unknown clients are kept in ``access``, for a server that
            would wait for their requests for ever.
    """

    def __init__(
        self, bound: socket.socket, access: Access, keeps: bool = False
    ) -> None:
        super().__init__(fileno=bound.detach())
        self.setblocking(False)
        self._access, self._keeps = access, keeps
        self._ended = 0
        # Closed for a connection that is refused because no other file can be opened.
        self._spare = os.open(os.devnull, os.O_RDONLY)

    def listen(self, backlog: int = _QUEUE) -> None:
        """Listen, with a queue at least as long as that of all servers."""
        if hasattr(socket, "TCP_DEFER_ACCEPT"):
            # A connection is accepted when its client has sent something.
            self.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, _SILENT)
        super().listen(max(backlog, _QUEUE))

    def accept(self) -> tuple[socket.socket, Any]:
        """Return the next connection that may be a client's, and its address.

        Raises:
            BlockingIOError: If there is none.
        """
        for _ in range(_AT_ONCE):
            try:
                opened, address = super().accept()
            except OSError as error:
                if error.errno not in (errno.EMFILE, errno.ENFILE):
                    self._ended = 0
                    raise
                self._refuse_without_files()
                continue
            client = self._client(opened)
            if client is not Client.STRANGER:
                if self._keeps and client is Client.UNKNOWN:
                    self._keep(address[:2], opened)
                return opened, address
            opened.close()
        raise BlockingIOError

    def close(self) -> None:
        """Close the socket."""
        self._close_spare()
        super().close()

    def _close_spare(self) -> None:
        spare, self._spare = self._spare, -1
        if spare >= 0:
            os.close(spare)

    def _refuse_without_files(self) -> None:
        """Close the next connection, which would otherwise stay the next one."""
        self._close_spare()
        try:
            super().accept()[0].close()
        except BlockingIOError:
            raise
        except OSError:
            pass
        finally:
            with contextlib.suppress(OSError):
                self._spare = os.open(os.devnull, os.O_RDONLY)

    def _keep(self, address: tuple[str, int], opened: socket.socket) -> None:
        unknown = self._access.unknown
        unknown[address] = opened
        if len(unknown) > _MOST_UNKNOWN:
            # Of one that has ended, this fails.
            with contextlib.suppress(OSError):
                unknown.pop(next(iter(unknown))).shutdown(socket.SHUT_RDWR)

    def _client(self, opened: socket.socket) -> Client:
        try:
            ended = _has_ended(opened)
            opened.setblocking(False)
            begun = opened.recv(_LONGEST, socket.MSG_PEEK)
            if ended and not self._may_await(begun):
                return Client.STRANGER
            found = self._access.client(begun, most=len(begun) == _LONGEST)
            if found is Client.STRANGER:
                # If anything is unread, the client gets a reset instead of the answer.
                opened.recv(_LONGEST)
                opened.send(_REFUSAL)
        except BlockingIOError:
            return Client.UNKNOWN
        except OSError:
            return Client.STRANGER
        return found

    def _may_await(self, begun: bytes) -> bool:
        """Return whether a client that has ended its side may await an answer."""
        if b"\r\n\r\n" not in begun:
            return False
        self._ended += 1
        return self._ended <= _MOST_ENDED or not self._keeps
