"""Merging the info dicts of many environments as Gymnasium does, in less time.

``VectorEnv._add_info`` adds one value of one environment after the other to an array.
Here the values of all environments become arrays at once, those of one type as the
lines of one array. The result is equal to Gymnasium's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
from gymnasium.vector import VectorEnv
from numpy.typing import NDArray

from aq_gym.vector.flags import FlagMerger
from aq_gym.vector.plans import Plan, plan_of
from aq_gym.vector.unlike import UnlikeError

__all__ = ["InfoMerger"]

_Info: TypeAlias = dict[str, Any]
_Column: TypeAlias = Sequence[Any]
# The indices of the environments of infos; None for all environments in order.
_Places: TypeAlias = Sequence[int] | None

# Infos whose keys keep changing must not fill the memory.
_MOST_KNOWN = 16


class InfoMerger:
    """Merges info dicts into a dict of arrays with masks.

    Args:
        num_envs: The number of environments, the length of each array.
    """

    def __init__(self, num_envs: int) -> None:
        self._num_envs = num_envs
        # The infos of a step differ from those of a reset.
        self._plans: dict[object, Plan] = {}
        self._nested: dict[str, tuple[FlagMerger, InfoMerger]] = {}

    def merged(
        self,
        infos: Sequence[_Info],
        places: _Places = None,
        begun: Collection[int] = (),
    ) -> _Info:
        """Return the merged info.

        Args:
            infos: The infos of some environments.
            places: The indices of these environments, ascending; None for all.
            begun: The indices of the infos of environments that were reset and not
                stepped, ascending. These infos have other keys; naming them here saves
                the time of finding that out.
        """
        try:
            return self._merged(infos, places, begun)
        except UnlikeError:
            return self._one_by_one(infos, places)

    def merged_or_raise(self, infos: Sequence[_Info], places: _Places = None) -> _Info:
        """Return the merged info, unless that takes Gymnasium's way.

        Args:
            infos: The infos, which may have different keys; not all are empty.
            places: The indices of their environments, ascending; None for all.

        Raises:
            UnlikeError: If they cannot be merged together.
        """
        return self._merged(infos, places, ())

    def _one_by_one(self, infos: Sequence[_Info], places: _Places) -> _Info:
        """Merge in Gymnasium's way: one value of one environment after the other."""
        gymnasium: VectorEnv[Any, Any, Any] = VectorEnv()
        gymnasium.num_envs = self._num_envs
        merged: _Info = {}
        for number, info in enumerate(infos):
            own = number if places is None else places[number]
            merged = gymnasium._add_info(merged, info, own)
        return merged

    def _merged(
        self, infos: Sequence[_Info], places: _Places, others: Collection[int]
    ) -> _Info:
        if not infos:
            return {}
        if len(others) == len(infos):
            others = ()
        main = infos[next(i for i in range(len(infos)) if i not in others)]
        plan = self._plan(main)
        columns = plan.columns(_completed(main, infos, others), others)
        if columns is None:
            keys = main.keys()
            others = [i for i, info in enumerate(infos) if info.keys() != keys]
            columns = plan.columns(_completed(main, infos, others), others)
            assert columns is not None
        if not others:
            return self._arrays(plan, columns, places, {})
        return self._with_others(plan, columns, infos, places, others)

    def _with_others(
        self,
        plan: Plan,
        columns: list[_Column],
        infos: Sequence[_Info],
        places: _Places,
        others: Collection[int],
    ) -> _Info:
        """Return the merged info if some infos have other keys."""
        alike: dict[tuple[str, ...], list[int]] = {}
        for number in others:
            alike.setdefault(tuple(infos[number]), []).append(number)
        missing: dict[int, list[int]] = {}
        rests: list[tuple[list[_Info], list[int]]] = []
        for keys, numbers in alike.items():
            for position, key in enumerate(plan.keys):
                if key not in keys:
                    missing.setdefault(position, []).extend(numbers)
            if more := [key for key in keys if key not in plan.keys]:
                given = [infos[number] for number in numbers]
                rest = [{key: info[key] for key in more} for info in given]
                rests.append((rest, _at(numbers, places)))
        merged = self._arrays(plan, columns, places, missing)
        for rest, at in rests:
            if not merged.keys().isdisjoint(rest[0]):
                raise UnlikeError
            merged.update(self._merged(rest, at, ()))
        return merged

    def _plan(self, info: _Info) -> Plan:
        like = (tuple(info), tuple(map(type, info.values())))
        plan = self._plans.get(like)
        if plan is None:
            _make_room(self._plans)
            plan = self._plans[like] = plan_of(info)
        return plan

    def _arrays(
        self,
        plan: Plan,
        columns: list[_Column],
        places: _Places,
        missing: dict[int, list[int]],
    ) -> _Info:
        """Return the arrays and masks of all values.

        Args:
            plan: The plan.
            columns: The values of each key.
            places: The index of the environment of each value.
            missing: For each position, which values do not count.
        """
        arrays: list[Any] = [None] * len(columns)
        masks = self._masks(len(columns), places)
        for position in plan.nested:
            absent = missing.get(position, ())
            arrays[position] = self._dicts(
                plan.keys[position], columns[position], places, absent
            )
        for position, absent in missing.items():
            masks[position, _at(absent, places)] = False
            columns[position] = _replaced(
                columns[position], absent, plan.fills[position]
            )
        if places is not None:
            columns = [
                self._spread(column, places, fill)
                for column, fill in zip(columns, plan.fills, strict=True)
            ]
        plan.fill(arrays, columns)
        pairs = chain.from_iterable(zip(arrays, masks, strict=True))
        return dict(zip(plan.names, pairs, strict=True))

    def _dicts(
        self, key: str, dicts: _Column, places: _Places, absent: Collection[int]
    ) -> _Info:
        if absent:
            kept = [number for number in range(len(dicts)) if number not in absent]
            dicts, places = [dicts[number] for number in kept], _at(kept, places)
        if not all(issubclass(kind, dict) for kind in set(map(type, dicts))):
            raise UnlikeError
        mergers = self._nested.get(key)
        if mergers is None:
            _make_room(self._nested)
            mergers = FlagMerger(self._num_envs), InfoMerger(self._num_envs)
            self._nested[key] = mergers
        flags, infos = mergers
        try:
            return flags.merged(dicts, places)
        except UnlikeError:
            return infos._merged(dicts, places, ())

    def _spread(self, column: _Column, places: Sequence[int], fill: object) -> _Column:
        everyone = [fill] * self._num_envs
        for place, value in zip(places, column, strict=True):
            everyone[place] = value
        return everyone

    def _masks(self, count: int, places: _Places) -> NDArray[np.bool_]:
        if places is None:
            return np.ones((count, self._num_envs), dtype=np.bool_)
        masks = np.zeros((count, self._num_envs), dtype=np.bool_)
        masks[:, places] = True
        return masks


def _completed(
    main: _Info, infos: Sequence[_Info], others: Collection[int]
) -> Sequence[_Info]:
    """Return the infos, to some of which all keys are added that they do not have."""
    if not others:
        return infos
    completed = list(infos)
    for number in others:
        completed[number] = {**main, **infos[number]}
    return completed


def _at(numbers: list[int], places: _Places) -> list[int]:
    return numbers if places is None else [places[number] for number in numbers]


def _replaced(column: _Column, absent: Iterable[int], fill: object) -> _Column:
    replaced = list(column)
    for number in absent:
        replaced[number] = fill
    return replaced


def _make_room(known: dict[Any, Any]) -> None:
    if len(known) >= _MOST_KNOWN:
        del known[next(iter(known))]
