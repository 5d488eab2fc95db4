"""Merging the results of many environments into arrays."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from aq_gym.vector.columns import Selection
from aq_gym.vector.flags import FlagMerger
from aq_gym.vector.group_results import Stepped
from aq_gym.vector.merging import InfoMerger
from aq_gym.vector.part_columns import PartColumns
from aq_gym.vector.parts import InfoParts
from aq_gym.vector.unlike import UnlikeError

__all__ = ["MergedStep", "ResultMerger"]

_Info: TypeAlias = dict[str, Any]
# An info that arrays are put into, the infos that they are made of, and the
# environments that have these.
_Merge: TypeAlias = tuple[_Info, InfoParts, Selection]


class MergedStep(NamedTuple):
    """The arrays of a step.

    Attributes:
        rewards: The rewards.
        terminations: Whether each episode is terminated.
        truncations: Whether each episode is truncated.
        infos: The merged info.
    """

    rewards: NDArray[np.float64]
    terminations: NDArray[np.bool_]
    truncations: NDArray[np.bool_]
    infos: _Info


class ResultMerger:
    """Merges results of environments into arrays, which are equal to Gymnasium's.

    Args:
        num_envs: The number of environments, the length of each array.
    """

    def __init__(self, num_envs: int) -> None:
        self._num_envs = num_envs
        self._everyone = Selection.of(None, num_envs)
        self._flags = FlagMerger(num_envs)
        self._own_keys = InfoMerger(num_envs)
        self._dicts = InfoMerger(num_envs)

    def merged(
        self,
        infos: InfoParts | Sequence[_Info],
        places: Sequence[int] | None = None,
        begun: Collection[int] = (),
    ) -> _Info:
        """Return the merged info.

        Args:
            infos: The infos, in parts or as dicts.
            places: The index of the environment of each, ascending; None for all.
            begun: If they are dicts, which of them are those of resets, ascending.
        """
        if not isinstance(infos, InfoParts):
            return self._dicts.merged(infos, places, begun)
        merged: _Info = {}
        columns = PartColumns(self._num_envs, self._own_keys)
        try:
            self._make(columns, [(merged, infos, Selection.of(places, self._num_envs))])
        except UnlikeError:
            return self._dicts.merged(infos.infos(), places, infos.begun)
        return merged

    def stepped(self, stepped: Stepped) -> MergedStep:
        """Return the arrays of a step.

        Args:
            stepped: The results of the environments.
        """
        try:
            return self._in_columns(stepped)
        except UnlikeError:
            return self._separately(stepped)

    def _in_columns(self, stepped: Stepped) -> MergedStep:
        """Return the arrays of a step, all of which are made together."""
        if not isinstance(stepped.infos, InfoParts):
            raise UnlikeError
        everyone = self._everyone
        columns = PartColumns(self._num_envs, self._own_keys)
        ends: _Info = {}
        flags = {
            "terminations": stepped.terminations,
            "truncations": stepped.truncations,
        }
        columns.add(ends, float, {"rewards": stepped.rewards}, everyone)
        columns.add(ends, bool, flags, everyone)
        infos: _Info = {}
        merges: list[_Merge] = []
        if stepped.finals:
            # Workers, too, send all infos in parts or none.
            assert isinstance(stepped.final_infos, InfoParts)
            ended = Selection.of(stepped.ended, self._num_envs)
            columns.add(infos, str, {"final_obs": stepped.finals}, ended)
            columns.add_masks(infos, ("_final_obs", "_final_info"), ended.mask)
            infos["final_info"] = {}
            # First, while the merger knows the subgoals of the episodes that ended.
            merges.append((infos["final_info"], stepped.final_infos, ended))
        merges.append((infos, stepped.infos, everyone))
        self._make(columns, merges)
        return MergedStep(**ends, infos=infos)

    def _make(self, columns: PartColumns, merges: Sequence[_Merge]) -> None:
        """Put the arrays of columns and of further infos into the infos."""
        for info, parts, selection in merges:
            columns.add_parts(info, parts, selection)
        columns.make()
        for info, parts, selection in merges:
            info["subgoals"] = self._flags.merged(parts.subgoals, selection.places)

    def _separately(self, stepped: Stepped) -> MergedStep:
        """Return the arrays of a step, made one after the other."""
        finals = self._finals(stepped) if stepped.finals else {}
        infos = self.merged(stepped.infos, begun=stepped.begun)
        return MergedStep(
            np.array(stepped.rewards, dtype=np.float64),
            np.array(stepped.terminations, dtype=np.bool_),
            np.array(stepped.truncations, dtype=np.bool_),
            {**finals, **infos},
        )

    def _finals(self, stepped: Stepped) -> _Info:
        """Return the last observations and infos of ended episodes, with masks."""
        places = stepped.ended
        observations = np.empty(self._num_envs, dtype=object)
        observations[places] = np.fromiter(stepped.finals, object, len(places))
        masks = np.zeros((2, self._num_envs), dtype=np.bool_)
        masks[:, places] = True
        return {
            "final_obs": observations,
            "_final_obs": masks[0],
            "final_info": self.merged(stepped.final_infos, places),
            "_final_info": masks[1],
        }
