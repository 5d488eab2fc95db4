"""Environments of SkyRL-gym."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from aq_gym.adapters.foreign import ForeignEnv, Reply
from aq_gym.support.arguments import check_type


class SkyRLEnv(ForeignEnv):
    """An environment of SkyRL-gym as a Gymnasium environment.

    An environment of SkyRL-gym is one instance of a task: what differs between
    instances is in its constructor's arguments and in the prompt, which comes from a
    data set. The observation is the content of the messages that it returns; there are
    none at the end. Added to info on reset and step: ``success: bool``, whether the
    episode ended with a reward of at least 1; on step also SkyRL-gym's ``metadata``.

    Contained: an environment counts its turns for life, so each episode is played in a
    copy.

    Args:
        env: The environment, as ``skyrl_gym.make`` returns it, before ``init``.
        prompt: The prompt that ``init`` is given, as a text of the user.

    Raises:
        TypeError: If ``prompt`` is not a str.
        ValueError: If ``prompt`` is empty.
    """

    def __init__(self, env: Any, prompt: str) -> None:
        check_type("prompt", prompt, str, "a str")
        if not prompt:
            raise ValueError(
                "prompt='' must be the question of the instance, which SkyRL-gym's "
                "environments do not store"
            )
        super().__init__()
        self._new_env = env
        self._env = env
        self._prompt = prompt

    def _begin(self, seed: int) -> tuple[str, dict[str, Any]]:
        self._env = copy.deepcopy(self._new_env)
        messages, _ = self._env.init([{"role": "user", "content": self._prompt}])
        return _contents(messages), {"success": False}

    def _play(self, action: str) -> Reply:
        result = self._env.step(action)
        reward, over = float(result["reward"]), bool(result["done"])
        info = {
            "success": over and reward >= 1.0,
            "metadata": dict(result.get("metadata") or {}),
        }
        return Reply(_contents(result["observations"]), reward, over, False, info)

    def close(self) -> None:
        """Close the environment."""
        self._env.close()


def _contents(messages: Sequence[Mapping[str, Any]]) -> str:
    return "\n\n".join(str(message["content"]) for message in messages)
