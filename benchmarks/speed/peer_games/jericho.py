"""Compare a step in four of the packaged adventures with jericho's interpreter."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import gymnasium as gym
from timing import Sample, Target, interleave, seconds, show

import aq_gym.envs.jericho

ADVENTURES = Path(aq_gym.envs.jericho.__file__).parent / "data"
NAMES = ("bathyscaphe", "clockwork", "lighthouse", "maze")


def _walk(env: Any, commands: list[str]) -> Sample:
    """Return a sample of a step along a recorded solution, but for its last one."""
    calls = [(command,) for command in commands[:-1]]

    def play() -> float:
        env.reset()
        return seconds(env.step, calls) / len(calls)

    return play


def compare(rounds: int) -> None:
    """Print a table for each adventure."""
    import jericho  # type: ignore[import-untyped, unused-ignore]

    for name in NAMES:
        path = ADVENTURES / f"{name}.z5"
        steps = json.loads(path.with_suffix(".json").read_text("utf-8"))["walkthrough"]
        commands = [step for step in steps if isinstance(step, str)]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            judge: Any = jericho.FrotzEnv(str(path))
        ours: Any = gym.make("aq/Jericho-v0", game=name).unwrapped
        samples = {"aq_gym": _walk(ours, commands), "jericho": _walk(judge, commands)}
        target = Target("aq_gym", 1.3, "jericho")
        show(
            f"{name}: a step", interleave(samples, rounds), "jericho", targets=[target]
        )
