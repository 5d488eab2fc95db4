"""The listening socket of all servers."""

from __future__ import annotations

import socket
from typing import Any

from aq_gym.integrations.access import Access

# Connections that wait to be accepted. One that finds no place is tried again by its
# client after 1, 3, 7, ... seconds.
_QUEUE = 4_096
# Connections that are refused before the open ones are served again.
_AT_ONCE = 128
# Seconds after which a silent connection is accepted, too.
_SILENT = 10
_ESTABLISHED = 1  # TCP_ESTABLISHED of Linux
# The longest head of a request, as h11 and http.server limit it.
_LONGEST = 65_536
_BODY = b"a token is needed: Authorization: Bearer, or the address aq-gym printed\n"
_REFUSAL = (
    b"HTTP/1.1 401 Unauthorized\r\nContent-Type: text/plain\r\n"
    b"WWW-Authenticate: Bearer\r\nConnection: close\r\n"
    b"Content-Length: %d\r\n\r\n%s" % (len(_BODY), _BODY)
)


def has_left(opened: socket.socket) -> bool:
    """Return whether the client of a connection has closed it; False if unknown."""
    if not hasattr(socket, "TCP_INFO"):
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
    """

    def __init__(self, bound: socket.socket, access: Access) -> None:
        super().__init__(fileno=bound.detach())
        self.setblocking(False)
        self._access = access

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
            opened, address = super().accept()
            if self._admits(opened):
                return opened, address
            opened.close()
        raise BlockingIOError

    def _admits(self, opened: socket.socket) -> bool:
        if has_left(opened):
            return False
        opened.setblocking(False)
        try:
            begun = opened.recv(_LONGEST, socket.MSG_PEEK)
            if self._access.admits(begun, whole=len(begun) == _LONGEST):
                return True
            # If anything is unread, the client gets a reset in place of the answer.
            opened.recv(_LONGEST)
            opened.send(_REFUSAL)
        except BlockingIOError:
            return True
        except OSError:
            pass
        return False
