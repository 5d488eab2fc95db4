import os

import gymnasium as gym
import pytest

import aq_gym.trajectory
from aq_gym.wrappers import TrajectoryLogger

FIELDS = ["{m}", "{}", "{n", "{n:500d}", "{n.x}", "{n[0]}", "{n:s}"]


def only(directory):
    (trajectory,) = aq_gym.trajectory.iter_trajectories(directory)
    return trajectory


def names(directory):
    return sorted(os.listdir(directory))


def episodes(env, n):
    for _ in range(n):
        env.reset(seed=0)
        env.step("x")
    env.close()


def test_names_count_and_skip_what_exists(room, tmp_path):
    (tmp_path / "e0.jsonl").write_text("mine")
    (tmp_path / "e2.jsonl").write_text("mine")
    aq_gym.trajectory.pack(tmp_path)
    (tmp_path / "e0.jsonl").write_text("mine")
    episodes(TrajectoryLogger(room, tmp_path, name="e{n}"), 3)
    assert names(tmp_path) == [
        "e0.jsonl",
        "e0.jsonl.gz",
        "e1.jsonl",
        "e2.jsonl.gz",
        "e3.jsonl",
        "e4.jsonl",
    ]
    assert (tmp_path / "e0.jsonl").read_text() == "mine"


def test_two_loggers_in_one_directory(tmp_path):
    envs = [
        TrajectoryLogger(gym.make("test/Room-v0"), tmp_path, agent=agent)
        for agent in "ab"
    ]
    for seed in range(3):
        for env in envs:
            env.reset(seed=seed)
        for env in envs:
            env.step("x")
    for env in envs:
        env.close()
    read = list(aq_gym.trajectory.iter_trajectories(tmp_path))
    assert [t.name for t in read] == [f"episode-{n:05d}" for n in range(6)]
    assert [t.header["agent"]["name"] for t in read] == list("ababab")
    assert all(t.complete and len(t.steps) == 1 for t in read)


def test_exact_names(room, tmp_path):
    env = TrajectoryLogger(room, tmp_path)
    env.name_next("mine")
    env.reset(seed=0)
    assert env.trajectory_name == "mine"
    env.reset(seed=0)
    assert env.trajectory_name == "episode-00000"
    env.name_next("mine")
    with pytest.raises(FileExistsError, match="mine"):
        env.reset(seed=0)
    assert env.trajectory_name is None
    fixed = TrajectoryLogger(gym.make("test/Room-v0"), tmp_path, name="fixed")
    fixed.reset(seed=0)
    with pytest.raises(FileExistsError, match="fixed"):
        fixed.reset(seed=0)


@pytest.mark.parametrize(
    "name",
    ["", "a/b", "..", "a\0", "x" * 201, "é" * 101, "\ud800", *FIELDS],
)
def test_names_that_are_none(room, tmp_path, name):
    with pytest.raises(ValueError, match="name="):
        TrajectoryLogger(room, tmp_path, name=name)


def test_the_longest_name_serves_copies(room, tmp_path, duplicate):
    env = TrajectoryLogger(room, tmp_path, name="x" * 200)
    env.reset(seed=0)
    copied = duplicate(duplicate(env))
    copied.step("x")
    copied.close()
    env.close()
    assert all(t.complete for t in aq_gym.trajectory.iter_trajectories(tmp_path))


@pytest.mark.parametrize(
    "arguments",
    [
        {"name": 5},
        {"name": b"e"},
        {"agent": None},
        {"agent_params": [1]},
        {"agent_params": "temperature"},
        {"directory": 5},
    ],
    ids=str,
)
def test_arguments_of_other_types_are_named(room, tmp_path, arguments):
    (name,) = arguments
    with pytest.raises((TypeError, ValueError), match=rf"^{name}[=\[]"):
        TrajectoryLogger(room, **{"directory": tmp_path, **arguments})
    with pytest.raises(TypeError, match="name=5"):
        TrajectoryLogger(room, tmp_path).name_next(5)


def test_mistakes_are_named(room, tmp_path):
    with pytest.raises(ValueError, match="name="):
        TrajectoryLogger(room, tmp_path).name_next("a/b")


def test_the_same_run_writes_the_same_bytes(tmp_path, play):
    for directory in ("one", "two"):
        for env_id in ("CartPole-v1", "MiniGrid-Empty-5x5-v0"):
            env = TrajectoryLogger(gym.make(env_id), tmp_path / directory)
            play(env)
            env.close()
    for name in names(tmp_path / "one"):
        one, two = (tmp_path / d / name for d in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()
