"""A server's sessions, connections, messages and time are limited."""

import contextlib
import itertools
import select
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


def test_a_message_of_too_many_fragments_ends_its_session():
    state = ['{"type": ', *[" "] * 1020, '"state"', "}"]
    with forked(MASTERMIND) as server, Wire(server) as wire:
        wire.socket.send(iter(state))
        assert wire.next()["type"] == "state"
        with pytest.raises(ConnectionClosed):
            wire.socket.send(itertools.repeat(""))
        with Wire(server) as another:
            assert "observation" in another.reset(seed=0)
    assert not server.rest


def test_connections_that_are_not_used_end():
    with forked(MASTERMIND, _HTTP=1.0) as server:
        before = server.descriptors()
        begun = (
            b"POST /reset HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{"
        )
        for data in (b"", b"GET /hea", begun):
            with raw(server, data) as opened:
                while opened.recv(4096):
                    pass
        eventually(lambda: server.descriptors() <= before)


def test_connections_are_limited():
    constants = {"_OTHERS": 8, "_HTTP": 600.0}
    with forked(MASTERMIND, "--max-sessions", "4", **constants) as server:
        before = server.descriptors()
        with contextlib.ExitStack() as stack:
            opened = [stack.enter_context(raw(server)) for _ in range(100)]
            # One that has ended is readable.
            eventually(lambda: len(select.select(opened, [], [], 0)[0]) == 100 - 4 - 8)
            assert not select.select(opened[-4 - 8 :], [], [], 0)[0]
            eventually(lambda: server.descriptors() == before + 4 + 8)
            # Clients that send their request at once are served all the same.
            assert server.get("/health")[0] == 200
            with Wire(server) as wire:
                assert "observation" in wire.reset(seed=0)
                for _ in range(100):
                    stack.enter_context(raw(server))
                assert server.get("/health")[0] == 200
                assert wire.step("Guess: 1234")["reward"] is not None
        eventually(lambda: server.descriptors() <= before)


def test_clients_that_vanish_leave_nothing():
    with forked(MASTERMIND, "--max-sessions", "4", _CLOSING=0.5) as server:
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
        with Wire(server) as wire:
            assert "observation" in wire.reset(seed=0)
    assert not server.rest


def test_a_client_that_reads_nothing_is_closed():
    with forked(MASTERMIND, _CLOSING=0.5, _REPLY=1.0) as server:
        files = server.descriptors()
        data = frame(type="step", data={"text": "x" * 90_000})
        with session(server) as opened, contextlib.suppress(OSError):
            opened.sendall(frame(type="reset", data={}))
            while True:
                opened.sendall(data)
        eventually(lambda: server.descriptors() <= files)
    assert not server.rest
