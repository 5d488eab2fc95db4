"""How infos with the same keys and types become arrays."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from aq_gym.vector.unlike import UnlikeError, check_key

__all__ = ["Plan", "plan_of"]

_NUMBERS = frozenset({int, float, bool})
# The most common types of other values.
_OBJECTS = frozenset({str, tuple, type(None)})


class Plan(NamedTuple):
    """How the values of infos with the same keys and types become arrays.

    Attributes:
        keys: The keys.
        names: The keys, each followed by that of its mask.
        values: Returns the values of an info, or the only value.
        fills: The value of an environment without the key; None for no number.
        numbers: For each type of numbers, the positions of its values.
        objects: The positions of the values of other types.
        nested: The positions of dicts.
    """

    keys: tuple[str, ...]
    names: list[str]
    values: Callable[[dict[str, Any]], Any]
    fills: list[Any]
    numbers: dict[type[Any], list[int]]
    objects: list[int]
    nested: list[int]

    def columns(
        self, infos: Sequence[dict[str, Any]], others: Collection[int]
    ) -> list[Sequence[Any]] | None:
        """Return the values of each key, or None if infos have other keys.

        Args:
            infos: The infos.
            others: The indices of those that may have more keys.
        """
        sizes = list(map(len, infos))
        for number in others:
            sizes[number] = len(self.keys)
        if sizes.count(len(self.keys)) != len(sizes):
            return None
        if not self.keys:
            return []
        try:
            if len(self.keys) == 1:
                return [list(map(self.values, infos))]
            return list(zip(*map(self.values, infos), strict=True))
        except KeyError:
            return None

    def fill(self, arrays: list[Any], columns: Sequence[Sequence[Any]]) -> None:
        """Make the arrays of all values but dicts.

        Args:
            arrays: The list in which the array of each key is put.
            columns: The values of each key.

        Raises:
            UnlikeError: If a value is not of the type that it had in the first info.
        """
        for kind, positions in self.numbers.items():
            lines = _numbers(kind, [columns[position] for position in positions])
            for position, line in zip(positions, lines, strict=True):
                arrays[position] = line
        for position in self.objects:
            is_final = self.keys[position] == "final_obs"
            arrays[position] = _objects(columns[position], check=not is_final)


def plan_of(info: dict[str, Any]) -> Plan:
    """Return the plan for infos with the keys and types of values of one.

    Args:
        info: The info.

    Raises:
        UnlikeError: If a key could be that of a mask.
    """
    # itemgetter needs a key.
    values: Callable[[dict[str, Any]], Any] = itemgetter(*info) if info else len
    plan = Plan(tuple(info), [], values, [], {}, [], [])
    for position, (key, value) in enumerate(info.items()):
        check_key(key)
        plan.names.extend((key, f"_{key}"))
        kind = type(value)
        is_number = key != "final_obs" and _is_number(kind)
        plan.fills.append(kind(0) if is_number else None)
        if is_number:
            plan.numbers.setdefault(kind, []).append(position)
        elif key != "final_obs" and issubclass(kind, dict):
            plan.nested.append(position)
        else:
            plan.objects.append(position)
    return plan


def _numbers(kind: type[Any], columns: list[Sequence[Any]]) -> NDArray[Any]:
    values = columns[0] if len(columns) == 1 else [*chain.from_iterable(columns)]
    if list(map(type, values)) != [kind] * len(values):
        raise UnlikeError
    try:
        return np.array(values, dtype=kind).reshape(len(columns), -1)
    except OverflowError:
        # An int of more than 64 bits, of a key that is perhaps replaced.
        raise UnlikeError from None


def _objects(column: Sequence[Any], check: bool) -> NDArray[np.object_]:
    if check and not all(map(_is_object, set(map(type, column)) - _OBJECTS)):
        raise UnlikeError
    # Assigning a list to an array would take apart the tuples in it.
    return np.fromiter(column, dtype=object, count=len(column))


def _is_object(kind: type[Any]) -> bool:
    return not (_is_number(kind) or issubclass(kind, dict | np.ndarray))


def _is_number(kind: type[Any]) -> bool:
    return kind in _NUMBERS or issubclass(kind, np.number)
