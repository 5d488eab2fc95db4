"""Environments in worker processes: the same results, and every way to end."""

import gc
import io
import os
import signal
import subprocess
import sys
import time

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError
from gymnasium.vector import AutoresetMode
from vector.same import same
from vector.test_equality import play

from aq_gym.support import redaction
from aq_gym.vector import TextVectorEnv
from aq_gym.vector.worker import Failure


class Fails(gym.Wrapper):
    """Raises an error on an action."""

    def step(self, action):
        if action == "fail":
            raise LookupError("no such thing")
        if action == "exit":
            os._exit(3)
        return self.env.step(action)

    def function(self):
        return lambda: None


def failing():
    return Fails(gym.make("aq/Mastermind-v0"))


def workers_of(envs):
    return [worker.process.pid for worker in envs._group._workers]


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def assert_gone(pids, seconds=120):
    end = time.monotonic() + seconds
    while any(map(is_alive, pids)):
        assert time.monotonic() < end, "a worker survived"
        time.sleep(0.05)


@pytest.mark.parametrize(
    "mode",
    [
        AutoresetMode.NEXT_STEP,
        pytest.param(AutoresetMode.SAME_STEP, marks=pytest.mark.slow),
        pytest.param(AutoresetMode.DISABLED, marks=pytest.mark.slow),
    ],
)
def test_same_as_in_this_process(mode):
    kwargs = {"autoreset_mode": mode, "max_episode_steps": 3}
    ours = gym.make_vec("aq/Hangman-v0", 5, num_workers=2, **kwargs)
    theirs = gym.make_vec("aq/Hangman-v0", 5, **kwargs)
    pids = workers_of(ours)
    try:
        assert ours.metadata == theirs.metadata
        assert ours.observation_space == theirs.observation_space
        assert ours.action_space == theirs.action_space
        same(ours.reset(seed=[4, None, 2, 1, 0])[1]["_goal"], np.ones(5, bool))
        same(ours.reset(seed=7), theirs.reset(seed=7))
        play(ours, theirs, 8, np.random.default_rng(0))
        for name in ("np_random_seed", "expert_action"):
            assert ours.call(name) == theirs.call(name)
        ours.set_attr("note", [5, 4, 3, 2, 1])
        assert ours.get_attr("note") == (5, 4, 3, 2, 1)
        assert ours.render() == theirs.render()
        with pytest.raises(AttributeError, match="in workers: use call"):
            _ = ours.envs
    finally:
        ours.close()
    ours.close()
    assert_gone(pids, 0)
    with pytest.raises(ClosedEnvironmentError, match="after the workers were stopped"):
        ours.step(["a"] * 5)


@pytest.mark.slow
def test_errors_of_workers():
    envs = TextVectorEnv([failing] * 4, num_workers=2)
    try:
        envs.reset(seed=0)
        with pytest.raises(LookupError, match="no such thing") as caught:
            envs.step(["0123", "0123", "0123", "fail"])
        assert 'raise LookupError("no such thing")' in str(caught.value.__cause__)
        # What cannot be sent is an error of the call alone.
        with pytest.raises(Exception, match=r"pickle|local object"):
            envs.call("function")
        with pytest.raises(Exception, match=r"pickle|local object"):
            envs.call("function", lambda: None)
        envs.reset(seed=0)
        assert envs.step(["0123"] * 4)[4]["action_valid"].all()
        pids = workers_of(envs)
        with pytest.raises(RuntimeError, match=r"environments 2 to 3 .* exit code 3"):
            envs.step(["0123", "0123", "0123", "exit"])
        assert_gone(pids, 0)
    finally:
        envs.close()


def test_what_a_worker_tells_of_an_error_has_no_key(monkeypatch):
    monkeypatch.setattr(redaction, "_FORMS", ())
    redaction.keep_secret("sk-Very-Secret-key")

    class LocalError(Exception):
        """It cannot be sent."""

    failure = Failure.of(LocalError("with sk-Very-Secret-key"))
    assert str(failure.error) == "LocalError: with ***"
    assert "LocalError: with ***" in failure.text


def buffers():
    """Return the number of objects that CPython 3.12.1 must not free in a cycle."""
    return sum(isinstance(one, memoryview | io.BytesIO) for one in gc.get_objects())


@pytest.mark.slow
def test_an_error_of_a_worker_keeps_no_buffer():
    """CPython 3.12.1 crashes where a cycle of a traceback and a buffer is freed."""
    envs = gym.make_vec("aq/Mastermind-v0", 2, num_workers=1)
    before = buffers()
    with pytest.raises(gym.error.Error, match="Seed") as caught:
        envs.reset(seed=[0, -1])
    assert caught.value.__traceback__
    # Garbage of other tests may have been freed meanwhile.
    assert buffers() <= before
    envs.close()


def test_a_killed_worker_is_named():
    envs = gym.make_vec("aq/Mastermind-v0", 3, num_workers=2)
    envs.reset(seed=0)
    pids = workers_of(envs)
    os.kill(pids[0], signal.SIGKILL)
    with pytest.raises(
        RuntimeError,
        match=f"environments 0 to 0 .process {pids[0]}. died: killed by signal 9",
    ):
        envs.step(["0123"] * 3)
    assert_gone(pids, 0)
    envs.close()


@pytest.mark.slow
def test_errors_of_making():
    with pytest.raises(TypeError, match="argument 'nonsense': it has"):
        gym.make_vec("aq/Mastermind-v0", 2, num_workers=2, nonsense=1)


def test_a_discarded_vector_stops_its_workers():
    envs = gym.make_vec("aq/Mastermind-v0", 2, num_workers=1)
    pids = workers_of(envs)
    del envs
    assert_gone(pids)


KILLED = """
import os, signal, time
import gymnasium as gym
import aq_gym
from aq_gym.vector import TextVectorEnv


class Slow(gym.Wrapper):
    def step(self, action):
        time.sleep(600)


def make():
    return Slow(gym.make("aq/Mastermind-v0"))


if __name__ == "__main__":
    envs = TextVectorEnv([make] * 2, num_workers=2)
    envs.reset(seed=0)
    print(*(worker.process.pid for worker in envs._group._workers), flush=True)
    envs.step(["0123"] * 2)
"""


def test_no_worker_survives_a_killed_parent(tmp_path):
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    parent = subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, text=True
    )
    pids = [int(pid) for pid in parent.stdout.readline().split()]
    assert len(pids) == 2
    # The workers are in the middle of a step that takes ten minutes.
    time.sleep(0.2)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert_gone(pids)
