"""Collecting the info dicts of a step, while they are in the processor's cache.

An info dict is taken apart as soon as its environment has returned it, so that its
memory serves the next environment's. Kept until the end of the step, the dicts of 64
environments would be read again from slower memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

__all__ = ["Collector", "Part", "Rows", "TakeInfo", "rows_of"]

# Takes the info dict of the next environment.
TakeInfo: TypeAlias = Callable[[dict[str, Any]], None]


class Part(NamedTuple):
    """Infos that have the same keys in the same order.

    Attributes:
        keys: The keys, at least one.
        values: The values of the first of these infos, of the second, and so on.
        places: The index of each of them among all infos; None if these are all.
    """

    keys: Sequence[str]
    values: list[Any]
    places: Sequence[int] | None

    def infos(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield each info and its index among all infos."""
        size = len(self.keys)
        for number in range(len(self.values) // size):
            own = self.values[number * size : (number + 1) * size]
            place = number if self.places is None else self.places[number]
            yield place, dict(zip(self.keys, own, strict=True))


class Rows(NamedTuple):
    """Info dicts, taken apart.

    Attributes:
        keys: The keys of the first info, of the second, and so on.
        values: Their values.
        sizes: The number of keys of each info.
    """

    keys: list[str]
    values: list[Any]
    sizes: list[int]

    def parts(self, places: Sequence[int] | None = None) -> list[Part]:
        """Return the infos, divided by their keys.

        Args:
            places: The index of each of them among all infos; None if these are all.
        """
        count = len(self.sizes)
        if not count:
            return []
        keys = self.keys[: self.sizes[0]]
        # As no info has a key twice, no other sizes give this list.
        if self.keys == keys * count:
            return [Part(keys, self.values, places)] if keys else []
        found: dict[tuple[str, ...], tuple[list[Any], list[int]]] = {}
        start = 0
        for number, size in enumerate(self.sizes):
            own = slice(start, start + size)
            values, known = found.setdefault(tuple(self.keys[own]), ([], []))
            values.extend(self.values[own])
            known.append(number if places is None else places[number])
            start += size
        return [Part(keys, *rest) for keys, rest in found.items() if keys]


class Collector:
    """Takes the infos of a step apart, one after the other.

    The infos of environments that were reset in this step have other keys. They are
    apart from the others, which then have the same keys and can be merged at once.

    Args:
        names: The keys of info whose values are dicts, which are taken apart, too.

    Attributes:
        nested: The dicts of each name, in the order of the infos.
        take: Takes the next info.
        take_begun: Takes the next info, of an environment that was reset.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.nested = {name: Rows([], [], []) for name in names}
        self._rows = Rows([], [], [])
        self._begun = Rows([], [], [])
        self._begun_places: list[int] = []
        self.take = _taker(self._rows, self.nested)
        self._take_begun = _taker(self._begun, self.nested)

    def take_begun(self, info: dict[str, Any]) -> None:
        """Take the next info, of an environment that was reset.

        Args:
            info: The info.
        """
        self._begun_places.append(self.count)
        self._take_begun(info)

    @property
    def count(self) -> int:
        """The number of infos so far."""
        return len(self._rows.sizes) + len(self._begun.sizes)

    def parts(self) -> list[Part]:
        """Return the infos, divided by their keys."""
        if not self._begun_places:
            return self._rows.parts()
        begun = set(self._begun_places)
        others = [place for place in range(self.count) if place not in begun]
        return self._rows.parts(others) + self._begun.parts(self._begun_places)


def rows_of(infos: Iterable[dict[str, Any]]) -> Rows:
    """Return info dicts, taken apart.

    Args:
        infos: The info dicts.
    """
    rows = Rows([], [], [])
    take = _taker(rows, {})
    for info in infos:
        take(info)
    return rows


def _taker(rows: Rows, nested: Mapping[str, Rows]) -> TakeInfo:
    add_keys, add_values, add_size = _adders(rows)
    inner = [(name, *_adders(own)) for name, own in nested.items()]

    def take(info: dict[str, Any]) -> None:
        add_keys(info)
        add_values(info.values())
        add_size(len(info))
        for name, add_inner_keys, add_inner_values, add_inner_size in inner:
            value = info.get(name)
            if isinstance(value, dict):
                add_inner_keys(value)
                add_inner_values(value.values())
                add_inner_size(len(value))

    return take


def _adders(
    rows: Rows,
) -> tuple[
    Callable[[Iterable[str]], None],
    Callable[[Iterable[Any]], None],
    Callable[[int], None],
]:
    return rows.keys.extend, rows.values.extend, rows.sizes.append
