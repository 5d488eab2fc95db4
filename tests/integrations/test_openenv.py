"""OpenEnv, the real package: ``.ci/integrations`` installs it."""

import asyncio
import contextlib
import json
import re
import select
import signal
import socket
import struct
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aq_gym import trajectory
from aq_gym.cli import main
from integrations.same_play import COMPLETIONS, TASKS, evaluated, steps_of

pytest.importorskip("openenv", reason="needs openenv, as in .ci/integrations")
from openenv import GenericEnvClient
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from aq_gym.evaluation import Task
from aq_gym.integrations.openenv import TextAction, TextEnvClient
from aq_gym.integrations.openenv.environment import Served, SessionEnvironment
from integrations.served import ROOT, TOYS, command, eventually, forked

# Warnings of the package are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")
MASTERMIND = "aq/Mastermind-v0"
SNIPPET = re.compile(
    r"^```\{code-block\} python\n:class: (\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
TOKEN = "0123456789abcdef-0123456789abcdef"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module")
def server():
    with forked(MASTERMIND) as running:
        yield running


class Wire:
    """A session, message by message."""

    def __init__(self, server, **options):
        self.socket = connect(server.ws, proxy=None, max_size=None, **options)

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
        return json.loads(self.socket.recv(timeout=30))

    def reset(self, **data):
        return self.ask({"type": "reset", "data": data})["data"]

    def step(self, text):
        return self.ask({"type": "step", "data": {"text": text}})["data"]


def refused(server, path="/ws", **options):
    """Return the status with which a WebSocket is refused."""
    with pytest.raises(InvalidStatus) as error:
        connect(server.ws.removesuffix("/ws") + path, proxy=None, **options)
    return error.value.response.status_code


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_every_benchmark_is_played_as_by_run(task, tmp_path):
    limits = ("--max-steps", str(task.max_steps), "--trajectories", str(tmp_path))
    steps, figures = evaluated(task.name)
    with (
        forked(task.id, *limits) as server,
        TextEnvClient(base_url=server.url).sync() as env,
    ):
        result = env.reset(seed=task.seed, episode_id="mine")
        played = []
        for completion in COMPLETIONS:
            result = env.step(TextAction(text=completion))
            played.append(result)
        state = env.state()
    assert result.done
    (file,) = trajectory.iter_trajectories(tmp_path)
    assert steps_of(file) == steps
    assert file.steps[0]["notes"] == {"episode_id": "mine"}
    assert [one.reward for one in played] == [step["reward"] for step in steps]
    assert [one.metadata["progress"] for one in played] == list(figures.progress)
    assert (state.episode_id, state.step_count, state.done) == (
        "mine",
        len(steps),
        True,
    )
    for name in ("success", "progress_rate", "repetition_rate", "grounding", "ended"):
        assert state.metrics[name] == getattr(figures, name), name


def test_the_documented_loops_play(server, capsys):
    page = (ROOT / "docs" / "openenv.md").read_text()
    blocks = re.findall(
        r"^```\{code-block\} python\n:class: (\w+)\n(.*?)^```$", page, re.M | re.S
    )
    assert [name for name, _ in blocks] == ["generic", "typed", "trl"]
    names = {}
    for _, code in blocks:
        exec(
            code.replace("http://localhost:8000", f"http://localhost:{server.port}"),
            names,
        )
    printed = capsys.readouterr().out
    assert "You win when your guess is the code" in printed
    env = names["Mastermind"]()
    assert "secret code" in env.reset(seed=0, prompt="x")
    assert "correct digits" in env.act("Guess: 1234")
    assert env.get_reward() == env.total
    env.env.close()


def test_openenv_finds_that_the_server_keeps_the_protocol(server):
    from openenv.cli._validation import validate_running_environment

    report = validate_running_environment(server.url)
    assert report["passed"], report


def test_the_metadata_is_beside_the_observation(server):
    with Wire(server) as wire:
        answer = wire.reset(seed=3)
        code = answer["metadata"]["task_id"]
        assert set(answer["observation"]) == {"text", "admissible_actions"}
        assert code not in json.dumps(answer["observation"])
        answer = wire.step(f"Guess: {code}")
    assert (answer["reward"], answer["done"]) == (1.0, True)
    assert answer["metadata"]["terminated"] is True
    assert answer["metadata"]["subgoals"]["position 1"] is True


def test_admissible_actions_are_the_agents_if_the_environment_lists_them():
    with forked("aq/BabyAI-text-v0?list_actions=true") as server, Wire(server) as wire:
        answer = wire.reset(seed=0)
        assert "admissible_actions" not in answer["metadata"]
        assert len(answer["observation"]["admissible_actions"]) > 1


def test_sessions_are_apart(server):
    def alone(seed):
        with Wire(server) as wire:
            return [wire.reset(seed=seed), *map(wire.step, guesses)]

    guesses = ("Guess: 1234", "Guess: 1234", "Guess: 5678")
    expected = [alone(1), alone(2)]
    with Wire(server) as first, Wire(server) as second:
        found = [[first.reset(seed=1)], [second.reset(seed=2)]]
        for guess in guesses:
            for wire, answers in zip((first, second), found, strict=True):
                answers.append(wire.step(guess))
    assert found == expected
    assert expected[0] != expected[1]


def test_episodes_of_a_session_follow_one_another(server):
    with Wire(server) as wire:
        first = wire.reset(seed=5)
        wire.step("Guess: 1234")
        again = wire.reset(task_id=first["metadata"]["task_id"], episode_id="b")
        assert again["metadata"]["task_id"] == first["metadata"]["task_id"]
        state = wire.ask({"type": "state"})["data"]
        assert (state["episode_id"], state["step_count"]) == ("b", 0)
        assert wire.reset()["metadata"]["task_id"]


def test_a_step_without_an_episode_is_an_error(server):
    with Wire(server) as wire:
        assert "send a reset first" in wire.step("Guess: 1234")["message"]
        code = wire.reset(seed=0)["metadata"]["task_id"]
        assert wire.step(f"Guess: {code}")["done"]
        assert "send a reset first" in wire.step("Guess: 1234")["message"]
        assert "observation" in wire.reset(seed=0)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"seed": -1}, "seed=-1 must be at least 0"),
        ({"seed": True}, "seed=True must be an int or null"),
        ({"seed": 1.5}, "seed=1.5 must be an int or null"),
        ({"seed": [1]}, r"seed=\[1\] must be an int"),
        ({"task_id": 1}, "task_id=1 must be a str or null"),
        ({"task_id": "\ud800"}, "task_id="),
        ({"episode_id": "x" * 256}, "episode_id has 256 characters; at most 255"),
        ({"kwargs": {}}, "unknown key 'kwargs'; there are seed, task_id, episode_id"),
        ({"session_id": "1"}, "unknown key 'session_id'"),
    ],
)
def test_what_reset_does_not_take_is_an_error(server, data, message):
    with Wire(server) as wire:
        answer = wire.ask({"type": "reset", "data": data})
        assert answer["type"] == "error"
        assert re.search(message, answer["data"]["message"])
        assert "observation" in wire.reset(seed=0, episode_id="\ud800")


