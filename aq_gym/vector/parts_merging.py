"""Merging the infos of a step that come in columns."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aq_gym.vector.alike import TEXT, merged_alike, spread
from aq_gym.vector.flags import FlagMerger, UnlikeError, flags_of
from aq_gym.vector.merging import InfoMerger
from aq_gym.vector.parts import STARTED, InfoParts

__all__ = ["PartsMerger"]

# The keys, each followed by that of its mask; the last two come from a step only.
_NAMES = (
    *("progress", "_progress", "best_progress", "_best_progress"),
    *("success", "_success", "subgoals", "_subgoals"),
    *("action_valid", "_action_valid", "feedback", "_feedback"),
)
_FLOAT = frozenset({float})


class PartsMerger:
    """Merges the infos of environments into a dict of arrays with masks.

    Args:
        num_envs: The number of environments, the length of each array.
    """

    def __init__(self, num_envs: int) -> None:
        self._num_envs = num_envs
        self._flags = FlagMerger(num_envs)
        self._others = InfoMerger(num_envs)
        self._infos = InfoMerger(num_envs)

    def merged(
        self,
        infos: InfoParts | Sequence[dict[str, Any]],
        places: Sequence[int] | None = None,
        begun: Collection[int] = (),
    ) -> dict[str, Any]:
        """Return the merged info, which is equal to Gymnasium's.

        Args:
            infos: The infos, in columns or as dicts.
            places: The index of the environment of each, ascending; None for all.
            begun: If they are dicts, which of them are those of resets, ascending.
        """
        if not isinstance(infos, InfoParts):
            return self._infos.merged(infos, places, begun)
        try:
            return self._merged(infos, places)
        except UnlikeError:
            return self._infos.merged(infos.infos(), places, infos.begun)

    def _merged(self, parts: InfoParts, places: Sequence[int] | None) -> dict[str, Any]:
        numbers, bools, texts = _columns(parts)
        at = None if places is None else np.array(places, dtype=np.intp)
        merged = self._more(parts.more, at)
        subgoals = self._flags.merged_lists(
            parts.names, parts.flags, places, parts.begun
        )
        if subgoals is None:
            raise UnlikeError
        everyone = (len(_NAMES) // 2, self._num_envs)
        if at is None:
            masks = np.ones(everyone, dtype=np.bool_)
        else:
            masks = np.zeros(everyone, dtype=np.bool_)
            masks[:, at] = True
            numbers = spread(numbers, at, self._num_envs)
            bools = spread(bools, at, self._num_envs)
            texts = spread(texts, at, self._num_envs)
        if parts.begun:
            begun = np.array(parts.begun, dtype=np.intp)
            started = begun if at is None else at[begun]
            masks[4:, started] = False
            self._add_started(merged, parts.started, started)
        names = _NAMES if len(parts.begun) < len(parts.more) else _NAMES[:8]
        own = *numbers, bools[0], subgoals, bools[1], texts
        pairs = chain.from_iterable(zip(own, masks, strict=True))
        merged.update(zip(names, pairs, strict=False))
        return merged

    def _more(
        self, more: Sequence[dict[str, Any]], places: NDArray[np.intp] | None
    ) -> dict[str, Any]:
        if not any(more):
            return {}
        merged = merged_alike(more, places, self._num_envs)
        if merged is None:
            at = None if places is None else places.tolist()
            merged = self._others.merged_alike(more, at)
        return merged

    def _add_started(
        self,
        merged: dict[str, Any],
        started: Sequence[tuple[str, str, str]],
        places: NDArray[np.intp],
    ) -> None:
        texts = [*chain.from_iterable(started)]
        if not TEXT.issuperset(map(type, texts)):
            raise UnlikeError
        values = np.fromiter(texts, dtype=object, count=len(texts))
        columns = values.reshape(-1, len(STARTED)).T
        everyone = spread(columns, places, self._num_envs)
        masks = np.zeros(everyone.shape, dtype=np.bool_)
        masks[:, places] = True
        for key, one, mask in zip(STARTED, everyone, masks, strict=True):
            merged[key] = one
            merged[f"_{key}"] = mask


def _columns(
    parts: InfoParts,
) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.object_]]:
    """Return progress and best progress, success and validity, and the feedback."""
    floats = [*parts.progress, *parts.best_progress]
    truth = flags_of([*parts.success, *parts.action_valid])
    if (
        truth is None
        or not _FLOAT.issuperset(map(type, floats))
        or not TEXT.issuperset(map(type, parts.feedback))
    ):
        raise UnlikeError
    # A copy, which can be changed.
    bools = np.array(np.frombuffer(truth, dtype=np.bool_)).reshape(2, -1)
    texts = np.fromiter(parts.feedback, dtype=object, count=len(parts.feedback))
    return np.array(floats).reshape(2, -1), bools, texts
