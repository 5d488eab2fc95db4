"""Merging the infos of a step that come in columns."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from aq_gym.vector.flags import FlagMerger, UnlikeError
from aq_gym.vector.merging import InfoMerger
from aq_gym.vector.parts import STARTED, InfoParts

__all__ = ["PartsMerger"]

# The keys, each followed by that of its mask; the last two come from a step only.
_NAMES = (
    *("progress", "_progress", "best_progress", "_best_progress"),
    *("success", "_success", "subgoals", "_subgoals"),
    *("action_valid", "_action_valid", "feedback", "_feedback"),
)
_TEXT = frozenset({str, type(None)})


class PartsMerger:
    """Merges the infos of all environments into a dict of arrays with masks.

    Args:
        num_envs: The number of environments, the length of each array.
    """

    def __init__(self, num_envs: int) -> None:
        self._num_envs = num_envs
        self._floats = [float] * (2 * num_envs)
        self._bools = [bool] * (2 * num_envs)
        self._flags = FlagMerger(num_envs)
        self._more = InfoMerger(num_envs)
        self._infos = InfoMerger(num_envs)

    def merged(self, parts: InfoParts) -> dict[str, Any]:
        """Return the merged info, which is equal to Gymnasium's.

        Args:
            parts: The infos.
        """
        try:
            return self._merged(parts)
        except UnlikeError:
            return self._infos.merged(parts.infos(), begun=parts.begun)

    def _merged(self, parts: InfoParts) -> dict[str, Any]:
        floats = [*parts.progress, *parts.best_progress]
        bools = [*parts.success, *parts.action_valid]
        if (
            list(map(type, floats)) != self._floats
            or list(map(type, bools)) != self._bools
            or not _TEXT.issuperset(map(type, parts.feedback))
        ):
            raise UnlikeError
        begun = parts.begun
        merged = self._more.merged_alike(parts.more)
        subgoals = self._flags.merged_lists(parts.names, parts.flags, None, begun)
        if subgoals is None:
            raise UnlikeError
        progress, best_progress = np.array(floats).reshape(2, -1)
        success, valid = np.array(bools).reshape(2, -1)
        feedback = np.fromiter(parts.feedback, dtype=object, count=self._num_envs)
        masks = np.ones((6, self._num_envs), dtype=np.bool_)
        if begun:
            masks[4][begun] = masks[5][begun] = False
            self._add_started(merged, parts)
        own = progress, best_progress, success, subgoals, valid, feedback
        pairs = chain.from_iterable(zip(own, masks, strict=True))
        names = _NAMES if len(begun) < self._num_envs else _NAMES[:8]
        merged.update(zip(names, pairs, strict=False))
        return merged

    def _add_started(self, merged: dict[str, Any], parts: InfoParts) -> None:
        masks = np.zeros((len(STARTED), self._num_envs), dtype=np.bool_)
        masks[:, parts.begun] = True
        columns = zip(*parts.started, strict=True)
        for key, texts, mask in zip(STARTED, columns, masks, strict=True):
            if not _TEXT.issuperset(map(type, texts)):
                raise UnlikeError
            everyone: list[str | None] = [None] * self._num_envs
            for place, text in zip(parts.begun, texts, strict=True):
                everyone[place] = text
            merged[key] = np.fromiter(everyone, dtype=object, count=self._num_envs)
            merged[f"_{key}"] = mask
