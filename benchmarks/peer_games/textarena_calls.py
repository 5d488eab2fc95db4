"""TextArena's environments as functions that also return the answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["calls"]


def calls(env: Any) -> tuple[Callable[[], object], Callable[[str], object]]:
    """Return a function that begins an episode and one that takes a step.

    Args:
        env: A TextArena environment for one player.
    """
    # Its default wrapper keeps the texts of earlier episodes too, so that an env that
    # is used again would slow down from reset to reset.
    texts = getattr(env, "full_observations", {})

    def reset() -> object:
        texts.clear()
        env.reset(num_players=1)
        return env.get_observation()

    def step(action: str) -> object:
        done, _ = env.step(action)
        return done, env.get_observation()

    return reset, step
