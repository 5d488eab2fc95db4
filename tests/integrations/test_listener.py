"""Connections are refused when they are accepted."""

import contextlib
import socket

import pytest

from aq_gym.integrations.access import LOCAL_NAMES, Access
from aq_gym.integrations.listener import Listener

TOKEN = "a-token-of-a-test"
BEARER = f"\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode()


@pytest.fixture
def listening():
    with contextlib.ExitStack() as stack:

        def listen(token=TOKEN, pages=False):
            bound = socket.socket()
            bound.bind(("127.0.0.1", 0))
            access = Access(token, LOCAL_NAMES, pages)
            listener = stack.enter_context(Listener(bound, access))
            listener.listen()

            def connect(sent=b""):
                # A connection that finds no place is tried again after a second.
                address = listener.getsockname()
                opened = socket.create_connection(address, timeout=0.9)
                opened.sendall(sent)
                return stack.enter_context(opened)

            return listener, connect

        yield listen


@pytest.mark.parametrize(
    ("sent", "pages"),
    [
        (b"GET / HTTP/1.1" + BEARER, False),
        (b"POST /mcp HTTP/1.1\r\nauthorization:bearer " + BEARER[24:], False),
        (b"GET /health HTTP/1.1\r\n\r\n", False),
        (b"GET / HTTP/1.1\r\nAuthori", False),
        (b"G", False),
        (f"GET /{TOKEN}/ HTTP/1.1\r\n".encode(), True),
        (f"HEAD /{TOKEN.replace('-', '%2D')}/stamp HT".encode(), True),
    ],
)
def test_what_can_be_a_clients_is_accepted(listening, sent, pages):
    listener, connect = listening(pages=pages)
    connect(sent)
    opened, _ = listener.accept()
    with opened:
        assert opened.recv(1_000) == sent


@pytest.mark.parametrize(
    ("sent", "pages", "answer"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", False, b"HTTP/1.1 401 "),
        (b"GET / HTTP/1.1" + BEARER.replace(b"test", b"tes"), False, b"HTTP/1.1 401 "),
        (f"GET /{TOKEN}/ HTTP/1.1\r\n\r\n".encode(), False, b"HTTP/1.1 401 "),
        (b"GET / HTTP/1.1" + BEARER, True, b"HTTP/1.1 401 "),
        (f"GET /{TOKEN} HTTP/1.1\r\n".encode(), True, b"HTTP/1.1 401 "),
        (b"\x16\x03\x01", False, b"HTTP/1.1 401 "),
        (b"GET /" + b"x" * 70_000, False, b""),
    ],
)
def test_a_stranger_is_refused_at_once(listening, sent, pages, answer):
    listener, connect = listening(pages=pages)
    opened = connect(sent)
    with pytest.raises(BlockingIOError):
        listener.accept()
    with contextlib.suppress(ConnectionResetError):
        assert opened.recv(1_000).startswith(answer)


def test_a_client_that_has_left_is_not_served(listening):
    listener, connect = listening()
    connect(b"GET / HTTP/1.1" + BEARER).close()
    connect(b"GET /own HTTP/1.1" + BEARER)
    with listener.accept()[0] as opened:
        assert opened.recv(8) == b"GET /own"


def test_a_server_without_a_token_serves_everyone(listening):
    listener, connect = listening(token="")
    connect(b"GET / HTTP/1.1\r\n\r\n")
    listener.accept()[0].close()


def test_a_flood_waits_to_be_accepted_and_silent_connections_do_not_count(listening):
    listener, connect = listening()
    for _ in range(300):
        connect()
    with pytest.raises(BlockingIOError):
        listener.accept()
    for number in range(300):
        connect(b"GET / HTTP/1.1\r\n\r\n" if number else b"GET / HTTP/1.1" + BEARER)
    listener.accept()[0].close()
