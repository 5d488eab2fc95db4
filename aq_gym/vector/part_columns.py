"""Columns of the infos of steps and resets that come in parts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, TypeAlias

import numpy as np

from aq_gym.vector.columns import Columns, Selection, kind_of
from aq_gym.vector.merging import InfoMerger
from aq_gym.vector.parts import KEYS, STARTED, InfoParts
from aq_gym.vector.unlike import UnlikeError, check_key

__all__ = ["PartColumns"]

_Info: TypeAlias = dict[str, Any]

# Keys that replace those of a benchmark, or that Gymnasium merges in another way.
_COMMON = frozenset({*KEYS, *STARTED, "final_obs"})
# The keys of the masks of every info, of a step's and of a reset's.
_COMMON_MASKS = "_progress", "_best_progress", "_success", "_subgoals"
_STEP_MASKS = "_action_valid", "_feedback"
_RESET_MASKS = [f"_{key}" for key in STARTED]


class PartColumns(Columns):
    """Collects the columns of infos that come in parts.

    Args:
        num_envs: The number of environments, the length of each array.
        merger: The merger of keys of a benchmark that are not columns.
    """

    def __init__(self, num_envs: int, merger: InfoMerger) -> None:
        super().__init__(num_envs)
        self._merger = merger

    def add_parts(self, info: _Info, parts: InfoParts, selection: Selection) -> None:
        """Add the columns and masks of all keys; of the subgoals only the mask.

        Args:
            info: The info that the arrays are put into.
            parts: The infos.
            selection: The environments that have them.

        Raises:
            UnlikeError: If they cannot be merged in columns.
        """
        self._add_more(info, parts.more, selection)
        self.add_masks(info, _COMMON_MASKS, selection.mask)
        begun = parts.begun
        if begun and selection.places is not None:
            begun = [selection.places[number] for number in begun]
        if len(begun) == len(parts.more):
            info["progress"], info["best_progress"] = np.zeros((2, self._num_envs))
            info["success"] = np.zeros(self._num_envs, dtype=np.bool_)
            self._add_started(info, parts, selection)
            return
        numbers = {"progress": parts.progress, "best_progress": parts.best_progress}
        flags = {"success": parts.success, "action_valid": parts.action_valid}
        self.add(info, float, numbers, selection)
        self.add(info, bool, flags, selection)
        self.add(info, str, {"feedback": parts.feedback}, selection)
        self.add_masks(info, _STEP_MASKS, selection.mask_without(begun))
        if begun:
            self._add_started(info, parts, Selection.of(begun, self._num_envs))

    def _add_started(self, info: _Info, parts: InfoParts, begun: Selection) -> None:
        """Add the columns of the keys that only resets have."""
        columns = dict(zip(STARTED, zip(*parts.started, strict=True), strict=True))
        self.add(info, str, columns, begun)
        self.add_masks(info, _RESET_MASKS, begun.mask)

    def _add_more(
        self, info: _Info, more: Sequence[dict[str, Any]], selection: Selection
    ) -> None:
        """Add the columns of the benchmark's keys, or put merged ones into the info."""
        first = more[0]
        if not first and not any(more):
            return
        kinds = {key: kind_of(value) for key, value in first.items()}
        if None in kinds.values() or set(map(len, more)) != {len(first)}:
            merged = self._merger.merged_or_raise(more, selection.places)
            _check_own(merged)
            info.update(merged)
            return
        _check_own(first)
        for key, kind in kinds.items():
            check_key(key)
            assert kind
            try:
                values = [one[key] for one in more]
            except KeyError:
                raise UnlikeError from None
            self.add(info, kind, {key: values}, selection)
        self.add_masks(info, [f"_{key}" for key in first], selection.mask)


def _check_own(keys: Collection[str]) -> None:
    """Raise if a key of the benchmark is also one that is merged here."""
    if not _COMMON.isdisjoint(keys):
        raise UnlikeError
