"""Connections to a server without a library, which can break the protocol."""

import json
import socket
import struct


def raw(server, data=b""):
    """Connect without a protocol."""
    opened = socket.create_connection(("127.0.0.1", server.port), timeout=120)
    opened.sendall(data)
    return opened


def session(server):
    """Begin a session without a library."""
    opened = raw(
        server,
        b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
        b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
    )
    assert b"101" in opened.recv(4096)
    return opened


def frame(**message):
    """Return a message as the bytes of a WebSocket."""
    data = json.dumps(message).encode()
    return b"\x81\xff" + struct.pack("!Q", len(data)) + bytes(4) + data


def abort(opened):
    """End a connection without a word."""
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    opened.close()
