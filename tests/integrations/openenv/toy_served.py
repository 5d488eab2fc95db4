"""Environments that are slow or broken, to be served in tests."""

import time

import gymnasium as gym
from toy_envs import LampsEnv


class SlowEnv(LampsEnv):
    """Lamps; the action "sleep 2" takes two seconds."""

    def _step(self, action):
        if action.startswith("sleep"):
            time.sleep(float(action.split()[1]))
        return super()._step(action)


class BrokenEnv(LampsEnv):
    """Lamps whose step fails."""

    def _step(self, action):
        raise RuntimeError(f"the engine failed at {action}")


gym.register("toys/Slow-v0", SlowEnv, max_episode_steps=100)
gym.register("toys/Broken-v0", BrokenEnv, max_episode_steps=100)
