"""Rollouts with verifiers that are ended, cancelled, or whose engine breaks."""

import asyncio
import threading
import time

import pytest

from integrations.verifiers.lamps import Lamps
from integrations.verifiers.rollouts import environment, model, one_trace

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


def test_a_cancelled_rollout_leaves_nothing(server, temporary):
    Lamps.entered.clear()
    Lamps.left.clear()
    env = environment({"id": "aq_gym", "env": "test/Lamps-v0?fault=waits"})

    async def cancelled():
        async with env.serving():
            slots = [slot for task in env.taskset for slot in env.slots(task)]
            rollouts = [
                asyncio.ensure_future(env.run_slot(slot, model(server)))
                for slot in slots
            ]
            await asyncio.to_thread(Lamps.entered.wait)
            for rollout in rollouts:
                rollout.cancel()
            await asyncio.sleep(0.1)
            assert list(temporary.iterdir())
            Lamps.left.set()
            return await asyncio.gather(*rollouts, return_exceptions=True)

    results = asyncio.run(cancelled())
    assert [type(one) for one in results] == [asyncio.CancelledError] * 10
    assert not list(temporary.iterdir())
