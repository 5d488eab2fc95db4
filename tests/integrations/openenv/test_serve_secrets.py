"""No route of a server tells an agent the solution."""

import pytest

pytest.importorskip("openenv", reason="needs openenv, as in .ci/integrations")
from integrations.openenv.served import forked
from integrations.openenv.wire import Wire
from integrations.unknown_secrets import ACTIONS, IDS, SEED, check_nothing_is_told

# Warnings of the package are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")
PATHS = ("/health", "/metadata", "/schema", "/openapi.json", "/list_environments")
REFUSED = ("/", "/state", "/reset", "/step", "/mcp", "/docs", "/web", "/tasks")


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
