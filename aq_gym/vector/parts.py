"""The infos of a step of text environments, in columns from which no dict is made.

``TextEnv.step`` puts its results into an info dict. A vector that takes them as they
are saves the time of making one dict an environment and of taking it apart again.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain, islice
from typing import Any, NamedTuple

import gymnasium as gym
from gymnasium.wrappers import TimeLimit

from aq_gym.core import TextEnv
from aq_gym.step_results import StepParts

__all__ = ["STARTED", "InfoParts", "begun_parts", "has_parts"]


class InfoParts(NamedTuple):
    """The infos of a step.

    Attributes:
        progress: The values of "progress".
        best_progress: Those of "best_progress".
        success: Those of "success".
        action_valid: Those of "action_valid"; False of an environment that was reset.
        feedback: Those of "feedback"; None of an environment that was reset.
        names: The keys of "subgoals".
        flags: All values of all "subgoals", one after the other.
        more: The benchmark's additional keys and their values, and an error.
        begun: Which of the infos are those of resets.
        started: Their values of "goal", of "task_id" and of "difficulty".
    """

    progress: Sequence[float]
    best_progress: Sequence[float]
    success: Sequence[bool]
    action_valid: Sequence[bool]
    feedback: Sequence[str | None]
    names: Sequence[tuple[str, ...]]
    flags: Sequence[bool]
    more: Sequence[dict[str, Any]]
    begun: Sequence[int]
    started: Sequence[tuple[str, str, str]]

    @classmethod
    def joined(cls, parts: Sequence[InfoParts]) -> InfoParts:
        """Return the infos of several groups of environments as one.

        Args:
            parts: The infos of each group.
        """
        columns = zip(*parts, strict=True)
        joined = cls._make([*chain.from_iterable(own)] for own in columns)
        starts = accumulate((len(one.more) for one in parts), initial=0)
        begun = [
            number + start
            for one, start in zip(parts, starts, strict=False)
            for number in one.begun
        ]
        return joined._replace(begun=begun)

    @classmethod
    def of(cls, steps: Sequence[StepParts]) -> InfoParts:
        """Return the infos of steps.

        Args:
            steps: The parts of each step.
        """
        if not steps:
            return _NOTHING
        rows, more, subgoals = zip(*steps, strict=True)
        own = [*zip(*rows, strict=True)][4:9]
        flags = [*chain.from_iterable(one.values() for one in subgoals)]
        return cls._make((*own, list(map(tuple, subgoals)), flags, more, (), ()))

    @classmethod
    def begun_of(cls, infos: Sequence[dict[str, Any]]) -> InfoParts:
        """Return the infos of resets.

        Args:
            infos: The infos, which are changed.
        """
        progress, best, success, subgoals, *started = (
            [info.pop(key) for info in infos] for key in _BEGUN_KEYS
        )
        return cls(
            progress,
            best,
            success,
            [False] * len(infos),
            [None] * len(infos),
            list(map(tuple, subgoals)),
            [*chain.from_iterable(map(dict.values, subgoals))],
            infos,
            range(len(infos)),
            [*zip(*started, strict=True)],
        )

    def infos(self) -> list[dict[str, Any]]:
        """Return the infos as dicts."""
        flags = iter(self.flags)
        subgoals = [
            dict(zip(names, islice(flags, len(names)), strict=True))
            for names in self.names
        ]
        infos = [
            {**more, **dict(zip(_KEYS, values, strict=True))}
            for more, *values in zip(self.more, *self[:5], subgoals, strict=True)
        ]
        for place, started in zip(self.begun, self.started, strict=True):
            del infos[place]["action_valid"], infos[place]["feedback"]
            infos[place].update(zip(STARTED, started, strict=True))
        return infos


_NOTHING = InfoParts._make([()] * len(InfoParts._fields))
# The keys that only the info of a reset has.
STARTED = ("goal", "task_id", "difficulty")
_KEYS = (*InfoParts._fields[:5], "subgoals")
_BEGUN_KEYS = ("progress", "best_progress", "success", "subgoals", *STARTED)


def has_parts(env: gym.Env[Any, Any]) -> bool:
    """Return whether the parts of a step are all that its step would do.

    Args:
        env: The environment: a text environment in a ``TimeLimit``, without other
            wrappers, and of a class that changes neither ``step`` nor ``reset``.
    """
    if type(env) is not TimeLimit:
        return False
    inner = env.env
    return (
        isinstance(inner, TextEnv)
        and type(inner).step is TextEnv.step
        and type(inner).reset is TextEnv.reset
        and not inner.list_actions
    )


def begun_parts(
    row: Sequence[Any], observation: str | None, info: dict[str, Any]
) -> tuple[StepParts, tuple[str, str, str]]:
    """Return the parts of a reset in place of those of a step, and what is started.

    Args:
        row: The row of the step, whose reward and end are kept.
        observation: The observation of the reset.
        info: The info of the reset, which is changed.
    """
    take = info.pop
    started = take("goal"), take("task_id"), take("difficulty")
    values: Any = take("progress"), take("best_progress"), take("success"), False, None
    subgoals = take("subgoals")
    return ((observation, *row[1:4], *values, ""), info, subgoals), started
