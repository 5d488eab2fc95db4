"""Calls of the model by verifiers: too long, refused, failed, tried again."""

import json

import pytest
from scripted_server import raw

from integrations.same_play import COMPLETIONS
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
