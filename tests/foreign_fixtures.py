import copy
import pickle

import foreign_envs
import gymnasium as gym
import minigrid  # noqa: F401  registers its levels
import pytest

FOREIGN = [
    "CartPole-v1",
    "FrozenLake-v1",
    "MiniGrid-Empty-5x5-v0",
    "test/DictActions-v0",
    "test/Room-v0",
]


@pytest.fixture(params=FOREIGN)
def foreign(request):
    """Make every foreign environment in turn, and text actions for the one in words."""
    env = gym.make(request.param)
    yield env
    env.close()


@pytest.fixture
def room():
    return gym.make("test/Room-v0")


@pytest.fixture(params=["deepcopy", "pickle"])
def duplicate(request):
    if request.param == "deepcopy":
        return copy.deepcopy
    return lambda env: pickle.loads(pickle.dumps(env))


@pytest.fixture
def actions():
    """Give a function (env, n) -> n seeded actions, some of them repeated."""

    def sample(env, n):
        if isinstance(env.unwrapped, foreign_envs.Room):
            return (["look", "take key", "look", "Action: `jump`"] * n)[:n]
        env.action_space.seed(0)
        return [env.action_space.sample() for _ in range(n)]

    return sample


@pytest.fixture
def play(actions):
    """Give a function (env, n) -> what reset and up to n steps return."""

    def run(env, n=20, seed=7):
        results = [env.reset(seed=seed)]
        for action in actions(env, n):
            results.append(env.step(action))
            if results[-1][2] or results[-1][3]:
                break
        return results

    return run
