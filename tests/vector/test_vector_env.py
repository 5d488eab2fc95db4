"""The vector API as people use it: errors, attributes, wrappers of vectors."""

import copy
import pickle

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics
from vector.same import same

from aq_gym.trajectory import iter_trajectories
from aq_gym.vector import TextVectorEnv
from aq_gym.wrappers import AdmissibleActions, RepetitionRate, TrajectoryLogger


def make(num_envs=2, **kwargs):
    return gym.make_vec("aq/Mastermind-v0", num_envs, **kwargs)


def single():
    return gym.make("aq/Mastermind-v0", code="0123", max_episode_steps=2)


@pytest.mark.parametrize(
    ("kwargs", "error", "text"),
    [
        ({"num_envs": 0}, ValueError, "num_envs=0 must be at least 1"),
        ({"num_workers": 3}, ValueError, "num_workers=3: choose 0 to 2"),
        ({"num_workers": 1.5}, TypeError, "num_workers=1.5 must be an int"),
        ({"num_workers": True}, TypeError, "num_workers=True must be an int"),
        ({"num_workers": -1}, ValueError, "num_workers=-1: choose 0 to 2"),
        ({"autoreset_mode": "Never"}, ValueError, "Never"),
        ({"wrappers": [RepetitionRate]}, gym.error.Error, "wrappers argument"),
    ],
)
def test_bad_arguments_of_make_vec(kwargs, error, text):
    with pytest.raises(error, match=text):
        make(**kwargs)


def test_no_environments():
    with pytest.raises(ValueError, match="env_fns is empty"):
        TextVectorEnv([])


def test_different_spaces():
    other = gym.make("aq/Mastermind-v0")
    other.action_space = gym.spaces.Discrete(2)
    # The second error is that of gymnasium 1.2.
    errors = RuntimeError, AssertionError
    with pytest.raises(errors, match="Sub-environment action space"):
        TextVectorEnv([single, lambda: other])


def test_the_metadata_of_an_environment_is_not_changed():
    env = single()
    env.metadata = {"render_modes": ["ansi"]}
    envs = TextVectorEnv([lambda: env])
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert env.metadata == {"render_modes": ["ansi"]}


@pytest.mark.parametrize(
    ("actions", "error", "text"),
    [
        ("0123", TypeError, "'0123' must be a sequence of 2 str"),
        (["0123"], ValueError, "actions has 1 items: give one for each of the 2"),
        (["0123"] * 3, ValueError, "actions has 3 items"),
        (["0123", 4], TypeError, "action=4 must be a str"),
    ],
)
def test_bad_actions(actions, error, text):
    envs = make()
    envs.reset(seed=0)
    with pytest.raises(error, match=text):
        envs.step(actions)


@pytest.mark.parametrize(
    "mask",
    [
        [True, False],
        np.array([1, 0]),
        np.array([True]),
        np.array([False, False]),
    ],
)
def test_bad_masks(mask):
    envs = make(autoreset_mode="Disabled")
    envs.reset(seed=0)
    with pytest.raises(ValueError, match=r"reset_mask=.* must be an array of 2 bool"):
        envs.reset(options={"reset_mask": mask})


def test_options_that_are_not_a_dict_are_refused_by_the_environments():
    envs = make()
    with pytest.raises(TypeError, match="must be a dict or None"):
        envs.reset(options=[])


def test_bad_seeds_and_values():
    envs = make()
    with pytest.raises(
        ValueError, match="seed has 3 items: give one for each of the 2"
    ):
        envs.reset(seed=[1, 2, 3])
    with pytest.raises(ValueError, match="values has 3 items"):
        envs.set_attr("note", [1, 2, 3])


def test_without_autoreset_an_ended_episode_needs_a_reset():
    envs = make(autoreset_mode=AutoresetMode.DISABLED, code="0123")
    envs.reset(seed=0)
    terminations = envs.step(["0123", "3210"])[2]
    assert terminations.tolist() == [True, False]
    with pytest.raises(ResetNeeded, match=r"the episodes of \[0\] have ended"):
        envs.step(["0123", "3210"])
    observations, infos = envs.reset(options={"reset_mask": terminations})
    assert infos["_goal"].tolist() == [True, False]
    assert "3210" in observations[1]
    envs.step(["0123", "3210"])


def test_same_step_has_the_final_observation_and_info():
    envs = make(autoreset_mode="SameStep", code="0123")
    first, _ = envs.reset(seed=0)
    observations, rewards, _, _, infos = envs.step(["0123", "hm"])
    assert observations[0] == first[0] != infos["final_obs"][0]
    assert infos["final_info"]["success"].tolist() == [True, False]
    assert infos["_final_info"].tolist() == [True, False]
    assert rewards.tolist() == [1.0, 0.0]
    assert infos["final_obs"][1] is None


