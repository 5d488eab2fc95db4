"""Resets don't leak memory."""

import gc
import tracemalloc

import pytest

from aq_gym.envs.alfworld import AlfworldEnv


@pytest.mark.slow
def test_resets_leave_nothing_behind():
    env = AlfworldEnv(task_type="pick_heat_then_place_in_recep")

    def play(count):
        for _ in range(count):
            env.reset()
            env.step("look")
        gc.collect()

    env.reset(seed=0)
    play(150)
    tracemalloc.start()
    play(10)
    before, _ = tracemalloc.get_traced_memory()
    play(100)
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # A household takes over 50 kB.
    assert after - before < 1_000_000
