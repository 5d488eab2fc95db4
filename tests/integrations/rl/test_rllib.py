"""PPO of RLlib, the real package: ``.ci/integrations`` installs it."""

import gymnasium as gym
import pytest

pytest.importorskip("ray.rllib", reason="needs ray[rllib], as in .ci/integrations")
from gymnasium.wrappers import FlattenObservation
from ray.rllib.algorithms.ppo import PPOConfig
from ray.tune.registry import register_env

from aq_gym.wrappers import AdmissibleActions

# Warnings of the package are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")


def make(_):
    env = gym.make("aq/BabyAI-text-PickupLoc-v0", split="train", max_episode_steps=10)
    return FlattenObservation(AdmissibleActions(env, n=32))


def test_ppo_plays_admissible_actions():
    register_env("admissible", make)
    config = (
        PPOConfig()
        .environment("admissible")
        .env_runners(num_env_runners=0)
        .training(train_batch_size_per_learner=64, minibatch_size=32, num_epochs=1)
        .debugging(seed=0)
    )
    algorithm = config.build_algo()
    try:
        result = algorithm.train()
    finally:
        algorithm.stop()
    played = result["env_runners"]
    assert played["num_episodes"] > 0
    assert 0.0 <= played["episode_return_mean"] <= 1.0
