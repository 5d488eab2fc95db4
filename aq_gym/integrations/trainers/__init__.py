"""Episodes for training loops: SkyRL-Gym, GEM (ROLL), NeMo Gym, Tinker, OpenRLHF, verl.

Each adapter plays :class:`aq_gym.Episode`, so the messages, rewards and metrics are
those of ``aq-gym run --agent llm``; those that work on tokens play
:class:`aq_gym.integrations.tokens.TokenEpisode`. A row of a dataset has a ``task``, as
:meth:`aq_gym.evaluation.Task.to_record` returns it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aq_gym.episode import Episode

__all__ = ["begin", "numbers"]


def begin(task: Mapping[str, Any], how: Mapping[str, Any]) -> Episode:
    """Begin the episode of a task.

    Args:
        task: The task's record; its id, kwargs, seed and max_steps are used.
        how: Further arguments of :class:`aq_gym.Episode`, such as ``prompting``.
    """
    names = ("kwargs", "max_steps", "max_invalid")
    chosen: dict[str, Any] = {name: task.get(name) for name in names}
    return Episode(task["id"], seed=task["seed"], **chosen, **how)


def numbers(episode: Episode) -> dict[str, float]:
    """Return those metrics of an episode that are numbers."""
    names = ("success", "progress_rate", "repetition_rate", "grounding", "steps")
    metrics = episode.metrics
    return {name: float(metrics[name]) for name in names if metrics[name] is not None}