@pytest.mark.parametrize("num_workers", [0, 1])
@pytest.mark.slow
def test_an_episode_that_began_before_another_reset_failed_continues(num_workers):
    env_fns = [single, single]
    ours = TextVectorEnv(env_fns, num_workers=num_workers)
    theirs = SyncVectorEnv(env_fns)
    for envs in (ours, theirs):
        envs.reset(seed=0)
        envs.step(["0123", "0123"])
        with pytest.raises(gym.error.Error, match="Seed"):
            envs.reset(seed=[0, -1])
        with pytest.raises(ResetNeeded):
            envs.step(["4501", "0123"])
        envs.reset(seed=1, options={"reset_mask": np.array([False, True])})
    same(ours.step(["4501", "0123"]), theirs.step(["4501", "0123"]))
    ours.close()


def test_attributes_and_calls():
    envs = make(3, code="0123")
    envs.reset(seed=0)
    assert envs.call("expert_action") == tuple(
        env.unwrapped.expert_action() for env in envs.envs
    )
    envs.set_attr("note", [1, 2, 3])
    assert envs.get_attr("note") == (1, 2, 3)
    envs.set_attr("note", "all")
    assert envs.get_attr("note") == ("all",) * 3
    assert [generator.random() for generator in envs.np_random]
    with pytest.raises(AttributeError, match="missing"):
        envs.get_attr("missing")


def test_close_is_idempotent():
    envs = make()
    closed = []
    for env in envs.envs:
        env.unwrapped.close = lambda: closed.append(1)
    envs.close()
    envs.close()
    assert envs.closed
    assert len(closed) == 2


@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))]
)
def test_copies_continue_alike(copied):
    envs = make(3)
    envs.reset(seed=0)
    envs.step(["0123"] * 3)
    twin = copied(envs)
    for action in ("4567", "8901"):
        same(twin.step([action] * 3), envs.step([action] * 3))


def test_wrappers_of_vectors():
    def wrapped(envs):
        return DictInfoToList(RecordEpisodeStatistics(envs))

    ours = wrapped(TextVectorEnv([single] * 3))
    theirs = wrapped(SyncVectorEnv([single] * 3))
    same(ours.reset(seed=0)[1], theirs.reset(seed=0)[1])
    for action in ("3210", "0123", "0123"):
        mine, yours = (envs.step([action] * 3)[4] for envs in (ours, theirs))
        for info in (*mine, *yours):
            # Seconds, of which every run has others.
            info.get("episode", {}).pop("t", None)
        same(mine, yours)
    assert ours.env.return_queue[-1] == 1.0


def test_a_trajectory_is_of_one_environment(tmp_path):
    env = TrajectoryLogger(gym.make("aq/Mastermind-v0"), tmp_path)
    env.reset(seed=0)
    env.close()
    (logged,) = iter_trajectories(tmp_path)
    assert logged.header["spec"]["vector_entry_point"] is None


class Board(gym.Wrapper):
    """Has an array and a dict in its info that it changes in place."""

    def __init__(self, env):
        super().__init__(env)
        self.board, self.counts = np.zeros(2, dtype=int), {}

    def reset(self, **kwargs):
        self.board[:] = self.counts["step"] = 0
        observation, info = self.env.reset(**kwargs)
        return observation, {**info, "board": self.board, "counts": self.counts}

    def step(self, action):
        self.board += 1
        self.counts["step"] += 1
        *result, info = self.env.step(action)
        return *result, {**info, "board": self.board, "counts": self.counts}


def test_final_infos_are_those_before_the_reset():
    envs = TextVectorEnv([lambda: Board(single())] * 2, autoreset_mode="SameStep")
    envs.reset(seed=0)
    envs.step(["4567", "4567"])
    infos = envs.step(["4567", "4567"])[4]
    assert infos["final_info"]["board"].tolist() == [[2, 2], [2, 2]]
    assert infos["final_info"]["counts"]["step"].tolist() == [2, 2]
    assert infos["board"].tolist() == [[0, 0], [0, 0]]


def test_results_of_a_step_are_not_changed_by_the_next():
    envs = make()
    envs.reset(seed=0)
    result = envs.step(["0123", "hm"])
    before = copy.deepcopy(result)
    envs.step(["hm", "0123"])
    same(result, before)


def numbered():
    env = gym.make("aq/BabyAI-text-PickupLoc-v0", max_episode_steps=3)
    return AdmissibleActions(env, n=16)


@pytest.mark.slow
@pytest.mark.parametrize("num_workers", [0, 2])
def test_wrapped_environments_with_other_spaces(num_workers):
    ours = TextVectorEnv([numbered] * 2, num_workers=num_workers)
    theirs = SyncVectorEnv([numbered] * 2)
    assert ours.action_space == theirs.action_space
    same(ours.reset(seed=0), theirs.reset(seed=0))
    for action in (0, 1, 0, 1):
        actions = np.array([action, 0])
        same(ours.step(actions), theirs.step(actions))
    ours.close()
