"""The records that a logger writes, and how they are read."""

import json
import math
import multiprocessing
import os
import platform
import signal
import subprocess
import sys
import time
from pathlib import Path

import gymnasium as gym
import pytest

import aq_gym.trajectory
from aq_gym.trajectory.codec import canonical
from aq_gym.wrappers import (
    RepetitionRate,
    SubgoalProgress,
    TrajectoryLogger,
)


def only(directory):
    (trajectory,) = aq_gym.trajectory.iter_trajectories(directory)
    return trajectory


def test_everything_comes_back_from_foreign_envs(foreign, play, actions, tmp_path):
    env = TrajectoryLogger(foreign, tmp_path)
    results = play(env)
    env.close()
    read = only(tmp_path)
    assert read.complete
    observation, info = results[0]
    assert canonical(read.header["observation"]) == canonical(observation)
    assert canonical(read.header["info"]) == canonical(info)
    names = ("observation", "reward", "terminated", "truncated", "info")
    for step, result in zip(read.steps, results[1:], strict=True):
        assert canonical([step[name] for name in names]) == canonical(list(result))
    played = actions(foreign, 20)[: len(read.steps)]
    assert canonical([step["action"] for step in read.steps]) == canonical(played)
    assert [step["t"] for step in read.steps] == list(range(1, len(results)))
    assert read.end["return"] == sum(float(result[1]) for result in results[1:])
    assert aq_gym.trajectory.replay(read.path).identical


def test_the_header(room, tmp_path):
    env = TrajectoryLogger(
        room,
        tmp_path,
        agent="random",
        agent_params={"temperature": math.inf},
    )
    env.reset(seed=3, options={"level": (1, 2)})
    env.close()
    header = only(tmp_path).header
    assert header["schema"] == 1
    assert header["spec"] == json.loads(room.spec.to_json())
    assert header["spec_missing"] == ""
    assert (header["seed"], header["options"]) == (3, {"level": (1, 2)})
    assert header["task_id"] == "room"
    assert header["agent"] == {"name": "random", "params": {"temperature": math.inf}}
    assert header["parent"] is None
    versions = header["versions"]
    assert versions["python"] == platform.python_version()
    assert versions["gymnasium"] == gym.__version__
    assert set(versions) >= {"numpy", "gymnasium"}


def test_a_spec_that_is_not_json_is_null_with_the_reason(room, tmp_path):
    env = RepetitionRate(room, similarity=max)
    env = TrajectoryLogger(env, tmp_path)
    env.reset(seed=0)
    env.close()
    header = only(tmp_path).header
    assert header["spec"] is None
    assert header["spec_missing"].startswith("RepetitionRate(similarity=...): ")


@pytest.mark.parametrize(
    ("steps", "finish", "reason"),
    [
        (["take key", "open door"], "close", "terminated"),
        (["x"] * 50, "close", "truncated"),
        (["x"], "close", "closed"),
        (["x"], "reset", "reset"),
        ([], "close", "closed"),
    ],
)
def test_the_end_record(room, tmp_path, steps, finish, reason):
    goals = {"key": "Taken", "out": "leave"}
    env = TrajectoryLogger(SubgoalProgress(room, goals), tmp_path)
    env.reset(seed=0)
    for action in steps:
        env.step(action)
    getattr(env, finish)()
    read = next(aq_gym.trajectory.iter_trajectories(tmp_path))
    assert read.complete
    solved = reason == "terminated"
    assert read.end == {
        "kind": "end",
        "steps": len(steps),
        "return": 0.0,
        "best_progress": float(solved),
        "success": solved,
        "reason": reason,
    }


def test_steps_after_the_end_are_not_logged(room, tmp_path):
    env = TrajectoryLogger(room, tmp_path)
    env.reset(seed=0)
    for action in ("take key", "open door", "x"):
        env.step(action)
    assert len(only(tmp_path).steps) == 2


