"""Who may use a server, what its sessions may take, and that none tells a solution."""

import json

import pytest

pytest.importorskip("openenv", reason="needs openenv, as in .ci/integrations")
from websockets.exceptions import ConnectionClosed

from aq_gym.integrations.openenv import TextEnvClient
from aq_gym.server.access import LARGEST_BODY
from integrations.openenv.served import MASTERMIND, eventually, forked
from integrations.openenv.wire import Wire, refused
from integrations.unknown_secrets import ACTIONS, IDS, SEED, check_nothing_is_told

# Warnings of the package are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")
TOKEN = "0123456789abcdef-0123456789abcdef"
PATHS = ("/health", "/metadata", "/schema", "/openapi.json", "/list_environments")
REFUSED = ("/", "/state", "/reset", "/step", "/mcp", "/docs", "/web", "/tasks")
BEARER = {"Authorization": f"Bearer {TOKEN}"}


def test_episodes_over_http_are_refused(server):
    for path in ("/reset", "/step", "/Mastermind-v0/tasks"):
        assert server.get(path, "POST")[0] == 405
    assert server.get("/metadata", Host="evil.example")[0] == 403
    assert "has no MCP tools" in server.get("/mcp", "POST")[1]
    assert json.loads(server.get("/metadata")[1])["name"] == MASTERMIND


def test_the_constructors_arguments_are_not_told():
    with forked(f"{MASTERMIND}?code_length=5") as server:
        paths = ("/metadata", "/schema", "/openapi.json", "/list_environments")
        assert not any("code_length" in server.get(path)[1] for path in paths)


def test_a_token_is_needed(tmp_path):
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n")
    with forked(MASTERMIND, "--host", "0.0.0.0", "--token-file", str(file)) as server:
        assert server.get("/health", Host="any.example")[0] == 200
        assert server.get("/metadata")[0] == refused(server) == 401
        assert server.get("/metadata", **BEARER)[0] == 200
        with TextEnvClient(base_url=server.url, headers=BEARER).sync() as env:
            assert env.reset(seed=0).observation.text
            assert env.new_session().reset(seed=0).observation.text
    assert TOKEN not in server.line + server.rest


def test_there_are_only_so_many_sessions():
    def has_room():
        with Wire(server) as wire:
            return "observation" in wire.reset(seed=0)

    with forked(MASTERMIND, "--max-sessions", "2") as server:
        with Wire(server) as first, Wire(server) as second, Wire(server) as third:
            first.reset(seed=0)
            second.reset(seed=0)
            assert third.next()["data"]["code"] == "CAPACITY_REACHED"
        eventually(has_room)


def test_an_idle_session_ends(tmp_path):
    def closed():
        return sum('"closed"' in file.read_text() for file in tmp_path.iterdir())

    arguments = ("--idle-timeout", "3", "--trajectories", str(tmp_path))
    with forked(MASTERMIND, *arguments) as server:
        with Wire(server) as wire:
            wire.reset(seed=0)
            with pytest.raises(ConnectionClosed) as error:
                wire.next()
        assert error.value.rcvd.code == 1001
        assert "no message for 3 seconds" in error.value.rcvd.reason
        # The environment is closed before the server ends.
        eventually(lambda: closed() == 1)


def test_a_longer_message_ends_its_session(server):
    with Wire(server) as wire:
        assert "observation" in wire.reset(seed=0)
        with pytest.raises(ConnectionClosed) as error:
            wire.step("x" * LARGEST_BODY)
    assert error.value.rcvd.code == 1009


def asked(wire, method, **params):
    data = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return wire.ask({"type": "mcp", "data": data})


@pytest.mark.parametrize("env_id", IDS)
def test_no_route_tells_a_secret(env_id):
    """But the evaluator's data beside an observation, which is not for agents."""
    answers = {}
    with forked(env_id) as server, Wire(server) as wire:
        begun = wire.reset(seed=SEED)
        for path in (*PATHS, *REFUSED):
            for method in ("GET", "POST"):
                answers[f"{method} {path}"] = server.get(path, method)[1]
        answers["reset"] = begun["observation"]["text"]
        answers["state"] = wire.ask({"type": "state"})
        answers["tools/list"] = asked(wire, "tools/list")
        for action in ACTIONS:
            step = wire.step(action)
            answers[f"step {action!r}"] = step["observation"]["text"]
            answers[f"state after {action!r}"] = wire.ask({"type": "state"})
            answers[f"call {action!r}"] = asked(
                wire, "tools/call", name="act", arguments={"action": action}
            )
        answers["an error"] = wire.ask({"type": "reset", "data": {"task_id": "?"}})
    check_nothing_is_told(env_id, answers)
