"""Stepping text environments without making their info dicts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import gymnasium as gym
from gymnasium.wrappers import TimeLimit

from aq_gym.core import TextEnv
from aq_gym.core.results import ResetParts, StepParts
from aq_gym.vector.group_results import Stepped
from aq_gym.vector.parts import InfoParts, kept, row_of_reset

__all__ = ["PartStepper", "has_parts", "reset_in_parts"]

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
    limit: Any,
    seed: int | None = None,
    options: dict[str, Any] | None = None,
    split: bool = False,
) -> ResetParts:
    """Do as ``TimeLimit.reset`` does.

    Args:
        limit: The environment.
        seed: The seed.
        options: The options.
        split: Whether to return the subgoals as names and bytes, not as a dict.
    """
    limit._elapsed_steps = 0
    # TimeLimit declares any environment; has_parts has looked at this one.
    return limit.env._reset_parts(seed, options, split)  # type: ignore[no-any-return]


class PartStepper:
    """Steps text environments without making their info dicts.

    Args:
        limits: The environments; :func:`has_parts` is true of each.

    Attributes:
        split: Whether all environments have the parts of their subgoals.
    """

    def __init__(self, limits: Sequence[Any]) -> None:
        self._limits = limits
        self._envs = [limit.env for limit in limits]
        self._steps = [env._step_parts for env in self._envs]
        self.split = all(map(_splits_subgoals, self._envs))

    @property
    def is_stale(self) -> bool:
        """Whether one of the time limits has another environment than it had."""
        return [limit.env for limit in self._limits] != self._envs

    def step(
        self, actions: Sequence[Any], begun: Sequence[int], at_once: bool
    ) -> Stepped:
        """Step the environments, or reset them.

        Args:
            actions: The action for each.
            begun: The indices of those that are reset instead of being stepped.
            at_once: Whether to reset those whose episode ends.
        """
        started: list[Sequence[str]] = []
        steps, split = self._steps, self.split
        if begun:
            steps = list(steps)
            for place in begun:
                steps[place] = partial(self._begin, place, started)
        rows: list[StepParts] = []
        ended: list[int] = []
        finals: list[StepParts] = []
        for limit, step, action in zip(self._limits, steps, actions, strict=True):
            row = step(action, split)
            # What TimeLimit does in a step.
            limit._elapsed_steps = elapsed = limit._elapsed_steps + 1
            if elapsed >= limit._max_episode_steps:
                row = (*row[:3], True, *row[4:])
            if row[2] or row[3]:
                if row[9]:
                    row[10]["error"] = row[9]
                ended.append(len(rows))
                if at_once:
                    finals.append((*row[:10], kept(row[10]), row[11]))
                    row = self._row_of_reset(len(rows), row[1:4], started)
            rows.append(row)
        return _stepped(rows, finals, ended, ended if at_once else begun, started)

    def _begin(
        self, place: int, started: list[Sequence[str]], action: object, split: bool
    ) -> StepParts:
        row = self._row_of_reset(place, _NO_ENDS, started)
        # The caller counts a step.
        self._limits[place]._elapsed_steps -= 1
        return row

    def _row_of_reset(
        self, place: int, ends: Sequence[Any], started: list[Sequence[str]]
    ) -> StepParts:
        """Reset an environment, and return the parts in place of those of a step.

        Args:
            place: The index of the environment.
            ends: The reward, and whether the episode is terminated and truncated.
            started: The goals, task ids and difficulties, to which its own are added.
        """
        reset = reset_in_parts(self._limits[place], split=self.split)
        started.append(reset[0][1:])
        return row_of_reset(ends, reset)


def _splits_subgoals(env: TextEnv) -> bool:
    """Return whether an environment has the parts of its subgoals.

    They do not count if ``subgoals`` is replaced, in a class that is derived from the
    benchmark's, in the benchmark's or in the environment itself.
    """
    own = type(env)._subgoals_in_parts
    return own is not None and getattr(env.subgoals, "__func__", None) is own


def _stepped(
    rows: Sequence[StepParts],
    finals: Sequence[StepParts],
    ended: Sequence[int],
    begun: Sequence[int],
    started: Sequence[Sequence[str]],
) -> Stepped:
    texts, rewards, terminations, truncations, *own = zip(*rows, strict=True)
    ends = rewards, terminations, truncations
    infos = InfoParts.of(own, begun, started)
    if not finals:
        return Stepped(texts, *ends, infos, begun, ended, (), ())
    texts_of_finals, _, _, _, *own = zip(*finals, strict=True)
    return Stepped(
        texts, *ends, infos, begun, ended, texts_of_finals, InfoParts.of(own)
    )
