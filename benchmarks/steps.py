"""How long does a step of our games take, for each kind of action?

One operation is a step of an environment without wrappers, over some episodes of the
same actions. Mystery remembers texts that it has read, so that each step says another.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, permutations
from typing import Any

import gymnasium as gym
from timing import Sample, Target, interleave, rounds_argument, seconds, show

import aq_gym  # noqa: F401  registers the ids
from aq_gym.envs.mystery.actions import read
from aq_gym.envs.mystery.logic.facts import aspects

EPISODES = 20
SQUARE = "na1c3h8tb2ome5wrpd4f6g7i9j0klqsuvxyz"
HARD = {"difficulty": "hard"}
# A story allows 20, and ends with the last one.
QUESTIONS = 19
PEOPLE = [value for aspect in aspects()[:2] for value in aspect.values][:8]
# The actions of an episode, by environment, arguments and a name for them.
GAMES: dict[str, tuple[dict[str, Any], dict[str, Sequence[str]]]] = {
    "aq/Hangman-v0": ({}, {"a letter": "jqxzv", "repeated": "eeeee"}),
    "aq/Wordle-v0": (
        {},
        {
            "a word": ("crane", "pilot", "dusty", "Guess: whelk", "c i v i c"),
            "unknown": ["zzzzz"] * 5,
            "the board": ("crane", "pilot", *["show board"] * 8),
        },
    ),
    "aq/2048-v0": (
        {},
        {
            "a move": ["up", "left", "down", "right"] * 8,
            "tolerant": ["Move: w", "Slide left."] * 16,
        },
    ),
    "aq/Cipher-v0": (
        {"cipher": "vigenere", **HARD},
        {
            "frequencies": ["frequencies"] * 9,
            "column": ["column 2 of 5"] * 9,
            "coincidence": ["coincidence 5"] * 9,
            "vigenere": ["vigenere abcdefghijklmnopqrst"] * 9,
            "rails": ["rails 5"] * 9,
            "text": [f"Plain text: {'the letter was lost at sea. ' * 5}"] * 9,
            "invalid": ["open the door"] * 9,
        },
    ),
    "aq/Cipher-v0 of ADFGVX": (
        {"cipher": "adfgvx", **HARD},
        {"adfgvx": [f"adfgvx {SQUARE} zebra"] * 9},
    ),
    "aq/GSM8K-v0": (
        {},
        {
            "calculation": [f"calculate[{n} * (3 + 4)]" for n in range(20)],
            "thought": [f"think[That is 3 * {n} = {3 * n} eggs.]" for n in range(20)],
            "JSON": ['{"name": "think", "arguments": {"thought": "2 dozen"}}'] * 20,
            "invalid": ["open the door"] * 20,
        },
    ),
    "aq/GAIA-v0": (
        {"files": "none", "retries": 100},
        {
            "thought": [f"think[That is {n} grams.]" for n in range(20)],
            "answer": [f"answer[town {n}]" for n in range(20)],
            "calculation": [f"calculate[{n} * (3 + 4)]" for n in range(20)],
            "invalid": ["open the door"] * 20,
        },
    ),
    "aq/Mystery-v0": (
        {},
        {
            "question": [
                f"Was the person {a} or {b}?"
                for a, b in islice(permutations(PEOPLE, 2), QUESTIONS)
            ],
            "irrelevant": [
                f"Did somebody die in {i * ' '}it?" for i in range(QUESTIONS)
            ],
            "invalid": [f"open door {i}" for i in range(50)],
        },
    ),
}


def sample(env: gym.Env[Any, Any], actions: Sequence[str]) -> Sample:
    """Return a sample of a step."""
    calls = [(action,) for action in actions]

    def play() -> float:
        total = 0.0
        for seed in range(EPISODES):
            read.cache_clear()
            env.reset(seed=seed)
            total += seconds(env.step, calls)
        return total / (EPISODES * len(calls))

    return play


def main() -> None:
    """Print a table for each game."""
    rounds = rounds_argument(__doc__, 20).parse_args().rounds
    for game, (arguments, kinds) in GAMES.items():
        env = gym.make(game.partition(" ")[0], **arguments).unwrapped
        samples = {name: sample(env, actions) for name, actions in kinds.items()}
        targets = [Target(name, 20) for name in kinds]
        show(f"{game}: a step", interleave(samples, rounds), next(iter(kinds)),
             targets=targets)  # fmt: skip


if __name__ == "__main__":
    main()