@pytest.mark.parametrize(
    "text", ["", "\ud800", "\x00\ud83d", "\U0001f600" * 1_000_000, "x" * 1_000_000]
)
def test_any_text_is_answered(server, text):
    with Wire(server) as wire:
        wire.reset(seed=0)
        answer = wire.step(text)
        assert answer["metadata"]["action_valid"] is False
        assert answer["reward"] == 0.0
        assert wire.step("Guess: 1234")["metadata"]["action_valid"] is True


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters()), inner),
    max_leaves=8,
)
KINDS = st.sampled_from(["reset", "step", "state", "mcp", "observation", ""])
MESSAGES = (
    st.binary()
    | st.text()
    | JSON.map(json.dumps)
    | st.fixed_dictionaries({"type": KINDS, "data": JSON}).map(json.dumps)
    | JSON.map(lambda one: json.dumps({"type": "step", "data": {"text": one}}))
    | JSON.map(lambda one: json.dumps({"type": "reset", "data": {"task_id": one}}))
)


@pytest.fixture(scope="module")
def open_session(server):
    with Wire(server) as wire:
        yield wire


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(MESSAGES)
def test_every_message_is_answered(open_session, message):
    answer = open_session.ask(message)
    assert answer["type"] in ("observation", "state", "error")
    if answer["type"] == "error":
        assert answer["data"]["code"] != "SESSION_ERROR"


@pytest.mark.parametrize(
    "message", ["[" * 100_000, '{"a":' * 50_000, "9" * 5_000, '{"type": NaN}', b"\xff"]
)
def test_messages_that_cannot_be_read_are_answered(open_session, message):
    assert open_session.ask(message)["type"] == "error"


