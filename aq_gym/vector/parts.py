"""The infos of a step of text environments, in columns from which no dict is made.

``TextEnv.step`` puts its results into an info dict. A vector that takes them as they
are saves the time of making one dict an environment and of taking it apart again.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain, islice
from typing import Any, NamedTuple

from aq_gym.step_results import ResetParts, StepParts

__all__ = ["KEYS", "STARTED", "InfoParts", "row_of_reset"]

# The keys that only the info of a reset has.
STARTED = ("goal", "task_id", "difficulty")
# The values of a reset in place of those of a step, from the progress to the error.
_BEGUN = (0.0, 0.0, False, False, None, "")


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
        names, flags = _names_and_flags(subgoals)
        own = progress, best, success, valid, feedback
        return cls(*own, names, flags, more, begun, started)

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
            *_names_and_flags([subgoals for _, _, subgoals in resets]),
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
        flags = iter(self.flags)
        subgoals = [
            dict(zip(names, islice(flags, len(names)), strict=True))
            for names in self.names
        ]
        values = [
            dict(zip(KEYS, own, strict=True))
            for own in zip(*self[:5], subgoals, strict=True)
        ]
        for place, started in zip(self.begun, self.started, strict=True):
            del values[place]["action_valid"], values[place]["feedback"]
            values[place].update(zip(STARTED, started, strict=True))
        return [{**more, **own} for more, own in zip(self.more, values, strict=True)]


# The keys of the info of every step.
KEYS = (*InfoParts._fields[:5], "subgoals")


def row_of_reset(ends: Sequence[Any], reset: ResetParts, split: bool) -> StepParts:
    """Return the parts of a reset in place of those of a step.

    Args:
        ends: The reward, and whether the episode is terminated and truncated.
        reset: The parts of the reset.
        split: Whether the subgoals of steps are in parts.
    """
    start, more, subgoals = reset
    given = (tuple(subgoals), subgoals.values()) if split else subgoals
    row: Any = (start.observation, *ends, *_BEGUN, more, given)
    return row  # type: ignore[no-any-return]


def _names_and_flags(
    subgoals: Sequence[Any],
) -> tuple[Sequence[tuple[str, ...]], list[bool]]:
    """Return the names of each environment's subgoals, and all their values.

    Args:
        subgoals: The subgoals of each environment, all as dicts or all in parts.
    """
    if subgoals and isinstance(subgoals[0], tuple):
        names, split = zip(*subgoals, strict=True)
        return names, [*chain.from_iterable(split)]
    flags: list[bool] = []
    extend = flags.extend
    for one in subgoals:
        extend(one.values())
    return list(map(tuple, subgoals)), flags
