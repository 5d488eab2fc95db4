"""Connections are refused when they are accepted."""

import asyncio
import contextlib
import os
import select
import socket

import pytest

from aq_gym.integrations import listener as module
from aq_gym.integrations.access import LOCAL_NAMES, Access
from aq_gym.integrations.guard import Guard, send_json
from aq_gym.integrations.listener import Listener

TOKEN = "a-token-of-a-test"
BEARER = f"\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode()


@pytest.fixture
def listening():
    with contextlib.ExitStack() as stack:

        def listen(token=TOKEN, pages=False):
            bound = socket.socket()
            bound.bind(("127.0.0.1", 0))
            access = Access(token, LOCAL_NAMES, pages, "" if pages else "/health")
            listener = Listener(bound, access, keeps=not pages)
            stack.enter_context(listener)
            listener.listen()

            def connect(sent=b""):
                # A connection that finds no place is tried again after a second.
                address = listener.getsockname()
                opened = socket.create_connection(address, timeout=0.9)
                opened.sendall(sent)
                if sent:  # The system may deliver it a moment later.
                    assert select.select([listener], [], [], 60)[0]
                return stack.enter_context(opened)

            return listener, connect

        yield listen


@pytest.mark.parametrize(
    ("sent", "pages"),
    [
        (b"GET / HTTP/1.1" + BEARER, False),
        (b"POST /mcp HTTP/1.1\r\nauthorization:bearer " + BEARER[24:], False),
        (b"GET /health HTTP/1.1\r\n\r\n", False),
        (b"HEAD /health?probe=1 HTTP/1.1\r\n\r\n", False),
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
        (b"GET /healthy HTTP/1.1\r\n\r\n", False, b"HTTP/1.1 401 "),
        (b"GET /health HTTP/1.1\r\n\r\n", True, b"HTTP/1.1 401 "),
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
    connect(b"GET / HTTP/1.1\r\nHost: a").close()
    connect(b"GET /own HTTP/1.1" + BEARER)
    with listener.accept()[0] as opened:
        assert opened.recv(8) == b"GET /own"


def test_a_client_that_ends_its_side_is_served(listening):
    listener, connect = listening()
    sent = b"GET / HTTP/1.1" + BEARER
    connect(sent).shutdown(socket.SHUT_WR)
    with listener.accept()[0] as opened:
        assert opened.recv(1_000) == sent


def test_few_clients_that_have_left_keep_others_waiting(listening, monkeypatch):
    monkeypatch.setattr(module, "_MOST_ENDED", 2)
    listener, connect = listening(token="")
    for name in (b"/1", b"/2", b"/3", b"/4"):
        connect(b"GET " + name + b" HTTP/1.1\r\n\r\n").close()
    connect(b"GET /5 HTTP/1.1\r\n\r\n")
    for name in (b"/1", b"/2", b"/5"):
        with listener.accept()[0] as opened:
            assert opened.recv(6) == b"GET " + name
    with pytest.raises(BlockingIOError):
        listener.accept()
    connect(b"GET / HTTP/1.1\r\n\r\n").close()
    listener.accept()[0].close()


def test_every_client_of_a_page_that_ends_its_side_is_served(listening, monkeypatch):
    monkeypatch.setattr(module, "_MOST_ENDED", 0)
    listener, connect = listening(pages=True)
    connect(f"GET /{TOKEN}/ HTTP/1.1\r\n\r\n".encode()).shutdown(socket.SHUT_WR)
    listener.accept()[0].close()


def test_a_token_in_a_header_is_not_quoted(listening):
    listener, connect = listening(token="a%41-token")
    connect(b"GET / HTTP/1.1\r\nAuthorization: Bearer a%41-token\r\n\r\n")
    listener.accept()[0].close()


def test_the_oldest_unknown_client_is_ended_for_a_new_one(listening, monkeypatch):
    monkeypatch.setattr(module, "_MOST_UNKNOWN", 2)
    listener, connect = listening()
    begun = [connect(b"GET / HT"), connect(b"GET / HTTP/1.1" + BEARER)]
    begun += [connect(b"GET / HT"), connect(b"GET /health HTTP/1.1\r\n\r\n")]
    accepted = [listener.accept()[0] for _ in begun]
    assert begun[0].recv(1) == b""
    for opened, client in zip(accepted[1:], begun[1:], strict=True):
        opened.send(b"H")
        assert client.recv(1) == b"H"
    for opened in accepted:
        opened.close()


class Open(Guard):
    async def forward(self, scope, receive, send):
        await send_json(scope, send, 200, {})

    def refuse_route(self, scope):
        return None


@pytest.mark.parametrize(
    ("path", "given", "left"), [("/", TOKEN, 0), ("/", "x", 1), ("/health", TOKEN, 1)]
)
def test_a_client_that_shows_the_token_is_kept(path, given, left):
    guard = Open(None, TOKEN, LOCAL_NAMES, public="/health")
    client = ("127.0.0.1", 5)
    guard.access.unknown[client] = None
    headers = [(b"host", b"localhost"), (b"authorization", b"Bearer " + given.encode())]
    scope = {"type": "http", "path": path, "headers": headers, "client": list(client)}

    async def send(event):
        pass

    asyncio.run(guard(scope, None, send))
    assert len(guard.access.unknown) == left


def test_without_a_free_file_a_connection_is_closed_and_does_not_stay(listening):
    resource = pytest.importorskip("resource")
    listener, connect = listening()
    clients = [connect(b"GET / HTTP/1.1" + BEARER) for _ in range(2)]
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    free = os.dup(0)
    os.close(free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free, hard))
    try:
        with pytest.raises(BlockingIOError):
            listener.accept()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    for client in clients:
        with contextlib.suppress(ConnectionResetError):
            assert client.recv(1) == b""
    connect(b"GET / HTTP/1.1" + BEARER)
    listener.accept()[0].close()


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
