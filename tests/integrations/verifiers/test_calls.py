"""What fails, ends or cancels a rollout with verifiers: calls, engines, timeouts."""

import json
import threading
import time

import pytest
from scripted_server import raw

from integrations.same_play import COMPLETIONS
from integrations.verifiers.lamps import Lamps
from integrations.verifiers.rollouts import one_trace

# Warnings of the package are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")


def test_messages_that_are_too_long_are_shortened(server):
    server.failures = [raw(400, json.dumps({"error": "maximum context length: 9"}))]
    trace = one_trace(server, harness={"example": True})
    assert trace.ok
    first, second = (len(server.requests[n]["messages"]) for n in (0, 1))
    assert second < first
    assert trace.info["aq_gym"]["steps"] == len(COMPLETIONS)


def test_the_limit_of_a_completion_is_sent_as_the_model_takes_it(server):
    refusal = {"error": "use 'max_completion_tokens' instead"}
    server.failures = [raw(400, json.dumps(refusal))]
    assert one_trace(server, harness={"max_tokens": 300}).ok
    limits = [
        {name: value for name, value in request.items() if "tokens" in name}
        for request in server.requests[:3]
    ]
    assert limits[0] == {"max_tokens": 300}
    assert limits[1] == limits[2] == {"max_completion_tokens": 300}


def test_the_sampling_of_the_run_comes_first(server):
    assert one_trace(server, sampling={"max_tokens": 50, "temperature": 0.5}).ok
    assert server.requests[0]["max_tokens"] == 50
    assert server.requests[0]["temperature"] == 0.5


def test_a_model_that_cannot_be_called_is_an_error(server, temporary):
    server.failures = [raw(401, json.dumps({"error": "no such key"}))] * 10
    trace = one_trace(server)
    assert (trace.ok, trace.rewards, trace.reward) == (False, {}, 0.0)
    assert "no such key" in trace.errors[0].message
    assert not list(temporary.iterdir())


@pytest.mark.parametrize(
    ("fault", "message"), [("breaks", "engine has died"), ("raises", "disk has died")]
)
def test_a_broken_engine_is_an_error_and_no_score(server, temporary, fault, message):
    taskset = {"id": "aq_gym", "env": f"test/Lamps-v0?fault={fault}", "episodes": 1}
    trace = one_trace(server, taskset)
    assert (trace.ok, trace.rewards, trace.metrics) == (False, {}, {})
    assert message in trace.errors[0].message
    assert not list(temporary.iterdir())


def test_a_rollout_that_is_ended_is_scored(server):
    trace = one_trace(server, max_turns=2)
    assert (trace.ok, trace.stop_condition) == (True, "max_turns")
    assert trace.info["aq_gym"]["steps"] == 2
    assert trace.metrics["repetition_rate"] == 1.0


def leave_after_four_seconds():
    """From the moment on in which the step was entered."""
    Lamps.entered.wait(120)
    time.sleep(4)
    Lamps.left.set()


def test_a_timeout_waits_for_the_step_and_is_scored(server, temporary):
    Lamps.entered.clear()
    Lamps.left.clear()
    leaving = threading.Thread(target=leave_after_four_seconds)
    leaving.start()
    taskset = {"id": "aq_gym", "env": "test/Lamps-v0?fault=waits", "episodes": 1}
    trace = one_trace(server, taskset, timeout={"rollout": 3})
    leaving.join()
    assert (trace.ok, trace.stop_condition) == (True, "agent_timeout")
    assert len(trace.info["aq_gym"]["turns"]) == trace.info["aq_gym"]["steps"]
    assert set(trace.metrics) == {
        "success", "progress_rate", "final_progress", "repetition_rate",
    }  # fmt: skip
    assert not list(temporary.iterdir())
