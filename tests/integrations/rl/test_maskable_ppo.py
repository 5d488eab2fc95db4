"""MaskablePPO, the real package: ``.ci/integrations`` installs it."""

import gymnasium as gym
import pytest

pytest.importorskip("sb3_contrib", reason="needs sb3-contrib, as in .ci/integrations")
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor

from aq_gym.wrappers import AdmissibleActions

# Warnings of the package are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")
torch.set_num_threads(1)
SMALL = {"n_steps": 32, "batch_size": 32, "n_epochs": 1, "seed": 0, "device": "cpu"}


def make(env_id="aq/BabyAI-text-PickupLoc-v0", **features):
    env = gym.make(env_id, split="train", max_episode_steps=10)
    return AdmissibleActions(env, n=32, **features)


@pytest.mark.parametrize("count", [1, 3])
def test_it_takes_admissible_actions_alone(count):
    envs = VecMonitor(DummyVecEnv([make] * count))
    model = MaskablePPO("MultiInputPolicy", envs, **SMALL).learn(64)
    observations = envs.reset()
    ended = 0
    for _ in range(30):
        masks = get_action_masks(envs)
        assert (masks == observations["mask"].astype(bool)).all()
        actions, _ = model.predict(observations, action_masks=masks)
        observations, _, dones, infos = envs.step(actions)
        assert all(info["action_valid"] and info["goal"] for info in infos)
        ended += dones.sum()
    assert ended
