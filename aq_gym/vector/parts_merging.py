"""Merging the infos of a step that come in columns."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from aq_gym.vector.columns import Columns, kind_of, mask_of
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
        subgoals = self._flags.merged_lists(parts.names, parts.flags, places)
        if subgoals is None:
            raise UnlikeError
        everyone = range(self._num_envs) if places is None else places
        mask = mask_of(everyone, self._num_envs)
        columns = Columns(self._num_envs)
        merged: dict[str, Any] = {"subgoals": subgoals}
        merged.update(self._more(parts.more, places, mask, columns))
        columns.add("progress", float, parts.progress, places, mask)
        columns.add("best_progress", float, parts.best_progress, places, mask)
        columns.add("success", bool, parts.success, places, mask)
        columns.add_mask("subgoals", mask)
        if parts.begun:
            begun = [everyone[number] for number in parts.begun]
            started = mask_of(begun, self._num_envs)
            mask = mask_of(set(everyone).difference(begun), self._num_envs)
            own = zip(*parts.started, strict=True)
            for key, values in zip(STARTED, own, strict=True):
                columns.add(key, str, values, begun, started)
        if len(parts.begun) < len(parts.more):
            columns.add("action_valid", bool, parts.action_valid, places, mask)
            columns.add("feedback", str, parts.feedback, places, mask)
        return columns.arrays() | merged

    def _more(
        self,
        more: Sequence[dict[str, Any]],
        places: Sequence[int] | None,
        mask: bytes | bytearray,
        columns: Columns,
    ) -> dict[str, Any]:
        """Add the benchmark's keys to the columns, or return their merged info."""
        first = more[0]
        if not first and not any(more):
            return {}
        kinds = {key: kind_of(value) for key, value in first.items()}
        if None in kinds.values() or set(map(len, more)) != {len(first)}:
            merged = self._others.merged_alike(more, places)
            _check_own(merged)
            return merged
        _check_own(first)
        try:
            for key, kind in kinds.items():
                check_key(key)
                assert kind
                columns.add(key, kind, [info[key] for info in more], places, mask)
        except KeyError:
            raise UnlikeError from None
        return {}


def _check_own(keys: Collection[str]) -> None:
    """Raise if a benchmark has keys of its own that are merged with the common ones."""
    if not _COMMON.isdisjoint(keys):
        raise UnlikeError
