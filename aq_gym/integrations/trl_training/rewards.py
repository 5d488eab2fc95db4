"""Reward functions for ``reward_funcs``."""

from __future__ import annotations

from typing import Any

_LOGGED = ("success", "progress_rate", "repetition_rate", "steps", "cut")


def progress_reward(**columns: Any) -> list[float | None]:
    """Return the progress rates of the episodes, from 0.0 to 1.0.

    They are measured as the suite of the tasks measures them; without a suite, they
    are the returns of the episodes.

    It scores the episodes of :class:`Rollouts` and of :class:`ActEnv`, and logs their
    means of success, progress rate, repetition rate, steps and of the share that was
    cut as ``episode/...``.

    Args:
        **columns: What the trainer passes.

    Returns:
        A reward for each completion; None, which the trainer leaves out, where the
        environment's own engine failed.

    Raises:
        ValueError: If the trainer has neither of the two.
    """
    return _rewards(columns, "progress_rate")


def success_reward(**columns: Any) -> list[float | None]:
    """Return whether the episodes were solved: 1.0 or 0.0.

    Args:
        **columns: What the trainer passes.

    Returns:
        As for :func:`progress_reward`.
    """
    return _rewards(columns, "success")


def _rewards(columns: dict[str, Any], name: str) -> list[float | None]:
    played = columns.get("episode")
    if played is None and "environments" in columns:
        played = [one.metrics for one in columns["environments"]]
    if played is None:
        raise ValueError(
            "no episodes were played: give GRPOTrainer rollout_func=Rollouts() or "
            "environment_factory=ActEnv"
        )
    log = columns.get("log_metric")
    scored = [one for one in played if not one["error"]]
    if log is not None and scored:
        for key in _LOGGED:
            log(f"episode/{key}", sum(one[key] for one in scored) / len(scored))
    return [None if one["error"] else float(one[name]) for one in played]
