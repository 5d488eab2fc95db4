"""A server's sessions, connections, messages and time are limited."""

import contextlib
import time

import pytest

pytest.importorskip("openenv", reason="needs openenv, as in .ci/integrations")
from websockets.exceptions import ConnectionClosed

from aq_gym.integrations.openenv import TextEnvClient
from integrations.openenv.served import MASTERMIND, eventually, forked
from integrations.openenv.sockets import abort, frame, raw, session
from integrations.openenv.wire import Wire

# Warnings of the package are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")


def test_there_are_only_so_many_sessions():
    with forked(MASTERMIND, "--max-sessions", "2") as server, Wire(server) as first:
        with Wire(server) as second, Wire(server) as third:
            first.reset(seed=0)
            second.reset(seed=0)
            assert third.next()["data"]["code"] == "CAPACITY_REACHED"
        eventually(lambda: _has_room(server))


def _has_room(server):
    with Wire(server) as wire, contextlib.suppress(KeyError, ConnectionClosed):
        return "observation" in wire.reset(seed=0)


@pytest.mark.parametrize(
    ("limit", "why"),
    [("--idle-timeout", "idle for 3 seconds"), ("--max-age", "ended after 3 seconds")],
)
def test_a_session_ends_in_time(limit, why, tmp_path):
    with forked(MASTERMIND, limit, "3", "--trajectories", str(tmp_path)) as server:
        with Wire(server) as wire:
            wire.reset(seed=0)
            answer = wire.next()
            assert why in answer["data"]["message"]
            with pytest.raises(ConnectionClosed) as error:
                wire.next()
        assert error.value.rcvd.code == 1001
        # The environment is closed before the server ends.
        eventually(lambda: _closed(tmp_path) == 1)
        client = TextEnvClient(base_url=server.url).sync()
        with client:
            client.reset(seed=0)
            eventually(lambda: _closed(tmp_path) == 2)
            with pytest.raises(RuntimeError, match="followed by a new session"):
                client.step("Guess: 1234")
            assert client.reset(seed=0).observation.text


def _closed(folder):
    return sum('"closed"' in file.read_text() for file in folder.iterdir())


def test_garbage_does_not_make_a_session_older():
    with (
        forked(MASTERMIND, "--max-age", "2") as server,
        Wire(server) as wire,
        pytest.raises(ConnectionClosed),
    ):
        while True:
            wire.ask("garbage")


def test_a_longer_message_ends_its_session():
    with forked(MASTERMIND, "--max-message", "1000") as server, Wire(server) as wire:
        assert "observation" in wire.reset(seed=0)
        with pytest.raises(ConnectionClosed) as error:
            wire.step("x" * 1000)
    assert error.value.rcvd.code == 1009


def test_a_flood_of_connections_keeps_nobody_out():
    """Silent, slow and broken ones: a client with a session, and a new one, play on."""
    begun = b"GET /hea", b"", b"\x16\x03\x01" * 100, b"POST /reset HTTP/1.1\r\nHost: a"
    with forked(MASTERMIND) as server, Wire(server) as wire:
        before = server.descriptors()
        wire.reset(seed=0)
        with contextlib.ExitStack() as stack:
            for number in range(900):
                stack.enter_context(raw(server, begun[number % len(begun)]))
            assert wire.step("Guess: 1234")["reward"] is not None
            assert server.get("/health")[0] == 200
            with Wire(server) as another:
                assert "observation" in another.reset(seed=0)
        eventually(lambda: server.descriptors() <= before)


def test_connections_are_limited():
    with (
        forked(MASTERMIND, "--max-sessions", "4", _OTHERS=8) as server,
        contextlib.ExitStack() as stack,
    ):
        for _ in range(12):
            stack.enter_context(raw(server))
        assert server.get("/health")[0] == 503
        stack.close()
        eventually(lambda: server.get("/health")[0] == 200)


def test_clients_that_vanish_leave_nothing():
    with forked(MASTERMIND, "--max-sessions", "4") as server:
        with Wire(server) as wire:
            wire.reset(seed=0)
        time.sleep(0.5)
        files, threads = server.descriptors(), server.threads()
        for number in range(200):
            opened = session(server)
            if number % 3:
                opened.sendall(frame(type="reset", data={}))
            if number % 3 == 2:
                opened.recv(4096)
                opened.sendall(frame(type="step", data={"text": "a"}))
            abort(opened)
        eventually(lambda: server.descriptors() <= files)
        eventually(lambda: server.threads() <= threads)
        eventually(lambda: _has_room(server))
    assert not server.rest


def test_a_client_that_reads_nothing_is_closed():
    with forked(MASTERMIND, _UNTAKEN=1000, _REPLY=1.0) as server:
        server.get("/health")
        time.sleep(0.5)
        files = server.descriptors()
        data = frame(type="step", data={"text": "x" * 90_000})
        with session(server) as opened, contextlib.suppress(OSError):
            opened.sendall(frame(type="reset", data={}))
            while True:
                opened.sendall(data)
        eventually(lambda: server.descriptors() <= files)
    assert not server.rest
