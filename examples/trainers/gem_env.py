"""GEM, whose environments ROLL plays too: register ids under names of your own.

gem.register("aq:Mastermind", "gem_env:GemEnv", id="aq/Mastermind-v0", max_steps=60)
env = gem.make("aq:Mastermind", kwargs={"split": "train"})
"""

from typing import Any

import numpy as np
from gem.core import Env

from aq_gym import Episode
from aq_gym.integrations.shared import begin_episode, number_metrics


class GemEnv(Env):
    """Plays episodes of an environment; the observation is the text of the messages.

    Args:
        id: The id that ``gymnasium.make`` takes.
        kwargs: Constructor arguments.
        max_steps: The step cap; None for the id's own.
        how: Further arguments of ``aq_gym.Episode``, such as ``prompting``.
    """

    def __init__(
        self,
        id: str,  # noqa: A002 (as gymnasium.make names it)
        kwargs: dict[str, Any] | None = None,
        max_steps: int | None = None,
        how: dict[str, Any] | None = None,
    ) -> None:
        super().__init__()
        self._task = {"id": id, "kwargs": kwargs or {}, "max_steps": max_steps}
        self._how = how or {}
        self._seeds = np.random.default_rng()
        self._episode: Episode | None = None

    def reset(self, seed: int | None = None) -> tuple[str, dict[str, Any]]:
        """Begin an episode; without a seed, the next of the last seed's sequence."""
        super().reset(seed)
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        else:
            seed = int(self._seeds.integers(2**31))
        if self._episode is not None:
            self._episode.close()
        self._episode = begin_episode({**self._task, "seed": seed}, **self._how)
        texts = (one["content"] for one in self._episode.messages)
        return "\n\n".join(texts), number_metrics(self._episode)

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Play a completion; the reward is the rise of the progress."""
        if self._episode is None:
            raise RuntimeError("call reset before step")
        reply, reward, done = self._episode.step(action)
        terminated = self._episode.metrics["ended"] == "terminated"
        info = number_metrics(self._episode)
        return reply["content"], reward, terminated, done and not terminated, info

    def spawn(self, same_state: bool = False, **kwargs: Any) -> "GemEnv":
        """Return another environment with the same arguments, or a fork of this one."""
        other = GemEnv(**{**self._task, "how": self._how, **kwargs})
        if same_state and self._episode is not None:
            other._episode = self._episode.fork()
        return other