def test_text_that_is_not_utf_8_ends_its_session_alone(server, open_session):
    with Wire(server) as wire:
        with pytest.raises(ConnectionClosed) as error:
            frame = b"\x81\x81" + bytes(4) + b"\xff"
            wire.socket.socket.sendall(frame)
            wire.next()
        assert error.value.rcvd.code == 1007
    assert open_session.ask({"type": "state"})["type"] == "state"


def test_mcp_is_refused(open_session, server):
    answer = open_session.ask({"type": "mcp", "data": {}})
    assert answer["data"]["code"] == "UNKNOWN_TYPE"
    assert "has no MCP tools" in server.get("/mcp", "POST")[1]
    assert refused(server, "/mcp") == 404


def test_a_connection_cannot_join_another_session(server):
    assert refused(server, "/ws?session_id=1") == 400


@pytest.mark.parametrize("path", ["/reset", "/step", "/state"])
def test_episodes_over_http_are_refused(server, path):
    status, body = server.get(path, "POST")
    assert status == 426
    assert "needs a session" in body


def test_there_is_nothing_else(server):
    assert server.get("/docs")[0] == 404
    assert server.get("/web")[0] == 404
    assert server.get("/Mastermind-v0/tasks", "POST")[0] == 404
    assert server.get("/health", "POST")[0] == 405
    assert json.loads(server.get("/metadata")[1])["name"] == MASTERMIND


def test_the_constructors_arguments_are_not_told():
    with forked(f"{MASTERMIND}?code_length=5") as server:
        paths = ("/metadata", "/schema", "/openapi.json", "/list_environments")
        assert not any("code_length" in server.get(path)[1] for path in paths)


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "", "[::1"])
def test_another_host_is_refused(server, host):
    assert server.get("/health", Host=host)[0] in (400, 403)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:80", "127.0.0.1", "[::1]:1"])
def test_this_machine_is_served(server, host):
    assert server.get("/health", Host=host)[0] == 200


def test_pages_of_browsers_are_refused(server):
    assert refused(server, origin=server.url) == 403
    assert server.get("/metadata", Origin="null")[0] == 403


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
    [("--idle-timeout", "idle for 1 second"), ("--max-age", "ended after 1 second")],
)
def test_a_session_ends_in_time(limit, why, tmp_path):
    with forked(MASTERMIND, limit, "1", "--trajectories", str(tmp_path)) as server:
        with Wire(server) as wire:
            wire.reset(seed=0)
            answer = wire.next()
            assert why in answer["data"]["message"]
            with pytest.raises(ConnectionClosed) as error:
                wire.next()
        assert error.value.rcvd.code == 1001
        # The environment is closed before the server ends.
        (file,) = tmp_path.iterdir()
        eventually(lambda: '"closed"' in file.read_text())
        client = TextEnvClient(base_url=server.url).sync()
        with client:
            client.reset(seed=0)
            time.sleep(1.5)
            with pytest.raises(RuntimeError, match="followed by a new session"):
                client.step("Guess: 1234")
            assert client.reset(seed=0).observation.text


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


def test_a_token_is_needed(tmp_path):
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n")
    with command(MASTERMIND, "--host", "0.0.0.0", "--token-file", str(file)) as server:
        assert server.get("/health", Host="any.example")[0] == 200
        for given_token in ("", TOKEN[:-1], f"{TOKEN}x", "é"):
            header = {"Authorization": f"Bearer {given_token}"}
            assert server.get("/metadata", **header)[0] == 401
            assert refused(server, additional_headers=header) == 401
        assert refused(server) == 401
        assert server.get("/metadata", **BEARER)[0] == 200
        with TextEnvClient(base_url=server.url, headers=BEARER).sync() as env:
            assert env.reset(seed=0).observation.text
            assert env.new_session().reset(seed=0).observation.text
        with open(f"/proc/{server.pid}/cmdline") as arguments:
            assert TOKEN not in arguments.read()
    assert TOKEN not in server.line + server.rest


