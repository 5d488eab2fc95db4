import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import gymnasium as gym
import pytest

import aq_gym.trajectory
from aq_gym.wrappers import TrajectoryLogger

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


def test_a_lost_step_makes_it_incomplete(logged):
    lines = logged.read_bytes().splitlines(keepends=True)
    logged.write_bytes(b"".join(lines[:2] + lines[3:]))
    assert not aq_gym.trajectory.read(logged).complete


def test_other_files_are_refused(tmp_path, logged):
    other = tmp_path / "other.jsonl"
    other.write_text('{"a": 1}\n')
    with pytest.raises(ValueError, match=r"other\.jsonl is not a trajectory"):
        aq_gym.trajectory.read(other)
    header = json.loads(logged.read_text().splitlines()[0])
    other.write_text(json.dumps({**header, "schema": 99}) + "\n")
    with pytest.raises(ValueError, match="schema version 99"):
        aq_gym.trajectory.read(other)


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
