"""Compare a step in four of the packaged adventures with jericho's interpreter."""

from __future__ import annotations

import json
import warnings
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium as gym
from timing import Target, interleave, seconds_per_step, show

import aq_gym.envs.jericho

ADVENTURES = Path(aq_gym.envs.jericho.__file__).parent / "data"
NAMES = ("bathyscaphe", "clockwork", "lighthouse", "maze")


def compare(rounds: int) -> None:
    """Print a table for each adventure."""
    import jericho  # type: ignore[import-untyped, unused-ignore]

    for name in NAMES:
        path = ADVENTURES / f"{name}.z5"
        steps = json.loads(path.with_suffix(".json").read_text("utf-8"))["walkthrough"]
        # All but the last one.
        commands = [(step,) for step in steps if isinstance(step, str)][:-1]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            judge: Any = jericho.FrotzEnv(str(path))
        ours: Any = gym.make("aq/Jericho-v0", game=name).unwrapped
        envs = {"aq_gym": ours, "jericho": judge}
        samples = {
            one: partial(seconds_per_step, env, commands) for one, env in envs.items()
        }
        target = Target("aq_gym", 1.3, "jericho")
        show(
            f"{name}: a step", interleave(samples, rounds), "jericho", targets=[target]
        )
