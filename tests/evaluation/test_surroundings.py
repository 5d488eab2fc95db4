"""What an agent, the machine or a long name does to a run."""

import copy
import json
import os
import subprocess
import sys

import foreign_envs  # noqa: F401
import gymnasium as gym
import pytest

from aq_gym.evaluation import RunStoppedError, Suite, Task, load_run, run
from aq_gym.wrappers import TrajectoryLogger

resource = pytest.importorskip("resource")

RESTLESS = """
import os, threading, time

class Restless:
    def __init__(self, env):
        pass

    def reset(self, observation, info):
        os.chdir("/")
        threading.Thread(target=time.sleep, args=(3_000,)).start()

    def act(self, observation, info):
        return "1234"
"""


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_agent_that_changes_folder_and_leaves_threads(tmp_path, workers):
    (tmp_path / "restless.py").write_text(RESTLESS)
    command = [sys.executable, "-m", "aq_gym.cli", "run", "--env", "aq/Mastermind-v0"]
    command += ["--agent", "restless:Restless", "--episodes", "2", "--max-steps", "2"]
    done = subprocess.run(
        [*command, "--out", "here/run", "--workers", workers],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    loaded = load_run(tmp_path / "here" / "run")
    assert loaded.summary["tasks"] == {"all": 2, "finished": 2}
    assert "trajectories: here/run/trajectories" in done.stdout


def test_a_low_limit_of_open_files_is_raised(tmp_path):
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, before[1]))
    try:
        run(Suite("one", (Task("aq/Mastermind-v0", 0, max_steps=1),)), tmp_path)
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] >= min(256, before[1])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_a_long_name_is_shortened_with_a_hash(tmp_path):
    gym.register(f"test/{'long' * 60}-v0", "toy_envs:LampsEnv", max_episode_steps=2)
    try:
        tasks = tuple(Task(f"test/{'long' * 60}-v0", seed) for seed in (0, 1))
        run(Suite("long", tasks), tmp_path)
    finally:
        del gym.registry[f"test/{'long' * 60}-v0"]
    names = {path.stem for path in (tmp_path / "trajectories").iterdir()}
    assert names == {task.name for task in tasks} and len(names) == 2
    assert all(len(name) == 200 for name in names)


def test_a_long_chain_of_copies_has_names(tmp_path):
    env = TrajectoryLogger(gym.make("test/Room-v0"), tmp_path, name="e")
    env.reset(seed=0)
    for _ in range(40):
        copied = copy.deepcopy(env)
        copied.step("look")
        env.close()
        env = copied
    env.close()
    assert len(list(tmp_path.iterdir())) == 41


def test_a_key_is_refused_in_every_spelling(tmp_path):
    suite = Suite("one", (Task("aq/Mastermind-v0", 0, max_steps=1),))
    for params in (
        {"base_url": "http://host/v1?api-key=x"},
        {"base_url": "http://host/v1?X-API-Key=x"},
        {"base_url": "http://host/v1?a=b&api%2Dkey=x"},
        {"base_url": "http://host/v1?token=x"},
        {"request": {"extra_headers": {"X-API-Key": "x"}}},
        {"request": {"extra_headers": {"api-key": "x"}}},
        {"request": {"extra_headers": {"Authorization": "x"}}},
        {"request": {"extra_headers": {"X-Auth-Token": "x"}}},
        {"request": {"extra_headers": {"X-Other": "Bearer abcdefgh12"}}},
        {"request": {"extra_query": {"subscription-key": "x"}}},
        {"request": {"user": "sk-abcdefgh12345678"}},
        {"model": "sk-proj-abcd1234efgh"},
    ):
        with pytest.raises(ValueError, match="in the environment"):
            run(suite, tmp_path / "out", "llm", {"model": "m", **params})
    assert not (tmp_path / "out").exists()
    request = {"max_tokens": 5, "logit_bias": {"50256": -100}, "stop": ["key="]}
    params = {"model": "task-2024-secretless", "request": request, "max_tokens": 9}
    params["base_url"] = "http://127.0.0.1:9/v1?api-version=2024-10-21"
    with pytest.raises(RunStoppedError, match="Connection refused"):
        run(suite, tmp_path / "out", "llm", {**params, "max_retries": 0})
    kept = json.loads((tmp_path / "out" / "run.json").read_text())["agent_params"]
    assert kept["request"] == request
