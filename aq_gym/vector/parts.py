"""The infos of a step of text environments, in columns from which no dict is made.

``TextEnv.step`` puts its results into an info dict. A vector that takes them as they
are saves the time of making one dict an environment and of taking it apart again.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from itertools import accumulate, chain
from typing import Any, NamedTuple

import numpy as np

from aq_gym.core.results import ResetParts, StepParts, SubgoalParts

__all__ = ["KEYS", "STARTED", "InfoParts", "kept", "row_of_reset"]

# The keys that only the info of a reset has.
STARTED = ("goal", "task_id", "difficulty")
# The values of a reset in place of those of a step, from the progress to the error.
_BEGUN = (0.0, 0.0, False, False, None, "")
# Merging copies what is in values of these types.
_CHANGEABLE = dict, np.ndarray


class InfoParts(NamedTuple):
    """The infos of a step.

    Attributes:
        progress: The values of "progress".
        best_progress: Those of "best_progress".
        success: Those of "success".
        action_valid: Those of "action_valid"; False of an environment that was reset.
        feedback: Those of "feedback"; None of an environment that was reset.
        subgoals: Those of "subgoals", all as dicts or all in parts.
        more: The benchmark's additional keys and their values, and an error.
        begun: Which of the infos are those of resets.
        started: Their values of "goal", of "task_id" and of "difficulty".
    """

    progress: Sequence[float]
    best_progress: Sequence[float]
    success: Sequence[bool]
    action_valid: Sequence[bool]
    feedback: Sequence[str | None]
    subgoals: Sequence[dict[str, bool] | SubgoalParts]
    more: Sequence[dict[str, Any]]
    begun: Sequence[int]
    started: Sequence[Sequence[str]]

    @classmethod
    def of(
        cls,
        columns: Sequence[Sequence[Any]],
        begun: Sequence[int] = (),
        started: Sequence[Sequence[str]] = (),
    ) -> InfoParts:
        """Return the infos of steps.

        Args:
            columns: The parts of the steps, from the progress on: for each part, its
                values.
            begun: Which of the steps were resets.
            started: The goal, task id and difficulty of each of these.
        """
        progress, best, success, valid, feedback, _, more, subgoals = columns
        own = progress, best, success, valid, feedback
        return cls(*own, subgoals, more, begun, started)

    @classmethod
    def of_resets(cls, resets: Sequence[ResetParts]) -> InfoParts:
        """Return the infos of resets.

        Args:
            resets: The parts of each.
        """
        count = len(resets)
        zeros, flags = [0.0] * count, [False] * count
        return cls(
            zeros,
            zeros,
            flags,
            flags,
            [None] * count,
            [subgoals for _, _, subgoals in resets],
            [more for _, more, _ in resets],
            range(count),
            [start[1:] for start, _, _ in resets],
        )

    @classmethod
    def joined(cls, parts: Sequence[InfoParts]) -> InfoParts:
        """Return the infos of several groups of environments as one.

        Args:
            parts: The infos of each group.
        """
        if len({type(one.subgoals[0]) for one in parts if one.subgoals}) > 1:
            parts = [one._replace(subgoals=one.subgoal_dicts()) for one in parts]
        columns = zip(*parts, strict=True)
        joined = cls._make([*chain.from_iterable(own)] for own in columns)
        starts = accumulate((len(one.more) for one in parts), initial=0)
        begun = [
            number + start
            for one, start in zip(parts, starts, strict=False)
            for number in one.begun
        ]
        return joined._replace(begun=begun)

    def infos(self) -> list[dict[str, Any]]:
        """Return the infos as dicts."""
        subgoals = self.subgoal_dicts()
        values = [
            dict(zip(KEYS, own, strict=True))
            for own in zip(*self[:5], subgoals, strict=True)
        ]
        for place, started in zip(self.begun, self.started, strict=True):
            del values[place]["action_valid"], values[place]["feedback"]
            values[place].update(zip(STARTED, started, strict=True))
        return [{**more, **own} for more, own in zip(self.more, values, strict=True)]

    def subgoal_dicts(self) -> list[dict[str, Any]]:
        """Return the subgoals as dicts."""
        return [
            dict(zip(one[0], map(bool, one[1]), strict=True))
            if isinstance(one, tuple)
            else one
            for one in self.subgoals
        ]


# The keys of the info of every step.
KEYS = (*InfoParts._fields[:5], "subgoals")


def row_of_reset(ends: Sequence[Any], reset: ResetParts) -> StepParts:
    """Return the parts of a reset in place of those of a step.

    Args:
        ends: The reward, and whether the episode is terminated and truncated.
        reset: The parts of the reset.
    """
    start, more, subgoals = reset
    row: Any = (start.observation, *ends, *_BEGUN, more, subgoals)
    # mypy does not count the values that are unpacked.
    return row  # type: ignore[no-any-return]


def kept(info: dict[str, Any]) -> dict[str, Any]:
    """Return an info that the next reset of its environment cannot change.

    An environment can reuse an array or dict, and in mode SAME_STEP it is reset before
    its last info is merged.

    Args:
        info: The info, or the benchmark's additional keys and their values.
    """
    if not any(isinstance(value, _CHANGEABLE) for value in info.values()):
        return info
    return {
        key: deepcopy(value) if isinstance(value, _CHANGEABLE) else value
        for key, value in info.items()
    }
