"""Sessions of a server, without OpenEnv's client."""

import json

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect


class Wire:
    """A session, message by message."""

    def __init__(self, server, **options):
        patient = {"open_timeout": 120, "ping_timeout": None, **options}
        self.socket = connect(server.ws, proxy=None, max_size=None, **patient)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.socket.close()

    def ask(self, message):
        """Send a message, and return the answer."""
        self.socket.send(
            message if isinstance(message, (str, bytes)) else json.dumps(message)
        )
        return self.next()

    def next(self):
        """Return the next answer."""
        return json.loads(self.socket.recv(timeout=120))

    def reset(self, **data):
        return self.ask({"type": "reset", "data": data})["data"]

    def step(self, text):
        return self.ask({"type": "step", "data": {"text": text}})["data"]


def refused(server, path="/ws", **options):
    """Return the status with which a WebSocket is refused."""
    with pytest.raises(InvalidStatus) as error:
        address = server.ws.removesuffix("/ws") + path
        connect(address, proxy=None, open_timeout=120, **options)
    return error.value.response.status_code