def test_notes_go_to_the_next_record(room, tmp_path):
    env = TrajectoryLogger(room, tmp_path)
    with pytest.raises(gym.error.ResetNeeded):
        env.annotate(tokens=7)
    env.reset(seed=0)
    env.annotate(tokens=7)
    env.get_wrapper_attr("annotate")(latency=math.nan)
    env.step("x")
    env.step("y")
    env.annotate(error="out of money")
    env.close()
    read = only(tmp_path)
    assert read.steps[0]["notes"]["tokens"] == 7
    assert math.isnan(read.steps[0]["notes"]["latency"])
    assert "notes" not in read.steps[1]
    assert read.end["notes"] == {"error": "out of money"}
    assert aq_gym.trajectory.replay(read.path).identical


def test_the_action_is_logged_as_it_was_given(tmp_path):
    class Greedy(gym.Env):
        action_space = observation_space = gym.spaces.Discrete(2)

        def reset(self, *, seed=None, options=None):
            return 0, {}

        def step(self, action):
            action.clear()
            return 0, 0.0, False, False, {}

    env = TrajectoryLogger(Greedy(), tmp_path)
    env.reset(seed=0)
    env.step([1, 2])
    assert only(tmp_path).steps[0]["action"] == [1, 2]


HERE = Path(__file__).parents[1]


@pytest.fixture
def logged(room, tmp_path):
    """Give the path of an episode of three steps."""
    env = TrajectoryLogger(room, tmp_path, name="e")
    env.reset(seed=0)
    for action in ("x", "take key", "open door"):
        env.step(action)
    return tmp_path / "e.jsonl"


def test_cut_anywhere_it_can_be_read(logged):
    whole = logged.read_bytes()
    ends = [n for n, byte in enumerate(whole) if byte == ord("\n")]
    for cut in range(len(whole) + 1):
        logged.write_bytes(whole[:cut])
        read = aq_gym.trajectory.read(logged)
        records = sum(end <= cut for end in ends)
        assert bool(read.header) == (records > 0)
        assert len(read.steps) == min(max(records - 1, 0), 3)
        assert (read.end is not None) == read.complete == (records == 5)
        assert read.torn == (cut not in ends and cut - 1 not in ends and cut > 0)


def test_a_trajectory_cut_short_is_replayed_so_far(logged):
    whole = logged.read_bytes()
    logged.write_bytes(whole[: whole.index(b'"t":3') + 2])
    report = aq_gym.trajectory.replay(logged)
    assert (report.steps, report.identical) == (2, True)
    logged.write_bytes(whole[:20])
    with pytest.raises(ValueError, match="no header"):
        aq_gym.trajectory.replay(logged)


def run_episodes(directory, agent):
    env = gym.make("foreign_envs:test/Room-v0")
    env = TrajectoryLogger(env, directory, agent=agent)
    for seed in range(15):
        env.reset(seed=seed)
        for action in ("x", "take key", "open door"):
            env.step(action)
    env.close()


@pytest.mark.slow
def test_concurrent_processes_share_a_directory(tmp_path):
    context = multiprocessing.get_context("spawn")
    workers = [
        context.Process(target=run_episodes, args=(tmp_path, agent)) for agent in "abc"
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    read = list(aq_gym.trajectory.iter_trajectories(tmp_path))
    assert [t.path.name for t in read] == [f"episode-{n:05d}.jsonl" for n in range(45)]
    assert all(t.complete and len(t.steps) == 3 for t in read)
    for agent in "abc":
        seeds = [t.header["seed"] for t in read if t.header["agent"]["name"] == agent]
        assert seeds == list(range(15))


ENDLESS = """
import sys
import gymnasium as gym
from aq_gym.wrappers import TrajectoryLogger
env = gym.make("foreign_envs:test/Room-v0", max_episode_steps=-1)
env = TrajectoryLogger(env, sys.argv[1])
env.reset(seed=5)
while True:
    env.step("look " * 50)
"""


@pytest.mark.slow
def test_killed_in_mid_episode(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", ENDLESS, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(HERE)},
    )
    path = tmp_path / "episode-00000.jsonl"
    deadline = time.monotonic() + 250
    while not (path.exists() and path.stat().st_size > 100_000):
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    read = aq_gym.trajectory.read(path)
    assert (read.complete, read.end) == (False, None)
    assert [step["t"] for step in read.steps] == list(range(1, len(read.steps) + 1))
    assert len(read.steps) > 100
    report = aq_gym.trajectory.replay(path)
    assert (report.steps, report.identical) == (len(read.steps), True)
