"""Does any hostile text break a story's session?

Run: ``python benchmarks/jericho_fuzz.py [--count 50000] [--games FOLDER]``. Each action
is drawn from known attacks, mutations of them, random text and sensible commands. It
fails if an action raises, takes longer than ten seconds, changes the state though it
was invalid, or leaves a file behind; it prints the counts.
"""

from __future__ import annotations

import argparse
import os
import string
import tempfile
import time
from pathlib import Path

import gymnasium as gym
import numpy as np

import aq_gym  # noqa: F401
from aq_gym.envs.jericho.games import ADVENTURES

HOSTILE = (
    "\\help", "\\set", "\\s", "\\d", "\\w99", "\\t", "\\x", "\\", "\\\\", "\\N", "\\X",
    "\\U", "\\R", "\\P", "\\S", "\\D", "\\H", "\\_", "\\[", "\\<", "a\\", "\\help\n",
    "\x0e", "\x0f", "\x10", "\x11", "\x12", "\x13", "\x14", "\x15", "\x00", "a\x00b",
    "\x08", "\x1b", "\x7f", "\x9b", "\xff", "look\nquit\ny", "look\rsave", "\n", "",
    "save", "save\nowned", "restore", "restart", "quit", "q", "undo", "script",
    "script on", "recording on", "replay", "verify", "restart. yes", "look. save",
    "look then quit", "me, save", "#record", "#command", "$ve", "again. again. again",
    "g", "oops save", "take " + "all " * 40, "x" * 99, "x" * 250, "y" * 20_000, "%n%x",
    "; rm -rf /", "\ud800", "\u202e", "\u2028save", "north" * 30, "say \"save\"", "...",
    "yes", "y", "1", "0", "-1", "65536", "xyzzy and save", "restart and yes", "QUIT",
    "Save.", "'save'", '"quit"', "save,restore", "unscript", "transcript on",
)  # fmt: skip
_SLOWEST = 10.0


def hostile_action(env: gym.Env[str, str], rng: np.random.Generator) -> str:
    """Draw a text that might cause an error."""
    dice = rng.random()
    if dice < 0.35:
        return str(HOSTILE[int(rng.integers(len(HOSTILE)))])
    if dice < 0.6:
        text = list(str(HOSTILE[int(rng.integers(len(HOSTILE)))])[:300])
        for _ in range(int(rng.integers(1, 4))):
            place = int(rng.integers(len(text) + 1))
            text.insert(place, chr(int(rng.integers(0, 0x250))))
        return "".join(text)
    if dice < 0.8:
        size = int(rng.integers(0, 130))
        return "".join(rng.choice(list(string.printable), size))
    return str(env.get_wrapper_attr("sample_action")(rng))


def fuzz(env: gym.Env[str, str], count: int, seed: int) -> dict[str, int]:
    """Type hostile lines for a number of steps; count each kind of result."""
    rng = np.random.default_rng(seed)
    found = {"steps": 0, "valid": 0, "ended": 0, "broken": 0}
    get_state = env.get_wrapper_attr("get_state")
    env.reset(seed=seed)
    for _ in range(count):
        action = hostile_action(env, rng)
        before = get_state()
        began = time.monotonic()
        _, _, terminated, truncated, info = env.step(action)
        if time.monotonic() - began > _SLOWEST:
            raise AssertionError(f"{action!r} took too long")
        if not info["action_valid"] and not truncated:
            assert get_state() == before, f"{action!r} changed the state"
        found["steps"] += 1
        found["valid"] += info["action_valid"]
        found["broken"] += "error" in info
        if terminated or truncated:
            found["ended"] += 1
            env.reset()
    return found


def stories(folder: str | None) -> list[str]:
    """Return our adventures and the story files of a folder."""
    paths = sorted(Path(folder).glob("*.z[3458]")) if folder else []
    return [*ADVENTURES, *(str(path.resolve()) for path in paths)]


def main() -> None:
    """Fuzz every story in an empty folder and check that it stays empty."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=50_000)
    parser.add_argument("--games", help="a folder with story files to fuzz, too")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    games = stories(options.games)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for index, game in enumerate(games):
            env = gym.make("aq/Jericho-v0", game=game, max_episode_steps=200)
            count = options.count // len(games)
            found = fuzz(env, count, options.seed + index)
            env.close()
            left = os.listdir(folder)
            assert not left, f"{game} left {left}"
            print(Path(game).stem, found, flush=True)


if __name__ == "__main__":
    main()
