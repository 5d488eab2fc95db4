import gymnasium as gym
import pytest

from aq_gym import trajectory
from aq_gym.wrappers import RepetitionRate, TrajectoryLogger, Trials


def make(trials=3, **kwargs):
    env = gym.make("aq/Mastermind-v0", code="5618", max_episode_steps=2, **kwargs)
    return Trials(RepetitionRate(env), trials)


def told(info):
    return info["trial"], info["trial_over"], info["success"]


def test_a_failed_trial_is_followed_by_another_of_the_same_task():
    env = make()
    first, info = env.reset(seed=3)
    assert told(info) == (1, False, False)
    assert told(env.step("1234")[-1]) == (1, False, False)
    observation, *ended, info = env.step("1234")
    assert told(info) == (1, True, False) and ended[1:] == [False, False]
    assert info["repetitions"] == 1 and "1234" in observation
    again, reward, *ended, info = env.step("5618")
    assert (again, reward, ended) == (first, 0.0, [False, False])
    assert told(info) == (2, False, False) and info["repetitions"] == 0
    assert env.step("5618")[2:4] == (True, False)


def test_the_last_trial_ends_the_episode():
    env = make(trials=2)
    env.reset(seed=0)
    ended = [env.step("1234")[2:4] for _ in range(5)]
    assert ended == [(False, False)] * 4 + [(False, True)]


def test_the_best_progress_is_that_of_all_trials():
    env = make()
    env.reset(seed=0)
    for action in ("5619", "1111"):
        info = env.step(action)[-1]
    best = info["best_progress"]
    info = env.step("")[-1]
    assert info["progress"] == 0.0 < best == info["best_progress"]
    assert env.reset(seed=0)[1]["best_progress"] == 0.0


def test_without_a_seed_the_trials_are_of_one_task_too():
    env = Trials(gym.make("aq/Sudoku-v0", max_episode_steps=1), 3)
    tasks = []
    for _ in range(2):
        tasks.append({env.reset()[1]["task_id"]})
        tasks[-1] |= {env.step("")[-1].get("task_id", "") for _ in range(3)} - {""}
    assert [len(one) for one in tasks] == [1, 1] and tasks[0] != tasks[1]


def test_an_error_of_the_engine_ends_the_episode(room):
    env = Trials(room)
    observation, info = env.reset()
    broken = observation, 0.0, False, True, {**info, "success": False, "error": "x"}
    room.step = lambda action: broken
    assert env.step("look")[2:4] == (False, True)


def test_a_copy_continues_with_its_trial(duplicate):
    env = make()
    env.reset(seed=0)
    for _ in range(3):
        env.step("1234")
    info = duplicate(env).step("1234")[-1]
    assert told(info) == (2, False, False)


def test_a_replay_has_the_same_trials(tmp_path):
    env = TrajectoryLogger(make(), tmp_path)
    env.reset(seed=0)
    for action in ("1234", "4321", "a note", "5618"):
        env.step(action)
    (file,) = trajectory.iter_trajectories(tmp_path)
    assert trajectory.replay(file.path).identical
    assert [step["info"]["trial"] for step in file.steps] == [1, 1, 2, 2]


def test_mistakes_raise():
    env = gym.make("CartPole-v1")
    with pytest.raises(ValueError, match="trials=0 must be at least 1"):
        Trials(env, 0)
    with pytest.raises(TypeError, match="trials"):
        Trials(env, "2")
    wrapped = Trials(env)
    wrapped.reset()
    with pytest.raises(KeyError, match="requires info\\['success'\\]"):
        wrapped.step(0)
