import json
import math
import os
import platform
import sys

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec

import aq_gym.trajectory
from aq_gym.wrappers import (
    ExtractAction,
    RepetitionRate,
    StepCap,
    SubgoalProgress,
    TrajectoryLogger,
)
from aq_gym.wrappers.codec import canonical


def only(directory):
    (trajectory,) = aq_gym.trajectory.iter(directory)
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


def test_the_env_returns_what_it_would_without(foreign, play, tmp_path):
    plain = play(foreign)
    assert canonical(play(TrajectoryLogger(foreign, tmp_path))) == canonical(plain)


def test_the_header(room, tmp_path):
    env = TrajectoryLogger(
        room,
        tmp_path,
        agent="random",
        agent_params={"temperature": math.inf},
        packages=["hypothesis"],
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
    assert set(versions) >= {"numpy", "hypothesis"}


def test_the_version_of_the_engine(tmp_path):
    env = TrajectoryLogger(gym.make("MiniGrid-Empty-5x5-v0"), tmp_path)
    env.reset(seed=0)
    env.close()
    assert "minigrid" in only(tmp_path).header["versions"]


def test_a_spec_that_is_not_json_is_null_with_the_reason(room, tmp_path):
    env = RepetitionRate(room, action_to_text=str)
    env = TrajectoryLogger(env, tmp_path)
    env.reset(seed=0)
    env.close()
    header = only(tmp_path).header
    assert header["spec"] is None
    assert header["spec_missing"].startswith("RepetitionRate(action_to_text=...): ")


class Forgetful(gym.Wrapper):
    """A wrapper that does not record its arguments."""


@pytest.mark.parametrize(
    ("wrap", "reason"),
    [
        (lambda env: env.unwrapped.__class__(), "not made by gymnasium.make"),
        (Forgetful, "Forgetful does not record"),
    ],
)
def test_other_reasons_for_no_spec(room, tmp_path, wrap, reason):
    env = TrajectoryLogger(wrap(room), tmp_path)
    env.reset(seed=0)
    env.close()
    assert only(tmp_path).header["spec"] is None
    assert reason in only(tmp_path).header["spec_missing"]


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
    read = next(aq_gym.trajectory.iter(tmp_path))
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


def names(directory):
    return sorted(os.listdir(directory))


def episodes(env, n):
    for _ in range(n):
        env.reset(seed=0)
        env.step("x")
    env.close()


def test_names_count_and_skip_what_exists(room, tmp_path):
    (tmp_path / "e0.jsonl").write_text("mine")
    (tmp_path / "e2.jsonl.gz").write_text("mine")
    episodes(TrajectoryLogger(room, tmp_path, name="e{n}"), 3)
    assert names(tmp_path) == [
        "e0.jsonl",
        "e1.jsonl",
        "e2.jsonl.gz",
        "e3.jsonl",
        "e4.jsonl",
    ]
    assert (tmp_path / "e0.jsonl").read_text() == "mine"
    assert (tmp_path / "e2.jsonl.gz").read_text() == "mine"


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
    read = list(aq_gym.trajectory.iter(tmp_path))
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


@pytest.mark.parametrize("name", ["", "a/b", "..", "{m}", "{}", "{n", "a\0"])
def test_names_that_are_none(room, tmp_path, name):
    with pytest.raises(ValueError, match="name="):
        TrajectoryLogger(room, tmp_path, name=name)


def test_mistakes_are_named(room, tmp_path):
    with pytest.raises(ValueError, match="no-such-package"):
        TrajectoryLogger(room, tmp_path, packages=["no-such-package"])
    with pytest.raises(ValueError, match="progress"):
        TrajectoryLogger(room, tmp_path, keys={"progress": "x"})
    with pytest.raises(ValueError, match="name="):
        TrajectoryLogger(room, tmp_path).name_next("a/b")


def test_renamed_keys(room, tmp_path):
    env = TrajectoryLogger(room, tmp_path, keys={"success": "won"})
    env.reset(seed=0)
    env.close()
    assert only(tmp_path).end["success"] is False


def test_compressed_when_finished(room, tmp_path):
    env = TrajectoryLogger(room, tmp_path, compress=True)
    env.reset(seed=0)
    env.step("x")
    assert names(tmp_path) == ["episode-00000.jsonl"]
    plain = (tmp_path / "episode-00000.jsonl").read_bytes()
    env.close()
    assert names(tmp_path) == ["episode-00000.jsonl.gz"]
    assert only(tmp_path).complete
    assert aq_gym.trajectory.replay(only(tmp_path).path).identical
    # As if killed before the original was removed.
    (tmp_path / "episode-00000.jsonl").write_bytes(plain)
    assert only(tmp_path).complete


def test_the_same_run_writes_the_same_bytes(tmp_path, play):
    for directory in ("one", "two"):
        for env_id in ("CartPole-v1", "MiniGrid-Empty-5x5-v0"):
            env = TrajectoryLogger(
                gym.make(env_id), tmp_path / directory, compress=True
            )
            play(env)
            env.close()
    for name in names(tmp_path / "one"):
        one, two = (tmp_path / d / name for d in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()


def stack(env, directory):
    env = RepetitionRate(env, threshold=0.8, horizon=50)
    env = SubgoalProgress(env, {"key": "Taken"})
    env = StepCap(env, max_steps=30, max_invalid=9, max_repeated=9)
    return TrajectoryLogger(ExtractAction(env), directory, compress=True)


def test_the_whole_stack_survives_json(room, play, tmp_path):
    env = stack(room, str(tmp_path / "one"))
    results = play(env)
    made = gym.make(EnvSpec.from_json(env.spec.to_json()))
    assert made.spec == env.spec
    assert play(made) == results
    env.close()
    made.close()
    read = list(aq_gym.trajectory.iter(tmp_path / "one"))
    assert len(read) == 2
    assert all(aq_gym.trajectory.replay(t.path).identical for t in read)


def test_the_whole_stack_is_copied_in_mid_episode(room, duplicate, tmp_path):
    env = stack(room, tmp_path)
    env.reset(seed=1)
    env.step("Action: jump")
    copied = duplicate(env)
    for action in ("Thought: again.\nAction: jump", "Action: take key"):
        assert copied.step(action) == env.step(action)


def test_a_copy_begins_its_own_file(room, duplicate, tmp_path):
    env = TrajectoryLogger(room, tmp_path, name="e{n}", compress=True)
    env.reset(seed=1)
    env.step("take key")
    copied = duplicate(env)
    assert names(tmp_path) == ["e0.jsonl"]
    copied.step("open door")
    second = duplicate(env)
    second.step("y")
    third = duplicate(second)
    third.step("z")
    third.close()
    second.close()
    env.step("x")
    env.close()
    read = {t.name: t for t in aq_gym.trajectory.iter(tmp_path)}
    parents = {name: t.header["parent"] for name, t in read.items()}
    assert parents == {
        "e0": None,
        "e0-copy-1": {"file": "e0", "step": 1},
        "e0-copy-2": {"file": "e0", "step": 1},
        "e0-copy-2-copy-1": {"file": "e0-copy-2", "step": 2},
    }
    played = {name: [s["action"] for s in t.steps] for name, t in read.items()}
    assert played == {
        "e0": ["take key", "x"],
        "e0-copy-1": ["open door"],
        "e0-copy-2": ["y"],
        "e0-copy-2-copy-1": ["z"],
    }
    assert read["e0-copy-1"].end["steps"] == 2
    for trajectory in read.values():
        assert trajectory.complete
        assert aq_gym.trajectory.replay(trajectory.path).identical


def test_a_copy_that_plays_nothing_leaves_no_file(room, duplicate, tmp_path):
    env = TrajectoryLogger(room, tmp_path)
    env.reset(seed=1)
    duplicate(env).close()
    assert len(names(tmp_path)) == 1
    copied = duplicate(env)
    copied.reset(seed=2)
    copied.close()
    env.close()
    assert names(tmp_path) == ["episode-00000.jsonl", "episode-00001.jsonl"]


@pytest.mark.skipif(sys.platform != "linux", reason="counts files in /proc")
def test_dropped_copies_leave_no_file_open(room, duplicate, tmp_path):
    env = TrajectoryLogger(room, tmp_path)
    env.reset(seed=1)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(10):
        duplicate(env).step("x")
    assert len(os.listdir("/proc/self/fd")) <= before + 1


def test_objects_of_unknown_classes_are_logged(tmp_path):
    class Odd(gym.Env):
        action_space = observation_space = gym.spaces.Discrete(2)

        def reset(self, *, seed=None, options=None):
            return 0, {"engine": object(), "x": np.float32(1)}

        def step(self, action):
            return 0, 0.0, False, False, {"engine": object()}

    env = TrajectoryLogger(Odd(), tmp_path)
    env.reset(seed=0)
    env.step(object())
    read = only(tmp_path)
    assert read.header["info"]["engine"].kind == "builtins:object"
    with pytest.raises(ValueError, match="builtins:object"):
        aq_gym.trajectory.replay(read.path, Odd())
