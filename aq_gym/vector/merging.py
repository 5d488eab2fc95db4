"""Merging the info dicts of many environments as Gymnasium does, in less time.

``VectorEnv._add_info`` adds one value of one environment after the other to an array.
Here the values of all environments become arrays at once, those of one type as the
lines of one array. The result is equal to Gymnasium's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from gymnasium.vector import VectorEnv
from numpy.typing import NDArray

from aq_gym.vector.collecting import Collector, Part, Rows, rows_of
from aq_gym.vector.flags import FlagMerger, UnlikeError, check_key

__all__ = ["InfoMerger"]

_Info: TypeAlias = dict[str, Any]
# The index of the environment of each info; None for all environments in order.
_Where: TypeAlias = NDArray[np.intp] | None

_NUMBERS = frozenset({int, float, bool})
# With more, adding one info after the other is faster.
_MOST_PARTS = 8


class _Plan(NamedTuple):
    """How the values of infos with the same keys and types become arrays.

    Attributes:
        keys: The keys.
        kinds: The type of each value.
        numbers: For each type of numbers, the positions of its values.
        objects: The positions of the values of other types.
        nested: The positions of dicts.
    """

    keys: list[str]
    kinds: list[type[Any]]
    numbers: dict[type[Any], list[int]]
    objects: list[int]
    nested: list[int]


class InfoMerger:
    """Merges info dicts into a dict of arrays with masks.

    Args:
        num_envs: The number of environments, the length of each array.
    """

    def __init__(self, num_envs: int) -> None:
        self._num_envs = num_envs
        # The keys whose values were dicts so far, in the order in which they came.
        self._nested: dict[str, None] = {}
        # The infos of a step differ from those of a reset.
        self._plans: dict[tuple[str, ...], _Plan] = {}
        self._flags = FlagMerger(num_envs)

    def begin(self) -> Collector:
        """Return a collector of the infos that are to be merged."""
        return Collector(self._nested)

    def merged(self, infos: Collector, places: Sequence[int] | None = None) -> _Info:
        """Return the merged info.

        Args:
            infos: The infos of some environments.
            places: The indices of these environments, ascending; None for all.
        """
        where = None if places is None else np.array(places, dtype=np.intp)
        parts = infos.parts()
        try:
            return self._merged(parts, infos.count, infos.nested, where)
        except UnlikeError:
            return self._one_by_one(parts, where)

    def _one_by_one(self, parts: Iterable[Part], where: _Where) -> _Info:
        """Merge in Gymnasium's way: one value of one environment after the other."""
        gymnasium: VectorEnv[Any, Any, Any] = VectorEnv()
        gymnasium.num_envs = self._num_envs
        infos = dict(pair for part in parts for pair in part.infos())
        merged: _Info = {}
        for place, info in sorted(infos.items()):
            own = place if where is None else int(where[place])
            merged = gymnasium._add_info(merged, info, own)
        return merged

    def _merged(
        self,
        parts: Sequence[Part],
        count: int,
        nested: Mapping[str, Rows],
        where: _Where,
    ) -> _Info:
        if len(parts) > _MOST_PARTS:
            raise UnlikeError
        merged: _Info = {}
        inner: dict[str, tuple[list[_Info], list[int]]] = {}
        for part in parts:
            plan = self._plan(part)
            self._add_part(merged, part, plan, _chosen(where, part.places))
            for position in plan.nested:
                infos, places = inner.setdefault(plan.keys[position], ([], []))
                infos += part.values[position :: len(plan.keys)]
                places += range(count) if part.places is None else part.places
        for key, (infos, places) in inner.items():
            if key in merged:
                raise UnlikeError
            self._nested[key] = None
            own = nested.get(key)
            if own is None or len(own.sizes) != len(infos):
                own = rows_of(infos)
                chosen = _chosen(where, places)
            else:
                # They are in the order of the infos.
                whole = len(infos) == count
                chosen = where if whole else _chosen(where, sorted(places))
            merged[key] = self._inner(own, chosen)
            merged[f"_{key}"] = self._masks(1, chosen)[0]
        return merged

    def _inner(self, rows: Rows, where: _Where) -> _Info:
        # As lists, because comparing takes half the time of making a set.
        if list(map(type, rows.values)) == [bool] * len(rows.values):
            return self._flags.merged(rows, where)
        return self._merged(rows.parts(), len(rows.sizes), {}, where)

    def _plan(self, part: Part) -> _Plan:
        kinds = list(map(type, part.values))
        keys = tuple(part.keys)
        plan = self._plans.get(keys)
        if plan is None or kinds != plan.kinds * (len(kinds) // len(plan.kinds)):
            plan = self._plans[keys] = _planned(list(keys), kinds)
            # Environments whose keys change must not fill the memory.
            if len(self._plans) > _MOST_PARTS:
                del self._plans[next(iter(self._plans))]
        return plan

    def _add_part(self, merged: _Info, part: Part, plan: _Plan, where: _Where) -> None:
        """Add the arrays and masks of all values but dicts."""
        size = len(plan.keys)
        found: list[tuple[str, NDArray[Any]]] = []
        for kind, positions in plan.numbers.items():
            columns = [part.values[position::size] for position in positions]
            lines = np.array(columns, dtype=kind)
            if where is not None:
                everyone = np.zeros((len(positions), self._num_envs), dtype=kind)
                everyone[:, where] = lines
                lines = everyone
            found += zip((plan.keys[p] for p in positions), lines, strict=True)
        for position in plan.objects:
            objects = self._objects(part.values[position::size], where)
            found.append((plan.keys[position], objects))
        masks = self._masks(len(found), where)
        for (key, values), mask in zip(found, masks, strict=True):
            before = merged.get(key)
            if before is None:
                merged[key], merged[f"_{key}"] = values, mask
            elif before.dtype != values.dtype:
                raise UnlikeError
            else:
                np.copyto(before, values, where=mask)
                merged[f"_{key}"] |= mask

    def _objects(self, values: list[Any], where: _Where) -> NDArray[np.object_]:
        # Assigning a list to an array would take apart the tuples in it.
        objects = np.fromiter(values, dtype=object, count=len(values))
        if where is None:
            return objects
        array = np.full(self._num_envs, fill_value=None, dtype=object)
        array[where] = objects
        return array

    def _masks(self, count: int, where: _Where) -> NDArray[np.bool_]:
        if where is None:
            return np.ones((count, self._num_envs), dtype=np.bool_)
        masks = np.zeros((count, self._num_envs), dtype=np.bool_)
        masks[:, where] = True
        return masks


def _planned(keys: list[str], kinds: list[type[Any]]) -> _Plan:
    size = len(keys)
    plan = _Plan(keys, kinds[:size], {}, [], [])
    for position, key in enumerate(keys):
        check_key(key)
        own = set(kinds[position::size])
        kind = kinds[position]
        if key == "final_obs":
            plan.objects.append(position)
        elif len(own) > 1:
            if any(
                _is_number(one) or issubclass(one, dict | np.ndarray) for one in own
            ):
                raise UnlikeError
            plan.objects.append(position)
        elif _is_number(kind):
            plan.numbers.setdefault(kind, []).append(position)
        elif issubclass(kind, np.ndarray):
            raise UnlikeError
        elif issubclass(kind, dict):
            plan.nested.append(position)
        else:
            plan.objects.append(position)
    return plan


def _is_number(kind: type[Any]) -> bool:
    return kind in _NUMBERS or issubclass(kind, np.number)


def _chosen(where: _Where, places: Sequence[int] | None) -> _Where:
    if places is None:
        return where
    indices = np.array(places, dtype=np.intp)
    return indices if where is None else where[indices]
