"""Merging dicts of flags, such as the subgoals, of many environments."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from aq_gym.vector.collecting import Rows

__all__ = ["FlagMerger", "UnlikeError", "check_key"]


class UnlikeError(Exception):
    """Raised if infos must be merged in Gymnasium's way.

    This is if a value is a dict in some environments only, or a key could be that of a
    mask.
    """


def check_key(key: object) -> None:
    """Raise if a key could be that of a mask.

    Args:
        key: The key.

    Raises:
        UnlikeError: If it is not a str, or begins with an underscore.
    """
    if type(key) is not str or key[:1] == "_":
        raise UnlikeError


class _Layout(NamedTuple):
    """Where flags belong in the array whose lines are those of names and masks.

    Attributes:
        rows: The rows that have this layout; their values do not count.
        where: The index of the environment of each row, None for all in order.
        names: The name of each line: that of a flag, and that of its mask.
        lines: The line of each flag.
        places: The environment of each flag.
        masks: The masks.
    """

    rows: Rows
    where: NDArray[np.intp] | None
    names: list[str]
    lines: NDArray[np.intp]
    places: NDArray[np.intp]
    masks: NDArray[np.bool_]


class FlagMerger:
    """Merges dicts of bool into dicts of arrays with masks.

    Most environments of a vector have other flags than their neighbours, but the same
    from step to step of an episode, so the layout of the last step is kept.

    Args:
        num_envs: The number of environments, the length of each array.
    """

    def __init__(self, num_envs: int) -> None:
        self._num_envs = num_envs
        self._layout: _Layout | None = None

    def merged(self, rows: Rows, where: NDArray[np.intp] | None) -> dict[str, object]:
        """Return the merged flags.

        Args:
            rows: Dicts of bool.
            where: The index of the environment of each, None for all in order.

        Raises:
            UnlikeError: If a name could be that of a mask or of an observation.
        """
        layout = self._layout
        if layout is None or not _fits(layout, rows, where):
            layout = self._layout = self._laid_out(rows, where)
        lines = np.zeros((len(layout.names), self._num_envs), dtype=np.bool_)
        flags = np.frombuffer(bytearray(rows.values), dtype=np.bool_)
        lines[layout.lines, layout.places] = flags
        lines[1::2] = layout.masks
        return dict(zip(layout.names, lines, strict=True))

    def _laid_out(self, rows: Rows, where: NDArray[np.intp] | None) -> _Layout:
        flags = list(dict.fromkeys(rows.keys))
        names = []
        for name in flags:
            check_key(name)
            if name == "final_obs":
                raise UnlikeError
            names += [name, f"_{name}"]
        line_of = {name: 2 * index for index, name in enumerate(flags)}
        numbers = map(line_of.__getitem__, rows.keys)
        lines = np.fromiter(numbers, dtype=np.intp, count=len(rows.keys))
        everyone = np.arange(self._num_envs) if where is None else where
        places = np.repeat(everyone, rows.sizes)
        masks = np.zeros((len(flags), self._num_envs), dtype=np.bool_)
        masks[lines // 2, places] = True
        return _Layout(rows, where, names, lines, places, masks)


def _fits(layout: _Layout, rows: Rows, where: NDArray[np.intp] | None) -> bool:
    if (layout.where is None) != (where is None):
        return False
    same_where = where is None or np.array_equal(layout.where, where)  # type: ignore[arg-type]
    return same_where and layout.rows[::2] == rows[::2]
