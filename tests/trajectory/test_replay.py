import json

import gymnasium as gym
import pytest

import aq_gym.trajectory
from aq_gym.trajectory.replay import ABSENT
from aq_gym.wrappers import RepetitionRate, TrajectoryLogger


@pytest.fixture
def logged(tmp_path, play):
    """Give a function (env) -> the path of its one episode."""

    def log(env):
        env = TrajectoryLogger(env, tmp_path, name="e")
        play(env)
        env.close()
        return tmp_path / "e.jsonl"

    return log


def tamper(path, line, change):
    records = [json.loads(text) for text in path.read_text().splitlines()]
    change(records[line])
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


@pytest.mark.parametrize(
    ("line", "change", "step", "field", "values"),
    [
        (0, {"observation": "Dark."}, 0, "observation", ("Dark.", None)),
        (2, {"reward": 0}, 2, "reward", (0, 0.0)),
        (3, {"terminated": True}, 3, "terminated", (True, False)),
        (1, {"truncated": True}, 1, "truncated", (True, False)),
        (4, {"observation": "?"}, 4, "observation", ("?", "What?")),
    ],
)
def test_the_first_difference(room, logged, line, change, step, field, values):
    path = logged(room)
    tamper(path, line, lambda record: record.update(change))
    report = aq_gym.trajectory.replay(path)
    assert not report.identical
    assert (report.difference.step, report.difference.field) == (step, field)
    assert report.difference.recorded == values[0]
    if values[1] is not None:
        assert report.difference.replayed == values[1]
    assert f"step {step}: {field} was {values[0]!r}" in str(report.difference)


def test_differences_in_info_name_the_key(room, logged):
    path = logged(room)
    tamper(path, 2, lambda record: record["info"].update(action_valid=0))
    difference = aq_gym.trajectory.replay(path).difference
    assert difference.field == "info['action_valid']"
    tamper(path, 1, lambda record: record["info"].pop("won"))
    difference = aq_gym.trajectory.replay(path).difference
    assert (difference.field, difference.recorded) == ("info['won']", ABSENT)
    tamper(path, 0, lambda record: record["info"].update(more=1))
    difference = aq_gym.trajectory.replay(path).difference
    assert (difference.field, difference.replayed) == ("info['more']", ABSENT)


def test_another_environment_differs(logged):
    path = logged(gym.make("test/DictActions-v0"))
    assert aq_gym.trajectory.replay(path, gym.make("test/DictActions-v0")).identical
    other = gym.make("test/DictActions-v0", goal=0.5)
    report = aq_gym.trajectory.replay(path, other)
    assert report.difference.field == "reward"
    assert report.steps == report.difference.step


@pytest.mark.parametrize("env_id", ["CartPole-v1", "FrozenLake-v1"])
def test_episodes_without_a_seed(env_id, actions, tmp_path):
    env = TrajectoryLogger(gym.make(env_id), tmp_path)
    for _ in range(3):
        env.reset()
        for action in actions(env, 5):
            *_, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                break
    env.close()
    for trajectory in aq_gym.trajectory.iter_trajectories(tmp_path):
        assert trajectory.header["seed"] is None
        assert aq_gym.trajectory.replay(trajectory.path).identical


def test_without_a_spec_the_environment_must_be_given(room, logged):
    path = logged(RepetitionRate(room, similarity=lambda a, b: float(a == b)))
    with pytest.raises(ValueError, match=r"RepetitionRate\(similarity"):
        aq_gym.trajectory.replay(path)
    assert aq_gym.trajectory.replay(path, RepetitionRate(room)).identical


def test_the_original_of_a_copy_must_be_whole(room, duplicate, tmp_path):
    env = TrajectoryLogger(room, tmp_path, name="e")
    env.reset(seed=0)
    env.step("x")
    copied = duplicate(env)
    copied.step("y")
    original = tmp_path / "e.jsonl"
    original.write_bytes(original.read_bytes().splitlines(keepends=True)[0])
    with pytest.raises(ValueError, match="continues step 1"):
        aq_gym.trajectory.replay(tmp_path / "e-copy-1.jsonl")
    original.unlink()
    with pytest.raises(FileNotFoundError, match="'e'"):
        aq_gym.trajectory.replay(tmp_path / "e-copy-1.jsonl")


def test_a_replay_draws_the_recorded_episode(tmp_path):
    env = TrajectoryLogger(gym.make("aq/Mastermind-v0"), tmp_path)
    env.reset(seed=0)
    drawn = [env.get_wrapper_attr("drawing")().svg()]
    for action in ("1234", "nonsense", "5678"):
        env.step(action)
        drawn.append(env.get_wrapper_attr("drawing")().svg())
    env.close()
    (file,) = tmp_path.glob("*.jsonl")
    assert aq_gym.trajectory.pictures(file) == drawn
    assert drawn[1] == drawn[2] != drawn[3]
    with pytest.raises(ValueError, match="step 0: "):
        aq_gym.trajectory.pictures(file, env=gym.make("aq/Mastermind-v0", code="9999"))


def test_a_shortened_step_is_read_and_not_replayed(room, tmp_path):
    env = TrajectoryLogger(room, tmp_path, name="e")
    env.reset(seed=0)
    env.step("look")
    env.annotate(reasoning="x" * 2**24)
    env.step("take key" + " " * 2**24)
    env.close()
    read = aq_gym.trajectory.read(tmp_path / "e.jsonl")
    assert read.complete and "left out]" in read.steps[1]["action"]
    assert set(read.steps[1]["shortened"]) >= {"action", "notes"}
    with pytest.raises(ValueError, match="step 2 exceeded the longest line"):
        aq_gym.trajectory.replay(tmp_path / "e.jsonl")
