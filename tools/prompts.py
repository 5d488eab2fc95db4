"""Replay the example in every benchmark's prompt.json and write the answers.

An example's author writes ``kwargs``, ``seed``, thoughts and actions into a benchmark's
``prompt.json``; this fills in ``goal`` and the observations.

Run it: python tools/prompts.py
"""

import json
from pathlib import Path
from typing import Any

import gymnasium as gym

from aq_gym.registration import TABLE

ENVS = Path(__file__).parents[1] / "aq_gym" / "envs"


def fill(env_id: str, example: dict[str, Any]) -> None:
    """Write the answers of an episode into its record."""
    env = gym.make(env_id, **example["kwargs"])
    example["observation"], info = env.reset(seed=example["seed"])
    example["goal"] = info["goal"]
    for turn in example["turns"]:
        turn["observation"], _, over, _, info = env.step(turn["action"])
        if not info["action_valid"]:
            raise SystemExit(f"{env_id}: {turn['action']!r}: {info['feedback']}")
    if not over or not info["success"]:
        raise SystemExit(f"{env_id}: the example does not end in success")
    env.close()


def main() -> None:
    """Fill in every example of every benchmark."""
    for row in TABLE:
        if row.family:
            continue
        folder = row.entry_point.partition(":")[0].rpartition(".")[2]
        path = ENVS / folder / "prompt.json"
        prompt = json.loads(path.read_text("utf-8"))
        for example in prompt["examples"].values():
            fill(row.id, example)
        text = json.dumps(prompt, indent=2, ensure_ascii=False)
        path.write_text(f"{text}\n", "utf-8")
        print(f"{row.id}: {len(prompt['examples'])} examples, {len(text)} characters")


if __name__ == "__main__":
    main()
