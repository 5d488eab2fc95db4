"""Measure how the time of a step grows with the length of a model's completion.

Each form is a text that repeats one piece up to 250,000, 500,000 and 1,000,000
characters. A step passes ExtractAction, RepetitionRate and SubgoalProgress, in an
environment that understands actions (Mastermind) and in one that does not say.
Processor time; "growth" is that of the last doubling, 2 if it is linear.
"""

from __future__ import annotations

import argparse
from typing import Any

import gymnasium as gym
from gymnasium.spaces import Text
from timing import seconds

import aq_gym  # noqa: F401  registers the ids
from aq_gym.wrappers import ExtractAction, RepetitionRate, SubgoalProgress

LENGTHS = (250_000, 500_000, 1_000_000)
FORMS = {
    "words": "the next guess follows from the last ",
    "lines": "Guess 1234 was wrong.\n",
    "blank lines": "\n",
    "spaces": " ",
    "one letter": "a",
    "markers": "Action: take it\n",
    "inline markers": "my action: take it, ",
    "JSON": '{"action": "take it"} ',
    "open JSON": '{"action": ',
    "open braces": "{",
    "open brackets": "[",
    "escaped quotes": '\\"',
    "JSON text never closed": '{"action": "',
    "backslashes": "\\",
    "tags": "<action>take it</action>",
    "open tags": "<action>",
    "closing tags": "</action>",
    "reasoning": "<think>well</think>",
    "open reasoning": "<think>",
    "channels": "<|channel|>analysis<|message|>",
    "open channels": "<|channel|>",
    "boxes": "\\boxed{1234}",
    "open boxes": "\\boxed{",
    "fences": "```\ntake it\n```\n",
    "open fences": "```",
    "bold": "**take it** ",
    "stars": "*",
    "quotes": '"take it" ',
    "single quotes": "'",
    "double quotes": '"',
    "parentheses": "(",
    "bullets": "- take it\n",
    "numbers": "1. ",
    "imagined turns": "Observation: nothing\n",
    "lead-ins": "I will now try to ",
    "dashes": " - ",
    "colons": ":",
}


class Silent(gym.Env[str, str]):
    """An environment that does nothing and does not say what it understands."""

    observation_space = action_space = Text(10)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Do nothing."""
        return "", {}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Do nothing."""
        return "", 0.0, False, False, {}


def wrapped(env: gym.Env[str, str]) -> gym.Env[str, str]:
    """Return an environment in the three wrappers."""
    env = SubgoalProgress(env, {"never": "this is not in any text"})
    return ExtractAction(RepetitionRate(env, threshold=0.8))


def main() -> None:
    """Print a row for each form and environment."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shortest", type=int, default=LENGTHS[0])
    shortest = parser.parse_args().shortest
    lengths = [shortest, 2 * shortest, 4 * shortest]
    heads = [f"{length:,}" for length in lengths]
    print(f"| form | environment | {' | '.join(heads)} | growth |")
    print("|---|---|---|---|---|---|")
    envs = {"Mastermind": gym.make("aq/Mastermind-v0"), "silent": Silent()}
    for form, piece in FORMS.items():
        for name, env in envs.items():
            times = []
            for length in lengths:
                stack = wrapped(env)
                stack.reset(seed=0)
                text = (piece * (length // len(piece) + 1))[:length]
                times.append(seconds(stack.step, [(text,)]))
            cells = " | ".join(f"{1e3 * took:.0f} ms" for took in times)
            growth = times[-1] / max(times[-2], 1e-4)
            print(f"| {form} | {name} | {cells} | {growth:.1f} |", flush=True)


if __name__ == "__main__":
    main()
