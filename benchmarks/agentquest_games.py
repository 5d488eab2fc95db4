r"""Are answers, progress, ends and repetitions of 2048 those of AgentQuest's driver?

Plays 2048 with ``protocol="agentquest"`` in both, with the same texts, and counts the
steps at which something differs. AgentQuest's board gets our new tiles. Its games that
have instances are compared by ``agentquest_official.py``.

    git clone https://github.com/nec-research/agentquest
    pip install pydantic termcolor Levenshtein
    python benchmarks/agentquest_games.py agentquest
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np

import aq_gym  # noqa: F401 (registers the ids)
from aq_gym.wrappers import RepetitionRate

GOAL = 64
MIXES = {"random": 0.0, "mixed": 0.5, "expert": 1.0}
ODD = (
    "up",
    "MOVE:  A",
    "move: x",
    "I say move: left",
    "check valid actions",
    "Move: s d",
)


def walk(make: Any, expert: float, seed: int) -> Counter[str]:
    """Play one game in both, and count the differences."""
    kwargs: dict[str, Any] = {"goal": GOAL, "protocol": "agentquest"}
    env: Any = RepetitionRate(gym.make("aq/2048-v0", **kwargs), compare_to="all")
    observation, info = env.reset(seed=seed)
    driver, game = make(GOAL), env.unwrapped._game

    def same_tile() -> None:
        board = [[1 << n if n else 0 for n in row] for row in game.board]
        driver.current_state.value = board

    driver.place_random_tile = same_tile
    counts = Counter(games=1, start=observation != driver.reset().output)
    rng = np.random.default_rng(seed)
    unread: list[str] = []
    for _ in range(120):
        text = env.unwrapped.sample_action(rng)
        if rng.random() < expert:
            text = env.unwrapped.expert_action()
        elif rng.random() < 0.2:
            text = ODD[int(rng.integers(len(ODD)))]
        before = len(driver.metrics.interactions)
        observation, _, over, _, info = env.step(text)
        theirs = driver.step_raw(text)
        if len(driver.metrics.interactions) == before:
            unread.append(text)
        progress = driver.metrics.progress_function(driver.current_state)
        counts["steps"] += 1
        counts["output"] += observation != theirs.output
        counts["progress"] += abs(info["agentquest_progress"] - progress) > 1e-9
        counts["end"] += over == theirs.can_proceed
        counts["success"] += info["success"] != theirs.success
        if over or not theirs.can_proceed:
            break
    settings = {"theta_a": 1.0, "num_execution_steps": 121}
    exported = driver.metrics.export(repetition_function_kwargs=settings)
    # Texts that its parser refuses are no actions of its metrics.
    own = len(unread) - len(set(unread))
    repeated = round(exported["repetition_rate"] * 120)
    counts["repetitions"] += info["repetitions"] - own != repeated
    env.close()
    return counts


def main() -> None:
    """Play all games and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=Path, help="a checkout of AgentQuest")
    parser.add_argument("--games", type=int, default=20, help="of each mix")
    options = parser.parse_args()
    os.environ["AGENTQUEST_DATA"] = str(options.checkout)
    sys.path.insert(0, str(options.checkout))
    name = "agentquest.benchmarks.twothousandfortyeight.driver"
    make = importlib.import_module(name).TTFEDriver
    for mix, share in MIXES.items():
        total: Counter[str] = Counter()
        for seed in range(options.games):
            with contextlib.redirect_stdout(io.StringIO()):
                total.update(walk(make, share, seed))
        print("2048", mix, {k: n for k, n in total.items() if n}, flush=True)


if __name__ == "__main__":
    main()
