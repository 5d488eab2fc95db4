"""Merging the results of many environments into arrays."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from aq_gym.vector.columns import Some, some
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
_Group: TypeAlias = tuple[_Info, InfoParts, Some]


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
        self._everyone = some(None, num_envs)
        self._flags = FlagMerger(num_envs)
        self._others = InfoMerger(num_envs)
        self._infos = InfoMerger(num_envs)

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
            return self._infos.merged(infos, places, begun)
        merged: _Info = {}
        columns = PartColumns(self._num_envs, self._others)
        try:
            self._make(columns, [(merged, infos, some(places, self._num_envs))])
        except UnlikeError:
            return self._infos.merged(infos.infos(), places, infos.begun)
        return merged

    def stepped(self, stepped: Stepped) -> MergedStep:
        """Return the arrays of a step.

        Args:
            stepped: The results of the environments.
        """
        try:
            return self._in_columns(stepped)
        except UnlikeError:
            return self._one_by_one(stepped)

    def _in_columns(self, stepped: Stepped) -> MergedStep:
        """Return the arrays of a step, all of which are made together."""
        if not isinstance(stepped.infos, InfoParts):
            raise UnlikeError
        everyone = self._everyone
        columns = PartColumns(self._num_envs, self._others)
        ends: _Info = {}
        flags = {
            "terminations": stepped.terminations,
            "truncations": stepped.truncations,
        }
        columns.add(ends, float, {"rewards": stepped.rewards}, everyone)
        columns.add(ends, bool, flags, everyone)
        infos: _Info = {}
        groups: list[_Group] = [(infos, stepped.infos, everyone)]
        if stepped.finals:
            if not isinstance(stepped.final_infos, InfoParts):
                raise UnlikeError
            ended = some(stepped.ended, self._num_envs)
            columns.add(infos, str, {"final_obs": stepped.finals}, ended)
            columns.add_masks(infos, ("_final_obs", "_final_info"), ended.mask)
            infos["final_info"] = {}
            # First, while the merger knows the subgoals of the episodes that ended.
            groups.insert(0, (infos["final_info"], stepped.final_infos, ended))
        self._make(columns, groups)
        return MergedStep(**ends, infos=infos)

    def _make(self, columns: PartColumns, groups: Sequence[_Group]) -> None:
        """Put the arrays of all columns, and of groups of infos, into the infos."""
        for info, parts, given in groups:
            columns.add_parts(info, parts, given)
        columns.make()
        for info, parts, given in groups:
            info["subgoals"] = self._flags.merged(parts.subgoals, given.places)

    def _one_by_one(self, stepped: Stepped) -> MergedStep:
        finals = self._finals(stepped) if stepped.finals else {}
        infos = self.merged(stepped.infos, begun=stepped.begun)
        return MergedStep(
            np.array(stepped.rewards, dtype=np.float64),
            np.array(stepped.terminations, dtype=np.bool_),
            np.array(stepped.truncations, dtype=np.bool_),
            {**finals, **infos},
        )

    def _finals(self, stepped: Stepped) -> _Info:
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