def test_the_token_can_be_in_the_environment():
    environ = {"AQ_GYM_SERVE_TOKEN": TOKEN}
    with forked(f"{MASTERMIND}", environ=environ) as server:
        assert server.get("/metadata")[0] == 401
        assert server.get("/metadata", **BEARER)[0] == 200


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((MASTERMIND, "--host", "0.0.0.0"), "can be reached from other machines"),
        ((MASTERMIND, "--host", ""), "can be reached from other machines"),
        ((MASTERMIND, "--host", "no.such.invalid"), "aq-gym: "),
        ((MASTERMIND, "--port", "70000"), "port=70000 must be from 0 to 65535"),
        (("aq/Master-v0",), "there is no environment"),
        ((f"{MASTERMIND}?code_length=0",), "code_length=0"),
        (("CartPole-v1",), "has no progress"),
    ],
)
def test_what_cannot_be_served_is_an_error(arguments, message, capsys):
    assert main(["serve", *arguments]) == 1
    assert message in capsys.readouterr().err


def test_a_port_that_is_taken_is_an_error(server, capsys):
    assert main(["serve", MASTERMIND, "--port", str(server.port)]) == 1
    assert "in use" in capsys.readouterr().err


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_sessions_and_server(end, tmp_path):
    arguments = (MASTERMIND, "--trajectories", str(tmp_path))
    with forked(*arguments, end=end) as server:
        wire = Wire(server)
        wire.reset(seed=0)
    assert not server.rest
    with wire, pytest.raises(ConnectionClosed) as error:
        wire.next()
    assert error.value.rcvd.code == 1012
    (played,) = trajectory.iter_trajectories(tmp_path)
    assert played.end["reason"] == "closed"


def test_a_step_does_not_hold_up_other_sessions():
    with forked("toys/Slow-v0", *TOYS) as server, Wire(server) as slow:
        slow.reset(seed=0)
        slow.socket.send(json.dumps({"type": "step", "data": {"text": "sleep 5"}}))
        begin = time.monotonic()
        with Wire(server) as quick:
            quick.reset(seed=0)
            quick.step("switch 1")
        assert time.monotonic() - begin < 4
        assert slow.next()["type"] == "observation"


def test_a_step_that_does_not_end_does_not_keep_the_server():
    with forked("toys/Slow-v0", *TOYS, code=1, _GRACE=1) as server:
        opened = session(server)
        opened.sendall(frame(type="reset", data={}))
        opened.recv(4096)
        opened.sendall(frame(type="step", data={"text": "sleep 100"}))
        time.sleep(0.5)
    opened.close()


def test_a_broken_engine_is_an_error_of_its_session():
    with forked("toys/Broken-v0", *TOYS) as server, Wire(server) as wire:
        wire.reset(seed=0)
        assert "the engine failed at switch 1" in wire.step("switch 1")["message"]
        assert "send a reset first" in wire.step("switch 1")["message"]
        assert "observation" in wire.reset(seed=0)
    assert "RuntimeError: the engine failed at switch 1" in server.rest


def raw(server, data=b""):
    """Connect without a protocol."""
    opened = socket.create_connection(("127.0.0.1", server.port), timeout=30)
    opened.sendall(data)
    return opened


def abort(opened):
    """End a connection without a word."""
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    opened.close()


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
    with forked(MASTERMIND, "--max-sessions", "4", _OTHERS=8) as server:
        before = server.descriptors()
        with contextlib.ExitStack() as stack:
            opened = [stack.enter_context(raw(server)) for _ in range(100)]
            # It accepts a connection before it ends it, which makes it readable.
            eventually(lambda: len(select.select(opened, [], [], 0)[0]) == 100 - 4 - 8)
            eventually(lambda: server.descriptors() == before + 4 + 8)
            assert server.get("/health")[0] == 0
        eventually(lambda: server.get("/health")[0] == 200)
        eventually(lambda: server.descriptors() <= before)


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


def test_openenvs_client_plays_many_sessions_at_once(server):
    async def play(seed):
        async with GenericEnvClient(base_url=server.url) as env:
            result = await env.reset(seed=seed)
            rewards = []
            while not result.done:
                result = await env.step({"text": f"Guess: {len(rewards):04d}"})
                rewards.append(result.reward)
            return len(rewards), (await env.state())["metrics"]["progress_rate"]

    async def play_all():
        return await asyncio.gather(*(play(seed) for seed in range(8)))

    played = asyncio.run(play_all())
    assert played == [asyncio.run(play(seed)) for seed in range(8)]


def test_an_environment_that_cannot_be_made_is_not_waited_for():
    served = Served(Task(MASTERMIND, 0, {"code_length": 0}))
    session = SessionEnvironment(served)
    with pytest.raises(ValueError, match="code_length"):
        session.reset(seed=0)
    session.close()
    assert not served.playing
