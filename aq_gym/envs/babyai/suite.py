"""AgentBoard's protocol: 28 levels, four seeds each."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TypedDict


class Episode(TypedDict):
    """One episode of a suite.

    Attributes:
        id: What ``gymnasium.make`` takes.
        kwargs: Constructor arguments.
        seed: The seed of the reset.
        max_steps: The step cap.
        difficulty: "easy" or "hard".
    """

    id: str
    kwargs: dict[str, str]
    seed: int
    max_steps: int
    difficulty: str


def agentboard_suite() -> list[Episode]:
    """Return AgentBoard's 112 episodes, in its order.

    The difficulty is by AgentBoard's cutoff, more than three subgoals, applied to this
    environment's subgoals.
    """
    data = files("aq_gym.envs.babyai").joinpath("data/agentboard_suite.json")
    episodes: list[Episode] = json.loads(data.read_text(encoding="utf-8"))
    return episodes
