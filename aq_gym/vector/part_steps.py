"""Stepping text environments without making their info dicts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import gymnasium as gym
from gymnasium.wrappers import TimeLimit

from aq_gym.core import TextEnv
from aq_gym.step_results import ResetParts, StepParts
from aq_gym.vector.group_results import Stepped
from aq_gym.vector.parts import InfoParts, row_of_reset

__all__ = ["has_parts", "reset_in_parts", "step_in_parts"]

_NO_ENDS = (0.0, False, False)
# As they are now: a program that counts or times calls may replace them later.
_METHODS = {owner: (owner.step, owner.reset) for owner in (TimeLimit, TextEnv)}


def has_parts(env: gym.Env[Any, Any]) -> bool:
    """Return whether the parts of a step are all that its step would do.

    Args:
        env: The environment: a text environment in a ``TimeLimit``, without other
            wrappers, of which neither ``step`` nor ``reset`` is changed, in its class
            or in itself.
    """
    if type(env) is not TimeLimit:
        return False
    inner = env.env
    return (
        isinstance(inner, TextEnv)
        and _has(env, TimeLimit)
        and _has(inner, TextEnv)
        and not inner.list_actions
        # Private attributes, which another version could name otherwise.
        and hasattr(env, "_elapsed_steps")
        and hasattr(env, "_max_episode_steps")
    )


def _has(env: Any, owner: Any) -> bool:
    """Return whether an environment has the ``step`` and ``reset`` of a class."""
    return all(
        getattr(one, "__func__", None) is own
        for one, own in zip((env.step, env.reset), _METHODS[owner], strict=True)
    )


def reset_in_parts(
    limit: Any, seed: int | None = None, options: dict[str, Any] | None = None
) -> ResetParts:
    """Do as ``TimeLimit.reset`` does.

    Args:
        limit: The environment.
        seed: The seed.
        options: The options.
    """
    limit._elapsed_steps = 0
    return limit.env._reset_parts(seed, options)  # type: ignore[no-any-return]


def step_in_parts(
    limits: Sequence[Any],
    steps: Sequence[Any],
    actions: Sequence[Any],
    begun: Sequence[int],
    at_once: bool,
) -> Stepped:
    """Step environments, or reset them.

    Args:
        limits: The environments.
        steps: The method ``_step_parts`` of the environment in each of them.
        actions: The action for each.
        begun: The indices of those that are reset instead of being stepped.
        at_once: Whether to reset those whose episode ends.
    """
    started: list[Sequence[str]] = []
    if begun:
        steps = list(steps)
        for place in begun:
            steps[place] = partial(_begin, limits[place], started)
    rows: list[StepParts] = []
    ended: list[int] = []
    finals: list[StepParts] = []
    for limit, step, action in zip(limits, steps, actions, strict=True):
        row = step(action)
        # What TimeLimit does in a step.
        limit._elapsed_steps = elapsed = limit._elapsed_steps + 1
        if elapsed >= limit._max_episode_steps:
            row = (*row[:3], True, *row[4:])
        if row[2] or row[3]:
            if row[9]:
                row[10]["error"] = row[9]
            ended.append(len(rows))
            if at_once:
                finals.append(row)
                reset = reset_in_parts(limit)
                started.append(reset[0][1:])
                row = row_of_reset(row[1:4], reset)
        rows.append(row)
    texts, rewards, terminations, truncations, *own = zip(*rows, strict=True)
    ends = rewards, terminations, truncations
    infos = InfoParts.of(own, ended if at_once else begun, started)
    if not finals:
        return Stepped(texts, *ends, infos, begun, ended, (), ())
    texts_of_finals, _, _, _, *own = zip(*finals, strict=True)
    finals_in_parts = InfoParts.of(own)
    return Stepped(texts, *ends, infos, ended, ended, texts_of_finals, finals_in_parts)


def _begin(limit: Any, started: list[Sequence[str]], action: object) -> StepParts:
    reset = reset_in_parts(limit)
    started.append(reset[0][1:])
    # The caller counts a step.
    limit._elapsed_steps -= 1
    return row_of_reset(_NO_ENDS, reset)
