"""What messages may hold, what answers hold, and calls of tools."""

import json
import re

import pytest

pytest.importorskip("openenv", reason="needs openenv, as in .ci/integrations")
from integrations.openenv.served import TOYS, forked
from integrations.openenv.wire import Wire

# Warnings of the package are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")


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
        ({"sed": 3}, "reset has no argument 'sed'"),
        ({"arguments": {"code_length": 2}}, "reset has no argument 'arguments'"),
        ({"env": "aq/Sudoku-v0"}, "choose one of"),
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


def strict(constant):
    raise AssertionError(f"{constant} is not JSON")


def test_whatever_an_environment_returns_is_sent_as_strict_json():
    with forked("toys/Odd-v0", *TOYS) as server, Wire(server) as wire:
        sent = []
        for message in (
            {"type": "reset", "data": {"seed": 0, "episode_id": "\ud800"}},
            {"type": "step", "data": {"text": "switch 1"}},
            {"type": "state"},
        ):
            wire.socket.send(json.dumps(message))
            text = wire.socket.recv(timeout=120)
            sent.append(json.loads(text, parse_constant=strict)["data"])
            json.dumps(sent[-1], ensure_ascii=False).encode()
        reset, step, state = sent
        for answer in (reset, step):
            found = answer["metadata"]
            assert found["floats"] == ["nan", "inf", "-inf", 0.5]
            assert found["ints"] == [hex(10**5000), -3, True]
            assert found["arrays"] == {
                "a": [[1.0, 0.0]],
                "b": "np.longdouble('0.5')",
            }
            assert found["texts"] == ["\\ud800", "b'\\xff'", ["x", "y"], "1j"]
            assert found["3"] == {"\\ud83d": None}
        assert step["observation"]["text"].endswith(" \\udfff")
        assert (step["reward"], step["done"]) == (None, True)
        assert (state["metrics"]["return"], state["done"]) == ("nan", True)
        assert state["episode_id"] == "\\ud800"


def test_an_error_that_cannot_be_sent_does_not_end_the_session():
    with forked("toys/Odd-v0", *TOYS) as server, Wire(server) as wire:
        for action, message in (("\ud800", "\\ud800"), ("wordless", "AssertionError")):
            wire.reset(seed=0)
            assert wire.step(action) == {"message": message, "code": "EXECUTION_ERROR"}


def mcp(wire, method, **params):
    """The result of a request, or its error."""
    data = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    answer = wire.ask({"type": "mcp", "data": data})
    if answer["type"] == "error":
        return answer["data"]
    return answer["data"].get("result") or answer["data"]["error"]


def call(wire, name, **arguments):
    result = mcp(wire, "tools/call", name=name, arguments=arguments)
    (content,) = result["content"]
    return content["text"], result["isError"]


def test_an_environment_without_tools_has_act(server):
    with Wire(server) as wire:
        assert "send a reset first" in mcp(wire, "tools/list")["message"]
        wire.reset(seed=3)
        tools = mcp(wire, "tools/list")["tools"]
        assert [one["name"] for one in tools] == ["act", "check_valid_actions"]
        assert call(wire, "act", action="nonsense")[1]
        text, wrong = call(wire, "act", action="Guess: 1234")
        assert "1234" in text
        assert not wrong
        state = wire.ask({"type": "state"})["data"]
        assert state["step_count"] == 2
        assert wire.step("Guess: 1234")["observation"]["text"]


def test_the_environments_own_tools_are_called():
    with forked("aq/ToolQuery-v0") as server, Wire(server) as wire:
        wire.reset(seed=3)
        tools = mcp(wire, "tools/list")["tools"]
        assert "finish" in [one["name"] for one in tools]
        assert call(wire, "finish", answers="x")[1]
        assert not call(wire, "finish", answer="x")[1]
        assert wire.ask({"type": "state"})["data"]["done"]
        assert "send a reset first" in mcp(wire, "tools/list")["message"]
