"""Tools over OpenEnv's WebSocket."""

import pytest

pytest.importorskip("openenv", reason="needs openenv, as in .ci/integrations")
from integrations.openenv.served import forked
from integrations.openenv.wire import Wire

# Warnings of the package are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")


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
