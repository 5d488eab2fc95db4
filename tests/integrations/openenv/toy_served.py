"""Environments that are slow or broken, to be served in tests."""

import time
from pathlib import Path

import gymnasium as gym
import numpy as np
from toy_envs import LampsEnv


class SlowEnv(LampsEnv):
    """Lamps; the action "wait FILE" makes FILE.begun and waits until there is FILE."""

    def _refuse(self, text):
        if text.startswith("wait"):
            file = Path(text.split()[1])
            file.with_suffix(".begun").touch()
            while not file.exists():
                time.sleep(0.02)
        return super()._refuse(text)


class BrokenEnv(LampsEnv):
    """Lamps whose step fails."""

    def _step(self, action):
        raise RuntimeError(f"the engine failed at {action}")

    _refuse = _step


class OddEnv(LampsEnv):
    """Lamps with information that is not JSON, or with an error that is not UTF-8."""

    odd = {  # noqa: RUF012
        "floats": (float("nan"), float("inf"), np.float64("-inf"), np.float32(0.5)),
        "ints": (10**5000, np.int8(-3), np.bool_(True)),
        "arrays": {"a": np.eye(1, 2), np.str_("b"): np.longdouble(0.5)},
        "texts": ("\ud800", b"\xff", {"y", "x"}, 1j),
        3: {"\ud83d": None},
    }

    def reset(self, **kwargs):
        text, info = super().reset(**kwargs)
        return text, {**info, **self.odd}

    def step(self, action):
        if "\ud800" in action:
            raise ValueError(action)
        if action == "wordless":
            raise AssertionError
        text, _, _, _, info = super().step(action)
        ends = np.bool_(True), np.bool_(False)
        return f"{text} \udfff", float("nan"), *ends, {**info, **self.odd}


gym.register("toys/Odd-v0", OddEnv, max_episode_steps=100)
gym.register("toys/Slow-v0", SlowEnv, max_episode_steps=100)
gym.register("toys/Broken-v0", BrokenEnv, max_episode_steps=100)
