"""Games of TextWorld."""

from __future__ import annotations

import re
from typing import Any

from aq_gym.adapters.foreign import ForeignEnv, Reply

_LONGEST = 200


class TextWorldEnv(ForeignEnv):
    """An environment of ``textworld.gym`` as a Gymnasium environment.

    The reward is the rise of the score. Info holds the values requested of TextWorld
    and, on reset and step, as far as TextWorld reports them: ``progress: float`` and
    ``best_progress: float``, the score and the highest score so far as shares of
    ``max_score``; ``success: bool``, TextWorld's ``won``; and ``admissible_actions``,
    its ``admissible_commands``. If ``won`` and ``lost`` are requested, an episode that
    ends with neither is truncated, not terminated.

    The seed of each reset shuffles the pool of games again; TextWorld alone would
    continue the previous order. A ``.z8`` file that is given by name is played by
    :mod:`aq_gym.zmachine`. TextWorld's own interpreter, Frotz, writes a file at
    ``save``, hangs on a null character, and crashes at some of its commands that start
    with a backslash. Therefore a backslash and characters that are not printable ASCII
    are passed as spaces, and a command is cut at 200 characters. An environment can be
    neither copied nor pickled.

    Args:
        env: The environment, as ``textworld.gym.make`` returns it, of one game at a
            time.

    Raises:
        ValueError: If ``env`` plays a batch of games.
    """

    def __init__(self, env: Any) -> None:
        if "Batch" in type(env).__name__:
            raise ValueError(f"{env} plays several games: omit batch_size")
        super().__init__()
        self._env = env
        self._score = 0.0
        self._best_progress = 0.0

    def _begin(self, seed: int) -> tuple[str, dict[str, Any]]:
        self._env.seed(seed)
        observation, info = self._env.reset()
        self._score = 0.0
        self._best_progress = 0.0
        return str(observation).strip(), self._info(info)

    def _play(self, action: str) -> Reply:
        observation, score, over, info = self._env.step(_command(action))
        reward, self._score = float(score) - self._score, float(score)
        terminated = bool(over)
        if "won" in info and "lost" in info:
            terminated = bool(info["won"] or info["lost"])
        truncated = bool(over) and not terminated
        text = str(observation).strip()
        return Reply(text, reward, terminated, truncated, self._info(info))

    def _info(self, given: dict[str, Any]) -> dict[str, Any]:
        # Values that TextWorld leaves as None are left out, since info has fixed types.
        info = {key: value for key, value in given.items() if value is not None}
        if info.get("max_score"):
            share = self._score / info["max_score"]
            info["progress"] = min(max(share, 0.0), 1.0)
            self._best_progress = max(self._best_progress, info["progress"])
            info["best_progress"] = self._best_progress
        if "won" in info:
            info["success"] = bool(info["won"])
        if "admissible_commands" in info:
            info["admissible_actions"] = tuple(info.pop("admissible_commands"))
        return info

    def close(self) -> None:
        """Close the interpreter."""
        self._env.close()


def _command(action: str) -> str:
    """Return an agent's text as a line that the interpreter can read."""
    return re.sub(r"[^ -~]|\\", " ", action[:_LONGEST])
