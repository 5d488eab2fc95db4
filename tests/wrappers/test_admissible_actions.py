"""AdmissibleActions: fixed shapes, masks, and the goal wherever it is needed."""

import copy
import pickle

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv
from hypothesis import given
from hypothesis import strategies as st

from aq_gym.registration import TABLE
from aq_gym.wrappers import AdmissibleActions, HashedNgrams

PICKUP = "aq/BabyAI-text-PickupLoc-v0"
N = 24


def make(env_id=PICKUP, n=N, **more):
    return AdmissibleActions(gym.make(env_id, max_episode_steps=6), n, **more)


@pytest.mark.parametrize(
    "env_id",
    [
        pytest.param(
            row.id, marks=pytest.mark.needs(*(f"module:{n}" for n in row.requires))
        )
        for row in TABLE
        if not row.family
    ],
)
def test_shapes_are_fixed(env_id):
    try:
        gym.make(env_id, list_actions=True).close()
    except ValueError as error:
        pytest.skip(str(error))
    env = make(env_id, 8)
    rng = np.random.default_rng(0)
    observation, info = env.reset(seed=3)
    goal = info["goal"]
    over = False
    while not over:
        assert env.observation_space.contains(observation)
        assert info["goal"] == goal
        assert not {"admissible_actions", "subgoals"} & set(info)
        assert (observation["mask"] == env.action_masks()).all()
        (choices,) = env.action_masks().nonzero()
        admissible = env.get_wrapper_attr("admissible_actions")()
        assert len(choices) == min(8, len(admissible))
        assert info["actions_dropped"] == max(0, len(admissible) - 8)
        choice = int(rng.choice(choices))
        observation, _, terminated, truncated, info = env.step(choice)
        assert info["action_text"] == admissible[choice]
        assert info["action_valid"]
        over = terminated or truncated
    assert not env.action_masks().any()
    assert env.observation_space.contains(observation)


VECTORS = ("goal", "observation", "actions")


@pytest.mark.filterwarnings("ignore:.*is different from the unwrapped version")
def test_gymnasium_accepts_it():
    env = make(n=1)
    check_env(env, skip_render_check=True)
    spaces = env.observation_space
    assert all((spaces[k].low.min(), spaces[k].high.max()) == (-1, 1) for k in VECTORS)


def test_a_number_without_an_action_is_invalid():
    env = make(n=200)
    _, start = env.reset(seed=0)
    _, reward, *_, info = env.step(199)
    assert info["action_text"] == "[no action 199]"
    assert (info["action_valid"], reward) == (False, 0.0)
    assert info["subgoals_total"] == start["subgoals_total"] > 0
    assert start["subgoals_reached"] == 0


@pytest.mark.parametrize(
    ("vector", "mode"),
    [
        (SyncVectorEnv, AutoresetMode.SAME_STEP),
        (AsyncVectorEnv, AutoresetMode.NEXT_STEP),
    ],
)
def test_vector_envs_have_masks_and_goals_through_resets(vector, mode):
    envs = vector([make] * 3, autoreset_mode=mode)
    observations, infos = envs.reset(seed=1)
    rng = np.random.default_rng(1)
    goals = set()
    for _ in range(30):
        assert infos["goal"].shape == infos["subgoals_reached"].shape == (3,)
        assert all(isinstance(goal, str) and goal for goal in infos["goal"])
        goals |= set(infos["goal"])
        assert observations["actions"].shape == (3, N, 256)
        encode = HashedNgrams()
        for number, goal in enumerate(infos["goal"]):
            assert (observations["goal"][number] == encode(goal)).all()
        masks = observations["mask"]
        actions = [rng.choice(m.nonzero()[0]) if m.any() else 0 for m in masks]
        observations, _, _, _, infos = envs.step(np.array(actions))
    envs.close()
    assert len(goals) > 3


def test_features_are_yours():
    env = make(features=f"{__name__}:length")
    observation, info = env.reset(seed=0)
    assert observation["goal"] == len(info["goal"])
    assert observation["actions"].shape == (N,)
    again = gym.make(gym.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert again.spec == env.spec
    made = make(features=lambda text: np.ones((2, 3)))
    assert made.observation_space["actions"].shape == (N, 2, 3)


def length(text):
    return np.float32(len(text))


@pytest.mark.parametrize(
    "duplicated", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))]
)
def test_copies_continue_alike(duplicated):
    env = make()
    env.reset(seed=2)
    env.step(0)
    other = duplicated(env)
    for action in (1, 0, 2):
        (first, *rest), (second, *others) = env.step(action), other.step(action)
        assert rest == others
        assert all((first[key] == second[key]).all() for key in first)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((0,), ValueError, "n=0 must be at least 1"),
        ((2.5,), TypeError, "n=2.5"),
        ((3, 7), TypeError, "features must be a callable"),
    ],
)
def test_mistakes_are_named(arguments, error, message):
    with pytest.raises(error, match=message):
        AdmissibleActions(gym.make(PICKUP), *arguments)


@pytest.mark.parametrize("returned", [None, "length", {}, [[1], [1, 2]]])
def test_features_must_be_numbers(returned):
    with pytest.raises(TypeError, match=r"features returned .* for '': it must return"):
        make(features=lambda text: returned)


def test_features_must_have_one_shape():
    env = make(features=lambda text: np.zeros(len(text.split())))
    with pytest.raises(
        ValueError, match=r"of one shape: \(0,\) for '', but \(\d+,\) for"
    ):
        env.reset(seed=0)


@pytest.mark.parametrize("action", [1, np.int64(1), np.array(1)])
def test_an_action_is_a_number(action):
    env = make()
    env.reset(seed=0)
    assert env.step(action)[4]["action_text"] == "turn right"


@pytest.mark.parametrize("action", ["1", 1.7, None, [1], np.array([1, 2])])
def test_an_action_that_is_not_a_number_is_named(action):
    env = make()
    env.reset(seed=0)
    with pytest.raises(TypeError, match=r"action=.*must be an int"):
        env.step(action)


def test_an_environment_without_the_method_is_refused():
    with pytest.raises(AttributeError, match="has no admissible_actions"):
        AdmissibleActions(gym.make("CartPole-v1"), 2)


@given(st.text(max_size=60), st.integers(1, 40), st.integers(1, 4))
def test_ngrams_are_unit_vectors(text, size, longest):
    vector = HashedNgrams(size, longest)(text)
    assert vector.shape == (size,)
    assert vector.dtype == np.float32
    norm = np.linalg.norm(vector)
    assert norm == 0.0 or norm == pytest.approx(1.0, abs=1e-5)
    assert (vector == HashedNgrams(size, longest)(text)).all()


def test_ngrams_see_words_and_their_order():
    encode = HashedNgrams(4096)
    assert (encode("Pick up!") == encode("pick up")).all()
    red, blue = encode("go to the red ball"), encode("go to the blue ball")
    other = encode("a wall is near")
    assert red @ blue > 0.4 > abs(red @ other)
    assert (encode("a b") != encode("b a")).any()
    assert not (HashedNgrams(4096, 1)("a b") != HashedNgrams(4096, 1)("b a")).any()


@pytest.mark.parametrize("arguments", [(0,), (8, 0)])
def test_ngrams_need_a_size(arguments):
    with pytest.raises(ValueError, match="must be at least 1"):
        HashedNgrams(*arguments)
