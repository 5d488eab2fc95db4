import subprocess
import sys

import gymnasium as gym
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.wrappers import Autoreset, TimeLimit

import aq_gym.trajectory
import aq_gym.wrappers
from aq_gym.wrappers import (
    AdmissibleActions,
    ExtractAction,
    RepetitionRate,
    StepCap,
    StepsToGo,
    SubgoalProgress,
    SuccessReward,
    TrajectoryLogger,
)


def stack(env, directory):
    env = RepetitionRate(env, threshold=0.8, similarity="token_set")
    out = {"function": "foreign_envs:left"}
    env = SuccessReward(SubgoalProgress(env, {"key": "Taken", "out": out}))
    env = StepCap(env, max_steps=30, max_invalid=2, max_repeated=9)
    return TrajectoryLogger(ExtractAction(env), directory)


def test_the_whole_stack_survives_json(room, play, tmp_path):
    env = stack(room, str(tmp_path / "one"))
    results = play(env)
    made = gym.make(EnvSpec.from_json(env.spec.to_json()))
    assert made.spec == env.spec
    assert play(made) == results
    env.close()
    made.close()
    read = list(aq_gym.trajectory.iter_trajectories(tmp_path / "one"))
    assert len(read) == 2
    replays = [aq_gym.trajectory.replay(t.path, trust=True) for t in read]
    assert all(report.identical for report in replays)


def test_the_whole_stack_is_copied_in_mid_episode(room, duplicate, tmp_path):
    env = stack(room, tmp_path)
    env.reset(seed=1)
    for action in ("Action: take key", "Action: jump high"):
        env.step(action)
    copied = duplicate(env)
    assert copied.step("Action: open door")[4]["success"]
    action = "Thought: again.\nAction: high jump"
    first, second = duplicate(env).step(action), env.step(action)
    assert first == second
    info = second[4]
    assert (info["cap"], info["repetitions"]) == ("max_invalid", 1)
    assert info["subgoals"] == {"key": True, "out": False}


def test_a_seed_and_options_reach_the_environment(tmp_path):
    env = stack(gym.make("aq/Mastermind-v0"), tmp_path)
    plain = gym.make("aq/Mastermind-v0")
    assert env.reset(seed=3)[1]["task_id"] == plain.reset(seed=3)[1]["task_id"]
    assert env.reset(options={"task_id": "0123"})[1]["task_id"] == "0123"
    listed = AdmissibleActions(gym.make("aq/Mastermind-v0", code_length=2), 9)
    assert listed.reset(options={"task_id": "01"})[1]["task_id"] == "01"
    first = listed.reset(seed=3)[1]["task_id"]
    listed.reset()
    assert listed.reset(seed=3)[1]["task_id"] == first


@pytest.mark.parametrize(
    "wrap",
    [
        RepetitionRate,
        SuccessReward,
        lambda env: SubgoalProgress(env, {"key": "Taken"}),
        lambda env: StepCap(env, max_steps=3),
        lambda env: TrajectoryLogger(env, "never-made"),
        StepsToGo,
    ],
    ids=["repetition", "success", "progress", "cap", "logger", "steps to go"],
)
def test_counts_begin_anew_where_an_episode_does(room, wrap):
    with pytest.raises(ValueError, match=r"be inside Autoreset.*: Autoreset\("):
        wrap(TimeLimit(Autoreset(room), 9))


def test_rapidfuzz_is_not_imported_before_it_is_needed():
    code = """
import sys
import aq_gym.wrappers
history = aq_gym.wrappers.ActionHistory()
history.add("a"), history.add("b")
assert "rapidfuzz" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
