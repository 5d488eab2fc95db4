"""Rollouts with verifiers that are ended, cancelled, or whose engine breaks."""

import threading
import time

import pytest

from integrations.verifiers.lamps import Lamps
from integrations.verifiers.rollouts import one_trace

# Warnings of the package are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")


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
