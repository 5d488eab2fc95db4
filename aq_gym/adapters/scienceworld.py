"""The environment of the package scienceworld."""

from __future__ import annotations

import re
from typing import Any

from aq_gym.adapters.foreign import ForeignEnv, Reply

__all__ = ["ScienceWorldAdapter"]

_LONGEST = 200
_NOT_UNDERSTOOD = ("No known action matches that input.", "Unknown action.")


class ScienceWorldAdapter(ForeignEnv):
    """The package's own ScienceWorldEnv as a Gymnasium environment.

    Every episode is the variation that is loaded, whatever the seed. Observations are
    ScienceWorld's, the first one with the task. The reward is the rise of its score,
    which is 0 to 100, or -100 for a failed task. Added to its info, on reset and step:
    ``progress: float`` and ``best_progress: float``, the score and the highest one as
    shares of 100; ``success: bool``; ``admissible_actions``, which is its ``valid``;
    and on step ``action_valid: bool`` and ``feedback: str``. Its own limit of time
    truncates.

    Not deterministic, unless its virtual machine orders objects without a hash as they
    were inserted (``-XX:hashCode=2``), which it does where the environment is given by
    name. Contained: characters that are not printable ASCII are passed as spaces, and
    an action is cut at 200. Not contained: it can be neither copied nor pickled, and
    writes into the package's folder. ``aq/ScienceWorld-v0`` has none of these limits
    and is faster.

    Args:
        env: The environment, with a task loaded.

    Raises:
        ValueError: If no task is loaded.
    """

    deterministic = False

    def __init__(self, env: Any) -> None:
        if not env.taskName:
            raise ValueError(f"{env} has no task: call its load() first")
        super().__init__()
        self._env = env
        self._best_progress = 0.0

    def _begin(self, seed: int) -> tuple[str, dict[str, Any]]:
        observation, info = self._env.reset()
        self._best_progress = 0.0
        opening = f"{self._env.get_task_description()}\n\n{observation}"
        return opening, self._info(info)

    def _play(self, action: str) -> Reply:
        command = re.sub(r"[^ -~]", " ", action[:_LONGEST])
        observation, reward, over, info = self._env.step(command)
        info = self._info(info)
        info["action_valid"] = not observation.startswith(_NOT_UNDERSTOOD)
        info["feedback"] = "" if info["action_valid"] else observation
        ended = info["success"] or info["score"] < 0
        truncated = bool(over) and not ended
        return Reply(observation, float(reward), bool(ended), truncated, info)

    def _info(self, given: dict[str, Any]) -> dict[str, Any]:
        info = dict(given)
        info["admissible_actions"] = tuple(info.pop("valid"))
        info["progress"] = max(info["score"], 0) / 100
        self._best_progress = max(self._best_progress, info["progress"])
        info["best_progress"] = self._best_progress
        info["success"] = info["score"] >= 100
        return info

    def close(self) -> None:
        """End the virtual machine, and close what the package leaves open."""
        self._env.close()
        process = self._env._gateway.java_process
        process.stdin.close()
        process.wait()
        self._env._obj_tree_tempdir.cleanup()
