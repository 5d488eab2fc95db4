import gymnasium as gym
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit

from aq_gym import trajectory
from aq_gym.wrappers import (
    ExtractAction,
    RepetitionRate,
    StepCap,
    SubgoalProgress,
    TrajectoryLogger,
    Trials,
)


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


def test_a_reset_that_fails_and_changed_options_leave_the_trials_as_they_are():
    env, options = make(), {"task_id": "5618"}
    env.reset(seed=0, options=options)
    for _ in range(2):
        env.step("1234")
    options["task_id"] = "no such"
    with pytest.raises(ValueError, match="no such"):
        env.reset(options=options)
    assert told(env.step("a note")[-1]) == (2, False, False)


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


@pytest.mark.parametrize(
    "wrap",
    [
        RepetitionRate,
        ExtractAction,
        lambda env: StepCap(env, max_steps=2),
        lambda env: SubgoalProgress(env, {"key": "Taken"}),
    ],
    ids=["repetition", "extraction", "cap", "progress"],
)
def test_what_counts_in_a_trial_or_changes_actions_belongs_inside(room, wrap):
    wrap(room)
    with pytest.raises(ValueError, match=r"must be inside Trials, .*: Trials\("):
        wrap(TimeLimit(Trials(room), 9))


def test_the_logger_belongs_outside(room):
    logged = TrajectoryLogger(room, "never-made")
    with pytest.raises(ValueError, match=r"file.*: TrajectoryLogger\(Trials\(env\)\)"):
        Trials(logged)


def test_the_reset_options_and_the_picture_are_those_of_every_trial():
    made = gym.make("aq/Mastermind-v0", max_episode_steps=1, render_mode="ansi")
    env = Trials(made, 2)
    first, info = env.reset(seed=3, options={"task_id": "1234"})
    assert env.step("4321")[-1]["trial_over"] and env.render() != first
    again, *_, info = env.step("a note")
    assert (info["task_id"], again) == ("1234", first) and first == env.render()
    env.close()


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_the_environments_of_a_vector_have_trials_of_their_own(mode):
    envs = SyncVectorEnv([make, make], autoreset_mode=mode)
    envs.reset(seed=[0, 1])
    assert [*envs.step(("1234", "5618"))[2]] == [False, True]
    seen = []
    for actions in (("1234", "1234"), ("a note", "1234")):
        *ended, info = envs.step(actions)[2:]
        assert not any(map(any, ended))
        seen.append((info["trial"].tolist(), info["trial_over"].tolist()))
    same = mode == AutoresetMode.SAME_STEP
    assert seen == [([1, 1], [True, False]), ([2, 1], [False, same])]
    assert (info["trial"].dtype, info["trial_over"].dtype) == (int, bool)
