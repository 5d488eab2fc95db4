"""Merging the infos of a step that come in columns."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from operator import itemgetter
from typing import Any

import numpy as np

from aq_gym.vector.columns import Columns, Some, kind_of, some
from aq_gym.vector.flags import FlagMerger
from aq_gym.vector.merging import InfoMerger
from aq_gym.vector.parts import KEYS, STARTED, InfoParts
from aq_gym.vector.unlike import UnlikeError, check_key

__all__ = ["PartsMerger"]

# Keys that replace those of a benchmark, or that Gymnasium merges in another way.
_COMMON = frozenset({*KEYS, *STARTED, "final_obs"})


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
        columns = Columns(self._num_envs)
        given = some(places, self._num_envs)
        columns.add_mask("subgoals", given.mask)
        more = self._more(parts.more, given, columns)
        begun = parts.begun
        if begun and places is not None:
            begun = [places[number] for number in begun]
        if len(begun) == len(parts.more):
            more.update(self._zeros(columns, given))
            self._add_started(parts, given, columns)
        else:
            stepped = given.without(begun) if begun else None
            columns.add("progress", float, parts.progress, given)
            columns.add("best_progress", float, parts.best_progress, given)
            columns.add("success", bool, parts.success, given)
            columns.add("action_valid", bool, parts.action_valid, given, stepped)
            columns.add("feedback", str, parts.feedback, given, stepped)
            if begun:
                self._add_started(parts, some(begun, self._num_envs), columns)
        merged, flags = columns.arrays(parts.flags)
        merged.update(more)
        merge = self._flags.merged_rows if parts.rows else self._flags.merged_flags
        merged["subgoals"] = merge(parts.names, parts.rows or flags, places)
        return merged

    def _zeros(self, columns: Columns, given: Some) -> dict[str, Any]:
        """Return the arrays of a reset that are all zero, and add their masks."""
        for key in ("progress", "best_progress", "success"):
            columns.add_mask(key, given.mask)
        progress, best_progress = np.zeros((2, self._num_envs))
        return {
            "progress": progress,
            "best_progress": best_progress,
            "success": np.zeros(self._num_envs, dtype=np.bool_),
        }

    def _add_started(self, parts: InfoParts, begun: Some, columns: Columns) -> None:
        """Add the columns of the keys that only resets have."""
        for key, values in zip(STARTED, zip(*parts.started, strict=True), strict=True):
            columns.add(key, str, values, begun)

    def _more(
        self,
        more: Sequence[dict[str, Any]],
        given: Some,
        columns: Columns,
    ) -> dict[str, Any]:
        """Add the benchmark's keys to the columns, or return their merged info."""
        first = more[0]
        if not first and not any(more):
            return {}
        kinds = {key: kind_of(value) for key, value in first.items()}
        if None in kinds.values() or set(map(len, more)) != {len(first)}:
            merged = self._others.merged_alike(more, given.places)
            _check_own(merged)
            return merged
        _check_own(first)
        try:
            for key, kind in kinds.items():
                check_key(key)
                assert kind
                columns.add(key, kind, list(map(itemgetter(key), more)), given)
        except KeyError:
            raise UnlikeError from None
        return {}


def _check_own(keys: Collection[str]) -> None:
    """Raise if a benchmark has keys of its own that are merged with the common ones."""
    if not _COMMON.isdisjoint(keys):
        raise UnlikeError
